import Counting

/// The columns of `commitments`, from Subscriber reports; receipts have all but the proceeds.
extension ColumnMakeup {
  static let commitments: [Column] = {
    let first = [
      commitment("running", .running), commitment("suspended", .suspended),
      commitment("position_unknown", .positionUnknown), commitment("due", .due),
      commitment("paid", .paid), commitment("recovered", .recovered),
      commitment("defaulted", .defaulted), commitment("pending", .pending),
    ]
    let last = [
      commitment("terms_started", .termsStarted), commitment("terms_ended", .termsEnded),
      commitment("terms_renewed", .termsRenewed), commitment("remaining", .remaining),
      ("remaining_price", ColumnMakeup.money([.commitment(.remaining)], .price)),
      ("remaining_proceeds", ColumnMakeup.money([.commitment(.remaining)], .proceeds)),
    ]
    return first + rate("paid_rate", "paid", "due") + last
  }()

  private static func commitment(_ name: String, _ column: CommitmentColumn) -> Column {
    counts(name, .commitment(column))
  }
}
