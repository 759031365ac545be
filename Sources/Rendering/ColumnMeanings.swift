import PriceImpact
import Settlement
package import Tables

/// The columns of each table by the table's name, with their meanings.
package enum ColumnMeanings {
  /// Returns the columns of a table such as `churn`, `headlines` or `reconcile`; of a table of metrics without its
  /// keys.
  package static func columns(of table: String) -> [Definition.Column]? {
    TableKind(rawValue: table).map { Definition.definition(of: $0).columns }
      ?? PriceTable(rawValue: table)?.allColumns ?? HeadlineTable(rawValue: table)?.allColumns
      ?? SupportingTable(rawValue: table)?.allColumns
      ?? (table == "reconcile" ? Definition.reconcileColumns : nil)
  }

  /// Returns the meaning of a column in words, also of an added one, such as `net_proceeds_EUR`; blank without one.
  package static func meaning(of column: String, in table: String) -> String {
    let own = columns(of: table)?.first { $0.column.name == column }?.meaning
    if let own = own ?? keys[column] { return own.replacing("`", with: "") }
    let endings = ReportTable.changeEndings
    if column.hasSuffix(endings.before) {
      return "\(column.dropLast(endings.before.count)) of the earlier month."
    }
    if column.hasSuffix(endings.change) {
      return "The change of \(column.dropLast(endings.change.count)) since the earlier month."
    }
    let words = column.split(separator: "_")
    if let code = words.last, words.count > 1, code.allSatisfy({ $0.isUppercase }) {
      return "\(words.dropLast().joined(separator: "_")) in \(code)."
    }
    return ""
  }

  private static let keys = [
    "source": "Where the numbers come from, such as `subscribers`, `events` or `receipts`.",
    "month": "The month, or Apple's fiscal period.",
    "start_month": "The month in which the subscriptions began.",
    "start_quarter": "The quarter in which the subscriptions began.",
    "start_week": "The week in which the subscriptions began.",
    "currency": "The currency of the amounts; empty where there are none.",
    "product_id": "The id of the product: that of Apple, or the product id of receipts.",
    "dating": "Whether the amounts are dated by the sale or by the refund.",
    "basis": "`price`, what customers pay, or `proceeds`, what the developer gets.",
    "measure": "The number that tools define in several ways.",
    "tool": "The tool whose definition it is.",
    "axis": "`ours`, a step towards the other definition, or `theirs`.",
    "period": "Apple's fiscal period.", "region": "The region of Apple's settlement.",
    "app": "The app.", "group": "The subscription group.", "product": "The product.",
    "duration": "The length of a paid period.", "country": "The storefront.",
    "device": "The device of the purchase.", "client": "The client app of the purchase.",
    "offer": "How the subscriptions began: standard, trial, intro or offer.",
    "price": "The customer's price.", "proceeds_rate": "The developer's share of the price.",
    "preserved": "Whether the old price was kept.", "plan": "How the product is paid.",
    "contingent": "Whether another subscription makes the price cheaper.",
    "tenure": "How many paid periods came before the increase.",
  ]
}

extension ColumnMeanings {
  /// Returns what a table says, without marks: its sentence, and what to beware of; blank for a name of no table.
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
