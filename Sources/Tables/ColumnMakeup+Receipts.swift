import Counting

/// The columns of rows from receipts.
extension ColumnMakeup {
  /// Returns the columns of a table that can be explained.
  ///
  /// They are those of Subscriber reports, with the reasons of churn, and without the proceeds, which receipts lack.
  static func columnsOfReceipts(in table: TableKind) -> [Column] {
    switch table {
    case .churn: columns(of: .churn) + reasons
    case .refunds, .proceeds, .commitments: columns(of: table).filter { !needsProceeds($0) }
    default: columns(of: table)
    }
  }

  private static let reasons: [Column] = [
    fact("churned_voluntary", .churnedVoluntary), fact("churned_billing", .churnedBilling),
    fact("churned_price", .churnedPrice), fact("churned_removed", .churnedRemoved),
    fact("churned_other", .churnedOther),
  ]

  private static func needsProceeds(_ column: Column) -> Bool {
    switch column.makeup {
    case .money(_, let measure): measure == .proceeds
    case .parts(let parts): parts.contains { $0.hasSuffix("_proceeds") }
    case .counts, .rank, .model: false
    }
  }
}
