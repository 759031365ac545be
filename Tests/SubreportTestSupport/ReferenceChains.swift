import Storage
package import SubscriptionModel

/// One charge and the time it bought: what a `Period` must say.
package struct ReferencePeriod: Equatable, Sendable {
  /// The index of the charge's terms.
  package let terms: UInt32
  /// The charge's day.
  package let start: Day
  /// The first day after the period as it was bought.
  package let fullEnd: Day
  /// The first day after the period as it really ran.
  package let end: Day
  /// What ended it.
  package let ending: Period.Ending
  /// What came after it.
  package let fate: Period.Fate
  /// The day of the chain's next charge.
  package let nextStart: Day?
  /// The place in a term; `nil` for a charge that is no instalment, or has no length.
  package let instalment: ReferenceInstalment?
}

extension ReferencePeriod {
  /// Creates a copy of what the program found.
  package init(_ period: Period) {
    self.init(
      terms: period.terms, start: period.start, fullEnd: period.fullEnd, end: period.end,
      ending: period.ending, fate: period.fate, nextStart: period.nextStart,
      // A charge of no length has no place in a term.
      instalment: period.ending == .boughtAgainSameDay
        ? nil : ReferenceInstalment(period.instalment))
  }
}

/// One unit of a refund row: what a `Refund` must say.
package struct ReferenceRefund: Equatable, Sendable {
  /// The refund's own day.
  package let day: Day
  /// The index of the refund row's terms.
  package let terms: UInt32
  /// Whether the whole price was given back.
  package internal(set) var isFull: Bool
  /// The index of the charge it points at; `nil` when the sale is outside the input.
  package internal(set) var period: Int?
  /// The index of that charge's chain.
  package internal(set) var chain: Int?
}

extension ReferenceRefund {
  /// Creates a copy of what the program found.
  package init(_ refund: Refund) {
    self.init(
      day: refund.day, terms: refund.terms, isFull: refund.isFull, period: refund.charge?.period,
      chain: refund.charge?.chain)
  }
}

/// The obvious version of METRICS.md section 2, to compare with: every rule asks its question of the
/// whole list of charges again.
package struct ReferenceChains: Sendable {
  /// The subscriber's chains, by group.
  package private(set) var chains: [Chain] = []
  /// The charges, chain after chain.
  package private(set) var periods: [ReferencePeriod] = []
  /// The refunds, unit by unit, in file order.
  package private(set) var refunds: [ReferenceRefund] = []

  struct Charge {
    var record: ChargeRecord
    let terms: ChargeTerms
    let unit: Int
    var isRefunded = false
    var fullRefundDay: Day?

    var day: Day { Day(number: record.day) }

    var app: Symbol { terms.attributes.app }
    var vendor: UInt32 { UInt32(record.order >> 32) }
    var withoutReset: Charge {
      var charge = self
      charge.record.isIDReset = false
      return charge
    }

    /// METRICS.md 10.1: a free charge is no instalment.
    var isInstalment: Bool { terms.plan == .commitment && terms.price.milliunits > 0 }

    /// METRICS.md 2.2: the months of its period; `nil` where it is counted in days or has a marketing opt-in.
    var months: Int? {
      guard terms.optInTerm == nil else { return nil }
      var term = isInstalment ? Term(months: 1) : terms.standardTerm
      let runsForOffer = terms.offerMode == .freeTrial || terms.offerMode == .payUpFront
      if let offer = terms.offerTerm, runsForOffer { term = offer }
      return term.months > 0 ? Int(term.months) : nil
    }

    /// METRICS.md 10.1: another plan counts as another product.
    func isSameProduct(_ other: Charge) -> Bool {
      terms.attributes.product == other.terms.attributes.product && terms.plan == other.terms.plan
    }

    /// METRICS.md 10.2: days for which Apple retries billing.
    var retryDays: Int { isInstalment ? 90 : 60 }

    /// Rule 2: when the period ends, measured from its own day.
    var end: Day {
      if isInstalment { return ReferenceCalendar.end(of: Term(months: 1), from: day) }
      var end: Day
      let runsForOffer = terms.offerMode == .freeTrial || terms.offerMode == .payUpFront
      if let offer = terms.offerTerm, runsForOffer {
        end = ReferenceCalendar.end(of: offer, from: day)
      } else {
        end = ReferenceCalendar.end(of: terms.standardTerm, from: day)
      }
      if let optIn = terms.optInTerm { end = ReferenceCalendar.end(of: optIn, from: end) }
      return end
    }

    /// Rule 3, the unit last so that equal charges of one row keep their order.
    var sortKey: [Int64] {
      [
        Int64(terms.attributes.group), Int64(record.day), terms.price.milliunits > 0 ? 1 : 0,
        Int64(end.number), Int64(record.order), Int64(unit),
      ]
    }
  }

  /// Builds the history of one subscriber.
  ///
  /// - Parameters:
  ///   - records: The subscriber's records in any order.
  ///   - terms: The terms that records refer to by index.
  ///   - asOf: The day up to which the data are complete.
  ///   - firstFileDay: The report date of the first file.
  ///   - transfers: The apps that moved; the upper half of a record's order is its vendor.
  package init(
    _ records: [ChargeRecord], terms: [ChargeTerms], asOf: Day, firstFileDay: Day,
    transfers: AppTransfers = .none
  ) {
    var charges: [Charge] = []
    for record in records where !record.isRefund {
      for unit in 0..<Int(record.units) {
        charges.append(Charge(record: record, terms: terms[Int(record.terms)], unit: unit))
      }
    }
    charges.sort { $0.sortKey.lexicographicallyPrecedes($1.sortKey) }
    for record in records.filter(\.isRefund).sorted(by: { $0.order < $1.order }) {
      for _ in 0..<max(1, record.units) { refund(record, terms[Int(record.terms)], &charges) }
    }
    for index in charges.indices {
      let group = charges[index].terms.attributes.group
      let chain = charges.filter { $0.terms.attributes.group == group }
      guard index == periods.count else { continue }
      let received = transfers.all.first { $0.to == chain[0].vendor && $0.app == chain[0].app }
      let start = Self.start(of: charges[index], firstFileDay, receivedOn: received?.day)
      var new = Chain(start: start, periods: index..<index + chain.count)
      new.receivedOn = received?.day
      new.givenAway = transfers.all.first {
        $0.from == chain[chain.count - 1].vendor && $0.app == chain[chain.count - 1].app
      }
      chains.append(new)
      let isBeginningKnown =
        start == .known || (received?.day ?? firstFileDay) < Self.firstSaleOfInstalments
      periods += Self.periods(of: chain, isBeginningKnown: isBeginningKnown, asOf: asOf)
      if let transfer = new.givenAway { end(byTransfer: transfer) }
    }
    for index in refunds.indices {
      guard let period = refunds[index].period else { continue }
      refunds[index].chain = chains.firstIndex { $0.periods.contains(period) }
    }
  }

  // MARK: Rule 13

  /// Ends the last period if the old account's files could not show its renewal.
  private mutating func end(byTransfer transfer: AppTransfer) {
    guard let last = periods.last, last.nextStart == nil,
      transfer.lastDay - last.end < (last.ending == .refunded ? 0 : 2)
    else { return }
    periods[periods.count - 1] = ReferencePeriod(
      terms: last.terms, start: last.start, fullEnd: last.fullEnd,
      end: last.start > transfer.day ? last.start : transfer.day, ending: .transferred,
      fate: .running, nextStart: nil, instalment: last.instalment)
  }

  // MARK: Rule 9

  private mutating func refund(
    _ record: ChargeRecord, _ terms: ChargeTerms, _ charges: inout [Charge]
  ) {
    let price = terms.price.milliunits
    let possible = charges.indices.filter { index in
      let charge = charges[index]
      return charge.record.day == record.purchaseDay
        && charge.terms.attributes.product == terms.attributes.product
        && charge.terms.attributes.country == terms.attributes.country
        && charge.terms.price.milliunits > 0 && !charge.isRefunded
    }.sorted { charges[$0].record.order < charges[$1].record.order }
    let same = possible.first { charges[$0].terms.price.milliunits == price }
    let dearer = possible.first { charges[$0].terms.price.milliunits > price }
    var refund = ReferenceRefund(
      day: Day(number: record.day), terms: record.terms, isFull: record.units != 0)
    if let found = same ?? dearer ?? possible.first {
      if price < charges[found].terms.price.milliunits { refund.isFull = false }
      charges[found].isRefunded = true
      if refund.isFull { charges[found].fullRefundDay = refund.day }
      refund.period = found
    }
    refunds.append(refund)
  }

  // MARK: Rules 7 and 8

  private static func start(
    of charge: Charge, _ firstFileDay: Day, receivedOn: Day?
  ) -> Chain.Start {
    if let receivedOn {
      // Rule 13: the first file is that of the transfer, and an id that was reset says something only beyond it.
      let known = start(of: charge.withoutReset, receivedOn, receivedOn: nil)
      return known == .known && charge.record.isIDReset ? .idReset : known
    }
    guard !charge.record.isIDReset else { return .idReset }
    let terms = charge.terms
    if terms.kind == .trial { return .known }
    if terms.kind == .intro, terms.offerMode == .payUpFront { return .known }
    let edge: Day
    if terms.kind == .intro, let offer = terms.offerTerm {
      edge = ReferenceCalendar.end(of: offer, from: firstFileDay)
    } else {
      // METRICS.md 10.2: an instalment's standard duration is 1 Month, and its 60 days are 90.
      let term = charge.isInstalment ? Term(months: 1) : terms.standardTerm
      edge = ReferenceCalendar.end(of: term, from: firstFileDay) + charge.retryDays
    }
    return charge.day > edge ? .known : .before
  }

  // MARK: Rules 4, 5, 6 and 9

  /// Returns how the period of a charge really ended.
  static func ending(_ charge: Charge, fullEnd: Day, next: Charge?) -> (Day, Period.Ending) {
    if let refund = charge.fullRefundDay, refund >= charge.day, refund < fullEnd {
      guard let next else { return (refund, .refunded) }
      let isBeforeNext = refund < next.day
      let isOnNext = refund == next.day && refund != charge.day
      if isBeforeNext || isOnNext { return (refund, .refunded) }
    }
    guard let next, fullEnd - next.day > 2 else { return (fullEnd, .fullEnd) }
    if !next.isSameProduct(charge) { return (next.day, .changedProduct) }
    return (next.day, next.day == charge.day ? .boughtAgainSameDay : .oldBillingDay)
  }

  /// Returns what came after a period.
  static func fate(
    _ end: Day, _ ending: Period.Ending, next: Charge?, retryDays: Int, asOf: Day
  ) -> Period.Fate {
    if let next {
      let gap = next.day - end
      if gap <= 2 { return .continued }
      return gap <= retryDays ? .recovered : .reactivated
    }
    if ending == .refunded { return .openFinal }
    if asOf - end <= 2 { return .running }
    return asOf - end >= retryDays ? .openFinal : .openProvisional
  }
}
