import PriceImpact
import Rendering
import Settlement
import Tables

/// The definition of a table of the folder of `report`, whatever its kind.
struct TableEntry {
  let name: String
  let title: String
  /// The meaning of its main number, or of its rows, as METRICS.md has it.
  let sentence: String
  var caveat = ""
  /// One row stands for this, such as `month × cohort`; blank where the sentence says it.
  var rowIs = ""
  var sources: [String] = []
  let columns: [Definition.Column]
  /// The command that prints it; `nil` for a file of `report` alone.
  let command: String?

  /// All tables in the order of reports.
  static let all: [TableEntry] =
    Definition.all.map { definition in
      TableEntry(
        name: definition.table.rawValue, title: definition.title, sentence: definition.sentence,
        caveat: definition.caveat, rowIs: definition.rowIs, sources: definition.sourceNames,
        columns: definition.columns, command: definition.table.rawValue)
    }
    + HeadlineTable.allCases.map { table in
      TableEntry(
        table.rawValue, table.rows, table.allColumns, command: table == .drivers ? "drivers" : nil)
    }
    + PriceTable.allCases.map { table in
      TableEntry(
        table.rawValue, table.rows, table.allColumns,
        command: table == .impact ? "price-impact" : nil)
    } + [
      TableEntry(
        "reconcile",
        "The lines from sales to Apple's settlement and to the bank, by period, region and currency.",
        Definition.reconcileColumns, command: "reconcile")
    ]
    + SupportingTable.allCases.map { table in
      TableEntry(table.rawValue, table.rows, table.allColumns, command: nil)
    }

  private init(
    _ name: String, _ rows: String, _ columns: [Definition.Column], command: String?
  ) {
    self.init(
      name: name, title: name.replacing("_", with: " ").replacing("-", with: " "), sentence: rows,
      columns: columns, command: command)
  }

  init(
    name: String, title: String, sentence: String, caveat: String = "", rowIs: String = "",
    sources: [String] = [], columns: [Definition.Column], command: String?
  ) {
    (self.name, self.title, self.sentence, self.caveat) = (name, title, sentence, caveat)
    (self.rowIs, self.sources, self.columns, self.command) = (rowIs, sources, columns, command)
  }

  static func named(_ name: String) -> TableEntry? { all.first { $0.name == name } }

  /// Returns the kind of a column; a converted amount such as `net_EUR` is money, keys of a view are texts.
  func kind(of column: String) -> ReportTable.Column.Kind {
    let own = { (name: String) in columns.first { $0.column.name == name }?.column.kind }
    if let kind = own(column) { return kind }
    let isConverted = column.utf8.count > 4 && own(String(column.dropLast(4))) == .money
    return isConverted ? .money : .key
  }

  /// Returns a cell of the table's CSV as JSON tables have it: counts and rates as numbers, amounts and words as texts.
  func value(_ cell: String, of column: String) -> JSONValue {
    if cell.isEmpty { return .null }
    switch kind(of: column) {
    case .count, .rate, .number: return Double(cell) == nil ? .text(cell) : .number(cell)
    case .money: return .text(cell)
    case .key, .text: return .text(SeparatedValues.withoutGuard(cell))
    }
  }

  /// The words of a definition without Markdown.
  var definition: JSONValue {
    .text(
      [sentence, caveat].filter { !$0.isEmpty }.map(InlineMarkdown.plain).joined(separator: " "))
  }
}

extension HeadlineTable {
  fileprivate var rows: String {
    switch self {
    case .headlines:
      "The headline numbers of the last complete month, with the month and the year before."
    case .drivers:
      "What each product, country, offer, start month and app adds to the change of a number between two months."
    case .refundDelays: "How many charges of a month were refunded after 0, 1, 2, … months."
    }
  }
}

extension PriceTable {
  fileprivate var rows: String {
    switch self {
    case .changes: "Every change of a standard price, with its class."
    case .impact: "Each price increase: who met it, who left because of it, and the money."
    case .months: "The renewals of the months before and after each price increase."
    case .plan: "The subscriptions that a planned price would meet."
    }
  }
}

extension SupportingTable {
  fileprivate var rows: String {
    switch self {
    case .health: "Each input file, with its rows that were read, used, rejected and ignored."
    case .days: "Each day of each kind of report: whether its report is there."
    case .checks: "The identities that the tables must fulfil, and whether they do."
    case .rejects: "The rows that could not be read: where, what was found and what was expected."
    case .changes: "The numbers that differ from the last run of the ledger, with the cause."
    case .paymentsDue: "The amounts that Apple owes, with the day on which they are expected."
    case .verdicts: "The verdict on each settlement."
    case .settlement: "The newest settlement that is verified and paid, from sales to the bank."
    }
  }
}
