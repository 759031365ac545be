package import Counting
package import Storage
package import SubscriptionModel

/// Counts of subscriptions that would meet planned prices, by week.
///
/// Tallies of parts of the chains merge in any order.
package struct PlanTally: Sendable {
  /// The renewals of one week.
  struct Week: Equatable, Sendable {
    var due = 0
    var preflight = 0
  }

  /// The price charged last, with its day, plan and duration.
  struct CurrentPrice: Equatable, Sendable {
    var plan: BillingPlan
    var day: Day
    var price: Int64
    var term: Term

    /// Returns the one of two prices that counts as current.
    ///
    /// An upfront price precedes one of instalments; then the later, the higher, the one for the longer duration.
    static func newer(_ left: CurrentPrice, _ right: CurrentPrice) -> CurrentPrice {
      let order = [left, right].map {
        ($0.plan == .upfront ? 1 : 0, $0.day, $0.price, $0.term.months)
      }
      return order[0] < order[1] ? right : left
    }
  }

  /// For each planned price, the weeks by their Mondays.
  private(set) var weeks: [[Day: Week]]
  /// For each planned price, the price it replaces; `nil` if no standard price was charged.
  private(set) var current: [CurrentPrice?]

  /// Creates a tally without counts, for so many planned prices.
  package init(count: Int) {
    weeks = [[Day: Week]](repeating: [:], count: count)
    current = [CurrentPrice?](repeating: nil, count: count)
  }

  mutating func add(_ week: Week, on monday: Day, planned: Int) {
    weeks[planned][monday, default: Week()].due += week.due
    weeks[planned][monday, default: Week()].preflight += week.preflight
  }

  mutating func updateCurrent(_ charged: CurrentPrice, planned: Int) {
    current[planned] = current[planned].map { CurrentPrice.newer($0, charged) } ?? charged
  }

  /// Adds the counts of another tally for the same planned prices; returns `false` and adds nothing if it has another
  /// number of them.
  @discardableResult
  package mutating func merge(_ other: PlanTally) -> Bool {
    guard weeks.count == other.weeks.count else { return false }
    for planned in weeks.indices {
      for (monday, week) in other.weeks[planned] { add(week, on: monday, planned: planned) }
      if let charged = other.current[planned] { updateCurrent(charged, planned: planned) }
    }
    return true
  }

  /// Writes the tally, or reads one into a tally without planned prices.
  package mutating func code<Coder: ValueCoder>(with coder: inout Coder) {
    coder.list(&weeks, blank: [:]) { weeks, coder in
      coder.dictionary(&weeks, blank: (Day(number: 0), Week())) { monday, week, coder in
        coder.day(&monday)
        coder.count(&week.due)
        coder.count(&week.preflight)
      }
    }
    let blank = CurrentPrice(plan: .upfront, day: Day(number: 0), price: 0, term: Term(days: 0))
    coder.list(&current, blank: nil) { price, coder in
      coder.optional(&price, blank: blank) { $0.code(with: &$1) }
    }
    if weeks.count != current.count { coder.fail() }
  }
}

extension PlanTally.CurrentPrice {
  fileprivate mutating func code(with coder: inout some ValueCoder) {
    coder.word(&plan)
    coder.day(&day)
    coder.integer(&price)
    term.code(with: &coder)
  }
}

/// Counts the renewals at which running subscriptions would meet planned prices.
///
/// METRICS.md section 6, "Before a change".
package struct PlanFold: Sendable {
  /// The counts so far.
  package private(set) var tally: PlanTally

  /// Apple may check a renewal up to this number of days before it, so a price set later may not apply to it.
  private static let preflightDays = 10

  package let planned: [PlannedPrice]
  private let indicesOfKey: [StorefrontKey: [Int]]

  /// Creates a fold without counts.
  package init(_ planned: [PlannedPrice]) {
    self.planned = planned
    indicesOfKey = Dictionary(grouping: planned.indices) { planned[$0].key }
    tally = PlanTally(count: planned.count)
  }

  /// Returns whether charges with these terms matter for any planned price: standard paid terms of its product,
  /// storefront, currency and plan.
  ///
  /// A chain without such a charge need not be added.
  package func concerns(_ terms: ChargeTerms) -> Bool {
    terms.isStandardPaid && !indices(of: terms).isEmpty
  }

  /// Returns the indices of the planned prices for a charge's product, storefront, currency and plan.
  private func indices(of terms: ChargeTerms) -> [Int] {
    (indicesOfKey[StorefrontKey(terms)] ?? []).filter {
      planned[$0].plan.map { $0 == terms.plan } ?? true
    }
  }

  /// Adds a chain; a commitment meets the price at the end of its term.
  package mutating func add(_ chain: PricedChain, _ terms: [ChargeTerms]) {
    for charge in chain.charges
    where concerns(terms[Int(charge.terms)]) && !charge.hasNoPlaceInTerm {
      let own = terms[Int(charge.terms)]
      guard !own.isPreserved else { continue }
      let charged = PlanTally.CurrentPrice(
        plan: own.plan, day: charge.start, price: own.price.milliunits, term: charge.term(own))
      for index in indices(of: own) { tally.updateCurrent(charged, planned: index) }
    }
    guard let last = chain.charges.last, last.fate == .running, last.ending != .transferred,
      !last.hasNoPlaceInTerm, concerns(terms[Int(last.terms)])
    else { return }
    let own = terms[Int(last.terms)]
    for index in indices(of: own)
    where own.price.milliunits < planned[index].newPrice {
      let renewal = last.renewal(onOrAfter: planned[index].date, every: last.term(own))
      let daysLeft = renewal - chain.asOf
      tally.add(
        PlanTally.Week(due: 1, preflight: daysLeft <= Self.preflightDays ? 1 : 0),
        on: renewal - renewal.weekday, planned: index)
    }
  }
}

extension PricedCharge {
  /// Returns the first renewal on a day or later, if the subscription renews until then.
  fileprivate func renewal(onOrAfter day: Day, every term: Term) -> Day {
    var renewal = end
    var count: Int16 = 0
    while renewal < day, term.days + term.months > 0 {
      count += 1
      // Add all months to the first end at once: month by month, 31 January would become the 28th of later months.
      let whole =
        term.months > 0 ? Term(months: term.months * count) : Term(days: term.days * count)
      renewal = end.adding(whole)
    }
    return renewal
  }
}
