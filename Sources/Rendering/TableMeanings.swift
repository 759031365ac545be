import PriceImpact
import Tables

extension ColumnMeanings {
  /// Returns what a table says, without marks: its sentence, and what to beware of.
  ///
  /// - Parameter table: The name, such as `churn`, `headlines` or `reconcile`.
  /// - Returns: The sentences; blank for a name of no table.
  package static func meaning(ofTable table: String) -> String {
    let caveat = TableKind(rawValue: table).map { Definition.definition(of: $0).caveat } ?? ""
    return [sentence(of: table), caveat].filter { !$0.isEmpty }.joined(separator: " ")
      .replacing("`", with: "")
  }

  /// Returns the meaning of a table's main number, or of its rows; blank for a name of no table.
  package static func sentence(of table: String) -> String {
    TableKind(rawValue: table).map { Definition.definition(of: $0).sentence }
      ?? PriceTable(rawValue: table)?.rows ?? HeadlineTable(rawValue: table)?.rows
      ?? SupportingTable(rawValue: table)?.rows
      ?? (table == "reconcile"
        ? "The way from sales to Apple's settlement and to the bank, line by line." : "")
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
