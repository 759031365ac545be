import Counting
package import Storage
import SubscriptionModel

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

  /// Creates a tally without counts.
  ///
  /// - Parameter count: The number of planned prices.
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

  /// Adds the counts of another tally.
  ///
  /// - Parameter other: The tally of other chains, for the same planned prices.
  /// - Returns: Whether it has as many planned prices; if not, nothing has changed.
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
  ///
  /// - Parameter coder: Writes or reads.
  package mutating func code<Coder: ValueCoder>(with coder: inout Coder) {
    coder.list(&weeks, blank: [:]) { weeks, coder in
      coder.dictionary(&weeks, blank: (Day(number: 0), Week())) { monday, week, coder in
        coder.day(&monday)
        coder.count(&week.due)
        coder.count(&week.preflight)
      }
    }
    let blank = CurrentPrice(
      plan: .upfront, day: Day(number: 0), price: 0, term: Term(days: 0))
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
