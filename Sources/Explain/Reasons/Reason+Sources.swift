import Counting
import Pipeline
import SubscriptionModel

// MARK: - Reports

extension Reason {
  /// Creates the reason of a contribution of Subscriber reports to a row of a month.
  init(
    _ one: Contribution, terms: [ChargeTerms], names: Names, _ days: Completeness, month: Month
  ) {
    let explained = { (period: Period) in ExplainedPeriod(period, terms[Int(period.terms)]) }
    data = Data(names: names, months: days.monthSystem, month: month, lastDay: days.asOf)
    (fact, count, outcome) = (one.counted, one.count, one.outcome)
    period = one.period.map(explained)
    before = one.before.map(explained)
    next = one.nextPeriod.map(explained)
    nextStart = one.period?.nextStart.flatMap(Instant.init(startOf:))
    refundDay = one.refundDay
    let own = terms[Int(one.terms)]
    currency = own.proceeds.currency
    (asOf, firstDay) = (days.asOf, days.firstDay)
    receivedOn = days.transfers.transfer(of: own.attributes.app, to: one.rows.first)?.day
  }
}

extension Contribution {
  /// What the next charge bought, from its day on.
  fileprivate var nextPeriod: Period? {
    guard var next = period, let nextTerms else { return nil }
    next.terms = nextTerms
    next.start = next.nextStart ?? next.end
    return next
  }
}

// MARK: - Receipts

extension Reason {
  /// Creates the reason of a contribution of receipts to a row of a month.
  init(_ one: ReceiptContribution, names: Names, _ receipts: KeptReceipts, month: Month) {
    let days = receipts.completeness
    data = Data(
      names: names, months: days.monthSystem, month: month, lastDay: days.asOf,
      toleranceSeconds: receipts.customers.settings.toleranceSeconds)
    let found = one.found
    (fact, count, outcome, knownOn) = (found.counted, found.count, found.outcome, found.knownOn)
    period = one.period
    before = one.before
    next = one.next
    nextStart = one.next?.start
    refundDay = one.period.cancellation?.day
    currency = one.period.currency
    (asOf, firstDay, receivedOn) = (one.asOf.day, days.firstDay, nil)
  }
}
