import Storage

/// The rows behind the charges and refunds of the current subscriber, to name them.
extension ChainBuilder {
  /// Returns the row of a charge.
  ///
  /// - Parameter index: The index of the charge's period in ``periods``.
  /// - Returns: The row's place in the run, as ``ChargeRecord/order`` has it.
  package func row(ofPeriod index: Int) -> UInt64 { charges[index].order }

  /// Returns the row of a refund.
  ///
  /// - Parameter index: The index of the refund in ``refunds``.
  /// - Returns: The row's place in the run, as ``ChargeRecord/order`` has it.
  package func row(ofRefund index: Int) -> UInt64 {
    var next = 0
    for record in refundRecords {
      next += Int(max(1, record.units))
      if index < next { return record.order }
    }
    preconditionFailure("a refund has a row")
  }
}
