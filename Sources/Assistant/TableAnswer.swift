import Pages
import Rendering
import Scanning
import Storage
import Tables

/// The answer of `read_table`: rows of a CSV file of `report`.
struct TableAnswer {
  /// The most rows of an answer.
  static let mostRows = 500
  /// The most bytes of their JSON.
  static let mostBytes = 40_000

  let value: JSONValue

  init(_ arguments: ToolArguments, _ data: any AssistantData) throws(ToolError) {
    let files = try data.files()
    let (entry, text) = try Self.file(arguments, files)
    let (choice, months) = try Self.choice(arguments, files, entry, text)
    let asked = arguments.texts("columns")
    let places = try (asked.isEmpty ? text.columns : asked).map { (name) throws(ToolError) in
      try Self.place(of: name, entry, text)
    }
    let (limit, offset) = (arguments.whole("limit") ?? 50, arguments.whole("offset") ?? 0)
    var (count, rows): (Int, [[JSONValue]]) = (0, [])
    var found: [String: Set<ExactText>] = ["source": [], "state": []]
    text.forEachRow(choice) { row in
      count += 1
      guard count > offset, rows.count < limit else { return }
      let cells = row.fields
      for name in found.keys {
        if let place = text.place(of: name) { found[name]?.insert(ExactText(cells[place])) }
      }
      rows.append(places.map { entry.value(cells[$0], of: text.columns[$0]) })
    }
    if count == 0 { try Self.refuse(choice, months, text) }
    let bounded = BoundedRows(rows)
    let left = count - offset - bounded.rows.count
    let next = offset + bounded.rows.count
    let texts = { (name: String) in
      JSONValue.texts((found[name] ?? []).map(\.text).sorted { $0.precedes($1) })
    }
    value = .object([
      "table": .text(entry.name), "by": .texts(arguments.texts("by")),
      "definition": entry.definition, "sources": texts("source"), "states": texts("state"),
      "columns": .texts(places.map { text.columns[$0] }), "rows": .list(bounded.rows),
      "rows_in_all": .count(count), "offset": .count(offset),
      "cut": left > 0
        ? .text("\(counted(left, "more row")): call again with offset \(next)")
        : bounded.cut.map(JSONValue.text) ?? .null,
      "command": .text(
        Self.command(
          entry, arguments, files, months, hasMonths: text.place(of: "month") != nil)),
      "note": AssistantTool.dataNote,
    ])
  }

  // MARK: The file

  /// Returns the views of a table that are files: the dimensions of each, none for the whole population.
  static func views(of table: String, among names: [String]) -> [[String]] {
    names.compactMap { name in
      guard name.hasSuffix(".csv") else { return nil }
      let stem = name.dropLast(4)
      if stem == table { return [] }
      guard stem.hasPrefix(table + "-by-") else { return nil }
      return stem.dropFirst(table.utf8.count + 4).split(separator: "-").map(String.init)
    }
  }

  private static func file(
    _ arguments: ToolArguments, _ files: AssistantFiles
  ) throws(ToolError) -> (TableEntry, TableText) {
    let (name, view) = (arguments.text("table") ?? "", arguments.texts("by"))
    let known = TableEntry.all.filter { !views(of: $0.name, among: files.names).isEmpty }
    guard let entry = known.first(where: { $0.name == name }) else {
      throw ToolError(
        "no table \(quotedExcerpt(name)); \(Nearest.advice(name, among: known.map(\.name)))")
    }
    let stem = view.isEmpty ? name : "\(name)-by-\(view.joined(separator: "-"))"
    guard let bytes = try files.bytes(of: stem + ".csv") else {
      let views = views(of: name, among: files.names).filter { !$0.isEmpty }
        .map { $0.joined(separator: ",") }
      let others =
        views.isEmpty ? "it has no other view" : "its views are \(views.joined(separator: "; "))"
      throw ToolError(
        "\(name) is not split by \(quotedExcerpt(view.joined(separator: ","))); \(others)")
    }
    return (entry, TableText(bytes))
  }

  // MARK: The rows

  private static func place(
    of column: String, _ entry: TableEntry, _ text: TableText
  ) throws(ToolError) -> Int {
    if let place = text.place(of: column) { return place }
    let advice = Nearest.advice(column, among: text.columns)
    throw ToolError("\(entry.name) has no column \(quotedExcerpt(column)); \(advice)")
  }

  /// The first and the last month that was asked for.
  private typealias Months = (first: String, last: String)

  private static func choice(
    _ arguments: ToolArguments, _ files: AssistantFiles, _ entry: TableEntry, _ text: TableText
  ) throws(ToolError) -> (TableText.Choice, Months?) {
    var choice = TableText.Choice()
    for (key, value) in arguments.pairs("where") {
      choice.conditions.append((try place(of: key, entry, text), [value]))
    }
    var (first, last) = (arguments.text("from"), arguments.text("to"))
    if let month = arguments.text("month") {
      guard first == nil, last == nil else {
        throw ToolError("month and from, to exclude each other; give one of them")
      }
      (first, last) = (month, month)
    }
    guard first != nil || last != nil else { return (choice, nil) }
    guard let column = text.place(of: "month") else {
      throw ToolError("\(entry.name) has no months; choose rows with where")
    }
    let newest = try first == "last" || last == "last" ? AssistantTool.lastMonth(files) : nil
    let known = text.values(of: column)
    func named(_ month: String?, else other: String?) throws(ToolError) -> String {
      let name = month == "last" ? newest : month ?? other
      let isMonth = name.map { known.first?.utf8.count == $0.utf8.count } ?? false
      guard let name, isMonth || known.isEmpty else {
        throw ToolError(
          "\(quotedExcerpt(month ?? "")) is no month of \(entry.name), which has \(known.min() ?? "none") to \(known.max() ?? "none")"
        )
      }
      return name
    }
    let months = (try named(first, else: known.min()), try named(last, else: known.max()))
    choice.months = (column, months.0, months.1)
    return (choice, months)
  }

  /// Refuses a value that no row has, because no row would look like no losses.
  private static func refuse(
    _ choice: TableText.Choice, _ months: Months?, _ text: TableText
  ) throws(ToolError) {
    for (column, values) in choice.conditions {
      let known = text.values(of: column)
      guard let value = values.first, !known.contains(where: value.isSame) else { continue }
      let advice = Nearest.advice(value, among: known, listedAfter: "the data have", limit: 20)
      throw ToolError(
        "no row has the \(text.columns[column]) \(quotedExcerpt(value))\(advice.isEmpty ? "" : "; \(advice)")"
      )
    }
    guard let months, let column = choice.months?.column else { return }
    let known = text.values(of: column)
    guard let first = known.min(), let last = known.max(),
      months.last < first || last < months.first
    else { return }
    throw ToolError("no row of these months; the table has \(first) to \(last)")
  }

  // MARK: The command

  /// Returns the command that prints the table, or makes the file, that the rows are from.
  private static func command(
    _ entry: TableEntry, _ arguments: ToolArguments, _ files: AssistantFiles, _ months: Months?,
    hasMonths: Bool
  ) -> String {
    guard let command = entry.command else {
      return files.commands.line("report", of: "", "-o \(ShellWord.quoted(files.folder))")
    }
    var words: [String] = []
    let conditions = arguments.pairs("where")
    if let source = conditions.first(where: { $0.key == "source" })?.value {
      words.append("--source \(ShellWord.quoted(source))")
    }
    let view = arguments.texts("by")
    if !view.isEmpty { words.append("--by \(view.joined(separator: ","))") }
    let isCounted = TableKind(rawValue: entry.name) != nil
    if let months, months.first.isSame(as: months.last) {
      words.append("--month \(ShellWord.quoted(months.first))")
    } else if let months, isCounted {
      words.append(
        "--from \(ShellWord.quoted(months.first)) --to \(ShellWord.quoted(months.last))")
    } else if isCounted, hasMonths {
      words.append("--all-months")
    }
    return files.commands.line(command, of: "", (words + ["-f csv"]).joined(separator: " "))
  }
}

/// Rows of an answer, as many as fit into ``TableAnswer/mostBytes``.
struct BoundedRows {
  /// The most characters of a text in a cell.
  private static let longestText = 1_000

  /// The rows, each a list of cells.
  private(set) var rows: [JSONValue] = []
  /// What was cut; `nil` for nothing.
  private(set) var cut: String?

  init(_ all: [[JSONValue]]) {
    var bytes = 0
    for row in all {
      let cells = JSONValue.list(row.map { shortened($0) })
      bytes += cells.text.utf8.count + 1
      guard bytes <= TableAnswer.mostBytes || rows.isEmpty else {
        cut = "\(counted(all.count - rows.count, "more row")); the command prints all"
        return
      }
      rows.append(cells)
    }
  }

  private mutating func shortened(_ value: JSONValue) -> JSONValue {
    guard case .text(let text) = value, text.utf8.count > Self.longestText else { return value }
    cut = "texts of more than \(Self.longestText) characters; the command prints them whole"
    return .text(text.prefix(Self.longestText) + "…")
  }
}
