import Pages
import Rendering
import Scanning
import Storage
import SubscriptionModel
import Tables

/// The answer of `read_table`: rows of a CSV file of `report`.
struct TableAnswer {
  static let mostRows = 500
  /// The most bytes of their JSON.
  static let mostBytes = 40_000

  let value: JSONValue

  init(_ arguments: ToolArguments, _ data: AssistantData) throws(ToolError) {
    let files = try data.files()
    let (name, view) = (arguments.text("table") ?? "", arguments.text("by") ?? "")
    let (entry, text) = try Self.file(name, view, files)
    let choice = try Self.choice(arguments, text, files)
    let asked = arguments.text("columns")?.split(separator: ",").map(String.init)
    let names = asked?.unique ?? text.columns
    let places = try names.map { (name) throws(ToolError) in try text.place(of: name) }
    let (limit, offset) = (arguments.whole("limit", else: 50), arguments.whole("offset", else: 0))
    var (count, rows): (Int, [[JSONValue]]) = (0, [])
    var sources: Set<ExactText> = []
    var states: Set<ExactText> = []
    let (source, state) = (
      text.columns.firstIndex(of: "source"), text.columns.firstIndex(of: "state")
    )
    text.forEachRow(choice) { row in
      count += 1
      guard count > offset, rows.count < limit else { return }
      let cells = row.fields
      if let source { sources.insert(ExactText(cells[source])) }
      if let state { states.insert(ExactText(cells[state])) }
      rows.append(places.map { entry.value(cells[$0], of: text.columns[$0]) })
    }
    if count == 0 { try text.refuse(choice) }
    let bounded = BoundedRows(rows)
    let next = offset + bounded.rows.count
    let left = [
      count > next ? "\(counted(count - next, "more row")): call again with offset \(next)" : nil,
      arguments.texts("where").contains { $0.key != "source" }
        ? "the command prints the rows that `where` leaves out, too" : nil,
    ].compactMap(\.self)
    value = .object(
      [.init("table", .text(name)), .init("by", JSONValue(view))] + entry.defined(asked ?? [])
        + [
          .init("sources", .texts(sources.map(\.text).sorted { $0.precedes($1) })),
          .init("states", .texts(states.map(\.text).sorted { $0.precedes($1) })),
          .init("columns", .texts(names)), .init("rows", .list(bounded.rows)),
          .init("rows_in_all", .count(count)), .init("offset", .count(offset)),
          .init("cut", bounded.cut(and: left)),
          .init("command", .text(Self.command(entry, view, arguments, choice, files.commands))),
          AssistantTool.note,
        ])
  }

  // MARK: The file

  /// Returns the views of a table that are files, as `--by` has them; `nil` for a table without its file.
  static func views(of table: String, among names: [String]) -> [String]? {
    let start = table + "-by-"
    let views = names.filter { $0.hasPrefix(start) && $0.hasSuffix(".csv") }
    return names.contains(table + ".csv")
      ? views.map { String($0.dropFirst(start.count).dropLast(4).replacing("-", with: ",")) } : nil
  }

  private static func file(
    _ name: String, _ view: String, _ files: AssistantData.Files
  ) throws(ToolError) -> (TableEntry, TableText) {
    let known = TableEntry.all.filter { files.names.contains($0.name + ".csv") }
    guard let entry = known.first(where: { $0.name == name }),
      let views = views(of: name, among: files.names)
    else {
      throw ToolError(
        "no table \(quotedExcerpt(name)); \(Nearest.advice(name, among: known.map(\.name)))")
    }
    guard view.isEmpty || views.contains(view) else {
      let others =
        views.isEmpty ? "it has no views" : "its views are \(views.joined(separator: "; "))"
      throw ToolError("\(name) is not split by \(quotedExcerpt(view)); \(others)")
    }
    let suffix = view.isEmpty ? "" : "-by-" + view.replacing(",", with: "-")
    return (entry, TableText(name, try files.read(name + suffix + ".csv")))
  }

  // MARK: The rows

  private static func choice(
    _ arguments: ToolArguments, _ text: TableText, _ files: AssistantData.Files
  ) throws(ToolError) -> TableText.Choice {
    var choice = TableText.Choice()
    for (key, value) in arguments.texts("where") {
      choice.conditions.append((try text.place(of: key), value))
    }
    let month = arguments.text("month")
    if month != nil, arguments.text("from") ?? arguments.text("to") != nil {
      throw ToolError("give month, or from and to")
    }
    let asked = (arguments.text("from") ?? month, arguments.text("to") ?? month)
    guard asked.0 != nil || asked.1 != nil else { return choice }
    guard let column = text.columns.firstIndex(of: "month") else {
      let other = text.columns.contains("start_month") ? "; where can choose a start_month" : ""
      throw ToolError("its rows are of no month: leave out month, from and to\(other)")
    }
    let known = text.values(of: column).sorted { $0.precedes($1) }
    let newest = try files.digest()["month"]?.words
    let months = [asked.0, asked.1].map { $0 == "last" ? newest : $0 }
    // Months of one calendar are compared as texts.
    if let other = months.compactMap(\.self).first(where: { $0.count != known.last?.count ?? 7 }) {
      throw ToolError("\(quotedExcerpt(other)) is no month such as \(known.last ?? "2026-09")")
    }
    if let first = months[0], let last = months[1], last.precedes(first) {
      throw ToolError("from \(first) is after to \(last)")
    }
    choice.months = (column, months[0] ?? known.first ?? "", months[1] ?? known.last ?? "")
    return choice
  }

  /// Returns the command that prints the table, or makes the file, that the rows are from.
  private static func command(
    _ entry: TableEntry, _ view: String, _ arguments: ToolArguments, _ choice: TableText.Choice,
    _ commands: PageCommand
  ) -> String {
    guard let command = entry.command, command != "drivers" else {
      return commands.line("report", "-o out") + " && cat out/\(entry.name).csv"
    }
    var options: [(String, String)] = []
    if let asked = arguments.texts("where").first(where: { $0.key == "source" }),
      entry.definition != nil, let source = Source.ofRows(asked.value)
    {
      options.append(("--source", source.rawValue))
    }
    if !view.isEmpty { options.append(("--by", view)) }
    let isOneMonth = choice.months.map { $0.first.isSame(as: $0.last) } ?? false
    if let months = choice.months, isOneMonth {
      options.append(("--month", months.first))
    } else if let months = choice.months, entry.definition != nil {
      options += [("--from", months.first), ("--to", months.last)]
    }
    let isOfMonths = entry.definition?.keys.leading.contains("month") == true
    let all = choice.months == nil && isOfMonths && entry.definition?.table != .lifetime
    let words = options.map { "\($0.0) \(ShellWord.quoted($0.1))" } + (all ? ["--all-months"] : [])
    return commands.line(command, (words + ["-f csv"]).joined(separator: " "))
  }
}

/// Rows of an answer, as many as fit into ``TableAnswer/mostBytes``.
struct BoundedRows {
  /// The most characters of a text in a cell.
  private static let longestText = 1_000

  /// The rows, each a list of cells.
  private(set) var rows: [JSONValue] = []
  /// A sentence about shortened texts; `nil` without any.
  private(set) var cut: String?

  init(_ all: [[JSONValue]]) {
    var bytes = 0
    for row in all {
      let cells = JSONValue.list(row.map { shortened($0) })
      bytes += cells.text.utf8.count + 1
      guard bytes <= TableAnswer.mostBytes || rows.isEmpty else { return }
      rows.append(cells)
    }
  }

  private mutating func shortened(_ value: JSONValue) -> JSONValue {
    guard let text = value.words, text.utf8.count > Self.longestText else { return value }
    cut = "texts of more than \(Self.longestText) characters; the command prints them whole"
    return .text(text.prefix(Self.longestText) + "…")
  }

  /// Returns the sentences about all that an answer leaves out, `rest` those about rows; `null` for nothing.
  func cut(and rest: [String]) -> JSONValue {
    JSONValue((rest + [cut].compactMap(\.self)).joined(separator: "; "))
  }
}
