import Counting
import Pipeline
import Storage
import SubscriptionModel

// MARK: - Reports

extension Reason {
  /// Creates the reason of a contribution of Subscriber reports to a row of a month.
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
  /// Creates the reason of a contribution of receipts to a row of a month.
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
