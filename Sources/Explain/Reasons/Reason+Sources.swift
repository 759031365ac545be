import Counting
import Pipeline
import Storage
import SubscriptionModel

// MARK: - Reports

extension Reason {
  /// Creates the reason of a contribution of Subscriber reports.
  ///
  /// - Parameters:
  ///   - one: The contribution.
  ///   - terms: The terms that periods refer to by index.
  ///   - names: The names of products and countries.
  ///   - days: The days that the data cover.
  ///   - month: The month of the row.
  init(
    _ one: Contribution<KeptCharges>, terms: [ChargeTerms], names: Names, _ days: Completeness,
    month: Month
  ) {
    let explained = { (period: Period) in ExplainedPeriod(period, terms[Int(period.terms)]) }
    data = Data(names: names, months: days.monthSystem, month: month, lastDay: days.asOf)
    (fact, count, outcome) = (one.counted, one.count, one.outcome)
    period = one.period.map(explained)
    before = one.before.map(explained)
    next = one.next.map(explained)
    nextStart = one.period?.nextStart.flatMap(Instant.init(startOf:))
    refundDay = one.refund
    let own = terms[Int(one.terms)]
    currency = own.proceeds.currency
    (asOf, firstDay) = (days.asOf, days.firstDay)
    receivedOn = days.transfers.transfer(of: own.attributes.app, to: one.rows.first)?.day
  }
}

// MARK: - Receipts

extension Reason {
  /// Creates the reason of a contribution of receipts.
  ///
  /// - Parameters:
  ///   - one: The contribution.
  ///   - names: The names of products and countries.
  ///   - receipts: The receipts of the run.
  ///   - month: The month of the row.
  init(
    _ one: Contribution<KeptReceipts>, names: Names, _ receipts: KeptReceipts, month: Month
  ) {
    let days = receipts.completeness
    data = Data(
      names: names, months: days.monthSystem, month: month, lastDay: days.asOf,
      toleranceSeconds: receipts.customers.settings.toleranceSeconds)
    (fact, count, outcome, knownOn) = (one.counted, one.count, one.outcome, one.knownOn)
    period = one.period
    before = one.before
    next = one.next
    nextStart = one.next?.start
    refundDay = one.period?.cancellation?.day
    currency = one.period?.currency ?? .blank
    (asOf, firstDay, receivedOn) = (one.asOf, days.firstDay, nil)
  }
}
