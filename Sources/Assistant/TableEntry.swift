import PriceImpact
import Rendering
import Tables

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

  private init(
    name: String, sentence: String, command: String? = nil, definition: Definition? = nil
  ) {
    (self.name, self.sentence, self.command) = (name, sentence, command)
    self.definition = definition
    columns = ColumnMeanings.columns(of: name) ?? []
  }

  /// All tables in the order of reports.
  static let all: [TableEntry] =
    Definition.all.map {
      TableEntry(
        name: $0.table.rawValue, sentence: $0.sentence, command: $0.table.rawValue, definition: $0)
    }
    + HeadlineTable.allCases.map {
      TableEntry(
        name: $0.rawValue, sentence: $0.rows, command: $0 == .drivers ? "drivers" : nil)
    }
    + PriceTable.allCases.map {
      TableEntry(
        name: $0.rawValue, sentence: $0.rows, command: $0 == .impact ? "price-impact" : nil)
    }
    + [
      TableEntry(
        name: "reconcile",
        sentence: "The way from sales to Apple's settlement and to the bank, line by line.",
        command: "reconcile")
    ]
    + SupportingTable.allCases.map { TableEntry(name: $0.rawValue, sentence: $0.rows) }

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
    let text = [sentence, definition?.caveat ?? ""].joined(separator: " ")
    let own = columns.filter { names.contains($0.column.name) }
    return [
      .init("definition", .text(InlineMarkdown.plain(text))),
      .init(
        "columns_mean",
        .object(own.map { .init($0.column.name, .text(InlineMarkdown.plain($0.meaning))) })),
    ]
  }
}

extension HeadlineTable {
  fileprivate var rows: String {
    switch self {
    case .headlines: "The headline numbers of the last complete month, and of earlier ones."
    case .drivers: "What each product, country, offer and start month adds to a change."
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
