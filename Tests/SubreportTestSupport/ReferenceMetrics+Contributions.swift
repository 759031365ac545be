package import SubscriptionModel
package import Tables

/// The obvious version of what a cell counts: each charge is asked again whether the cell counts it.
extension ReferenceMetrics {
  /// Returns the periods, or the refunds, that a cell of counts is made of.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - table: The table.
  ///   - month: The row's month.
  ///   - cohort: The row's values of the dimensions.
  ///   - currency: The row's currency, in `refunds` and `proceeds`.
  ///   - isDatedBySale: Whether refunds count in the month of the sale, in `refunds`.
  /// - Returns: Texts such as `2024-03-01 to 2024-04-01`, or `refund 2024-03-05`, sorted.
  package func contributions(
    to column: String, of table: TableKind, month: Month, cohort: [String],
    currency: String? = nil, isDatedBySale: Bool = false
  ) -> [String] {
    let own = charges.filter { $0.cohort == cohort }
    let found: [Charge]
    switch table {
    case .churn: found = own.filter { isChurn($0, column, month) }
    case .renewals: found = own.filter { isDue($0, column, month) }
    case .lapses: found = own.filter { isLapse($0, column, month) }
    case .trials: found = own.filter { isTrial($0, column, month) }
    case .movement: found = movement(column, month, cohort)
    case .refunds where isOfCharges(column), .proceeds where isOfCharges(column):
      found = own.filter {
        $0.isPaid && $0.startMonth == month && symbols[Int($0.terms.proceeds.currency)] == currency
      }
    case .refunds, .proceeds:
      let returned = refunds.filter {
        (isDatedBySale ? $0.saleMonth : $0.month) == month && $0.cohort == cohort
          && symbols[Int($0.terms.proceeds.currency)] == currency
          && (column.hasPrefix("refunded_") || $0.refund.isFull == (column == "refunds_full"))
      }
      return returned.map { "refund \($0.refund.day)" }.sorted()
    default: preconditionFailure("\(table) cannot be explained yet")
    }
    return found.map { "\($0.period.start) to \($0.period.end)" }.sorted()
  }

  private func isOfCharges(_ column: String) -> Bool {
    column == "charges" || column.hasPrefix("gross_")
  }

  private func isChurn(_ charge: Charge, _ column: String, _ month: Month) -> Bool {
    if column == "active_start" { return charge.isActive(on: monthSystem.firstDay(of: month) - 1) }
    guard charge.endMonth == month, charge.isPaid, charge.isChurn else { return false }
    return switch column {
    case "churned": true
    case "churned_refund": charge.period.ending == .refunded
    case "churned_unknown": charge.period.ending != .refunded
    case "churned_provisional": charge.period.fate == .openProvisional
    default: preconditionFailure("no column \(column)")
    }
  }

  private func isDue(_ charge: Charge, _ column: String, _ month: Month) -> Bool {
    guard charge.endMonth == month, charge.isPaid, charge.period.end <= asOf,
      ![.changedProduct, .boughtAgainSameDay, .refunded, .transferred]
        .contains(charge.period.ending)
    else { return false }
    return switch column {
    case "due": true
    case "renewed": charge.period.fate == .continued
    case "recovered": charge.period.fate == .recovered
    case "lapsed": [.reactivated, .openFinal].contains(charge.period.fate)
    case "pending": [.openProvisional, .running].contains(charge.period.fate)
    default: preconditionFailure("no column \(column)")
    }
  }

  private func isLapse(_ charge: Charge, _ column: String, _ month: Month) -> Bool {
    guard charge.endMonth == month, charge.isPaid, charge.isLapse else { return false }
    return switch column {
    case "lapses": true
    case "recovered": charge.period.fate == .recovered
    case "reactivated": charge.period.fate == .reactivated
    case "open_final": charge.period.fate == .openFinal
    case "open_provisional": charge.period.fate == .openProvisional
    default: preconditionFailure("no column \(column)")
    }
  }

  private func isTrial(_ charge: Charge, _ column: String, _ month: Month) -> Bool {
    guard charge.startMonth == month, charge.terms.kind == .trial else { return false }
    var outcome = "not_converted"
    if charge.indexInChain + 1 < charge.chainCharges.count {
      let next = charges[charge.chainCharges.lowerBound + charge.indexInChain + 1]
      if next.isPaid, next.period.start - charge.period.end <= 60 { outcome = "converted" }
    } else if asOf - charge.period.end < 60 || charge.period.ending == .transferred {
      outcome = "pending"
    }
    return column == "trials" || column == outcome
  }

  private func movement(_ column: String, _ month: Month, _ cohort: [String]) -> [Charge] {
    let own = charges.filter { $0.cohort == cohort && $0.isPaid }
    switch column {
    case "open": return own.filter { $0.isActive(on: monthSystem.firstDay(of: month) - 1) }
    case "close_observed": return own.filter { $0.isActive(on: monthSystem.lastDay(of: month)) }
    case "churned": return own.filter { $0.endMonth == month && $0.isChurn }
    case "entered_retry": return own.filter { $0.endMonth == month && $0.isLapse && !$0.isChurn }
    case "switched_out":
      return charges.filter { $0.nextMonth == month && switches($0, cohort).isOut }
        + own.filter { $0.endMonth == month && $0.period.ending == .transferred }
    case "switched_in":
      let before = charges.filter { $0.nextMonth == month && switches($0, cohort).isIn }
      return before.map { charges[$0.chainCharges.lowerBound + $0.indexInChain + 1] }
    default: return own.filter { $0.startMonth == month && arrival(of: $0) == column }
    }
  }
}
