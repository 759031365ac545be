import PriceImpact
import Rendering
import Scanning
import Storage
import Tables

/// A CSV file of the folder of `report`; finds its rows by conditions.
struct TableText {
  /// The conditions of a row.
  struct Choice {
    /// Columns with the text that a row has there.
    var conditions: [(column: Int, value: String)] = []
    /// The column of the month, with the first and the last one.
    var months: (column: Int, first: String, last: String)?
  }

  private let name: String
  private let bytes: [UInt8]
  let columns: [String]

  init(_ name: String, _ bytes: [UInt8]) {
    (self.name, self.bytes) = (name, bytes)
    var scanner = CSVScanner(ByteStream(bytes.span))
    columns = (try? scanner.nextRow()) == true ? scanner.fields : []
  }

  func place(of column: String) throws(ToolError) -> Int {
    if let place = columns.firstIndex(where: column.isSame) { return place }
    let advice = Nearest.advice(column, among: columns)
    throw ToolError("\(name) has no column \(quotedExcerpt(column)); \(advice)")
  }

  /// Calls `body` at each row that fulfils the conditions.
  func forEachRow(_ choice: Choice = Choice(), _ body: (borrowing CSVScanner) -> Void) {
    let conditions = choice.conditions.map { (column: $0.column, value: Self.stored($0.value)) }
    let months = choice.months.map { ($0.column, Array($0.first.utf8), Array($0.last.utf8)) }
    var scanner = CSVScanner(ByteStream(bytes.span))
    // The header is no row.
    guard (try? scanner.nextRow()) == true else { return }
    while (try? scanner.nextRow()) == true {
      let isChosen = conditions.allSatisfy { condition in
        scanner.text[scanner[condition.column]].elementsEqual(condition.value)
      }
      guard isChosen else { continue }
      if let (column, first, last) = months {
        let cell = scanner.text[scanner[column]]
        if cell.lexicographicallyPrecedes(first) || last.lexicographicallyPrecedes(cell) {
          continue
        }
      }
      body(scanner)
    }
  }

  /// Returns the values of a column, each once, without the guard of CSV.
  func values(of column: Int) -> [String] {
    var values: Set<ExactText> = []
    forEachRow { row in
      values.insert(ExactText(String(decoding: row.text[row[column]], as: UTF8.self)))
    }
    return values.map { SeparatedValues.withoutGuard($0.text) }
  }

  /// Refuses a value or a month that no row has, because no row would look like no losses.
  func refuse(_ choice: Choice) throws(ToolError) {
    for (column, value) in choice.conditions {
      let known = values(of: column).sorted { $0.precedes($1) }
      guard !known.contains(where: value.isSame) else { continue }
      let advice = Nearest.advice(value, among: known, listedAfter: "the data have", limit: 20)
      throw ToolError("no row has the \(columns[column]) \(quotedExcerpt(value)); \(advice)")
    }
    guard let months = choice.months else { return }
    let known = values(of: months.column).sorted { $0.precedes($1) }
    guard let first = known.first, let last = known.last,
      months.last.precedes(first) || last.precedes(months.first)
    else { return }
    throw ToolError("no row of these months; \(name) has \(first) to \(last)")
  }

  /// Returns a text as CSV stores it: `'=Pro` for `=Pro`.
  private static func stored(_ text: String) -> [UInt8] {
    let guarded = "'" + text
    return Array((SeparatedValues.withoutGuard(guarded).isSame(as: text) ? guarded : text).utf8)
  }
}

/// The definition of a table of the folder of `report`, whatever its kind.
struct TableEntry {
  let name: String
  /// The meaning of its main number, or of its rows.
  let sentence: String
  /// The columns, without the keys of a table of metrics.
  let columns: [Definition.Column]
  /// The command that prints it; `nil` for a file of `report` alone.
  let command: String?
  /// The definition of a table of METRICS.md section 5; `nil` for others.
  let definition: Definition?

  private init(_ name: String, command: String? = nil, definition: Definition? = nil) {
    (self.name, self.command, self.definition) = (name, command, definition)
    sentence = ColumnMeanings.sentence(of: name)
    columns = ColumnMeanings.columns(of: name) ?? []
  }

  static let all: [TableEntry] =
    Definition.all.map {
      TableEntry($0.table.rawValue, command: $0.table.rawValue, definition: $0)
    }
    + HeadlineTable.allCases.map {
      TableEntry($0.rawValue, command: $0 == .drivers ? "drivers" : nil)
    }
    + PriceTable.allCases.map {
      TableEntry($0.rawValue, command: $0 == .impact ? "price-impact" : nil)
    }
    + [TableEntry("reconcile", command: "reconcile")]
    + SupportingTable.allCases.map { TableEntry($0.rawValue) }

  /// Returns a cell of the table's CSV as tables in JSON have it: counts and rates as numbers, amounts and words as texts.
  func value(_ cell: String, of column: String) -> JSONValue {
    let kind = columns.first { $0.column.name == column }?.column.kind
    switch kind {
    case .count?, .rate?, .number?: return Double(cell) == nil ? JSONValue(cell) : .number(cell)
    // A converted amount, such as net_EUR, has no entry.
    default: return JSONValue(SeparatedValues.withoutGuard(cell))
    }
  }

  /// The definition of the table, with the meaning of some of its columns.
  func defined(_ names: [String] = []) -> [JSONValue.Member] {
    let own = columns.filter { names.contains($0.column.name) }
    return [
      .init("definition", .text(ColumnMeanings.meaning(ofTable: name))),
      .init(
        "columns_mean",
        .object(own.map { .init($0.column.name, .text(InlineMarkdown.plain($0.meaning))) })),
    ]
  }
}
