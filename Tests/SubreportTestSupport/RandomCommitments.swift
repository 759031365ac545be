package import SubscriptionModel

/// Makes small worlds whose subscribers pay a product of one year upfront or in instalments, among other
/// products, and do everything that METRICS.md section 10 has a rule for.
package struct RandomCommitments: Sendable {
  /// How the reports say where an instalment is in its term.
  private enum Column: CaseIterable {
    case never, always, later
  }

  private var random: SeededGenerator
  private var column = Column.never
  private var columnDay = day("2026-01-01")
  private var first = day("2026-01-01")
  private var asOf = day("2026-01-01")
  /// The day of the month on which a subscriber is charged from term to term; `nil` if it follows the last charge.
  private var billingDay: Int?
  /// Whether rows may be dated after as-of.
  private let hasLateRows: Bool
  /// Whether only prices say which charges are instalments.
  private let isInferred: Bool
  /// Whether no price ever changes.
  private let isStable: Bool

  /// Creates a maker; the same seed makes the same world.
  ///
  /// - Parameters:
  ///   - seed: The seed.
  ///   - hasLateRows: Whether some rows are dated after as-of.
  ///   - isInferred: Whether only prices say which charges are instalments.
  ///   - isStable: Whether no price ever changes.
  package init(
    seed: UInt64, hasLateRows: Bool = true, isInferred: Bool = false, isStable: Bool = false
  ) {
    random = SeededGenerator(seed: seed)
    self.hasLateRows = hasLateRows
    self.isInferred = isInferred
    self.isStable = isStable
  }

  /// Returns a world of some subscribers over some months or some years.
  package mutating func world(subscribers: ClosedRange<Int>) -> WorldBuilder {
    // The reports begin before Apple sold instalments, on the edge, or later.
    let begin = pick(["2026-01-05", "2026-04-10", "2026-04-24", "2026-06-01", "2027-01-20"])
    first = day(begin) + Int.random(in: 0...6, using: &random)
    asOf = min(first + Int.random(in: 120...900, using: &random), day("2028-12-01"))
    if isLikely(1, of: 3) { asOf = asOf.month.lastDay + Int.random(in: -1...3, using: &random) }
    column = pick(Column.allCases)
    columnDay = first + Int.random(in: 0...300, using: &random)
    var world = WorldBuilder(firstFileDay: first, asOf: asOf)
    for _ in 0..<Int.random(in: subscribers, using: &random) { world.add(rows()) }
    return world
  }

  /// Returns the days of a world without a file: mostly none, sometimes a few.
  package mutating func missingDays(of world: WorldBuilder) -> Set<Day> {
    guard isLikely(1, of: 4) else { return [] }
    let days = world.asOf - world.firstFileDay
    return Set(
      (0..<Int.random(in: 1...3, using: &random)).map { _ in
        world.firstFileDay + Int.random(in: 1..<days, using: &random)
      })
  }

  // MARK: Subscribers

  /// Returns the rows of one subscriber: those of a history that may have begun before the first file.
  private mutating func rows() -> [Purchase] {
    var rows: [Purchase] = []
    var day = first + Int.random(in: -300...250, using: &random)
    if isLikely(1, of: 3) { day = day.month.lastDay - Int.random(in: 0...3, using: &random) }
    billingDay = isLikely(1, of: 2) ? day.dayOfMonth : nil
    let storefront = pick(
      [("US", "USD"), ("DE", "EUR"), ("DE", "EUR"), ("JP", "JPY"), ("CN", "CNY"), ("BR", "BRL")])
    let pricing = pick([Pricing.usual, .usual, .usual, .preserved, .contingent])
    for number in 0..<Int.random(in: 1...5, using: &random) where day <= asOf + 3 {
      var part = isLikely(3, of: 5) ? term(&day) : others(&day, isFirst: number == 0)
      for index in part.indices {
        part[index].country = storefront.0
        part[index].currency = storefront.1
        set(pricing, of: &part[index])
        setProceeds(of: &part[index])
      }
      rows += part
      if isLikely(1, of: 3) { day = day + gap() }
      if isLikely(1, of: 6) { break }
    }
    if isInferred { for index in rows.indices { hidePlan(of: &rows[index]) } }
    let last = hasLateRows ? asOf + 3 : asOf
    rows.removeAll { $0.day < first - 3 || $0.day > last }
    if !isStable, isLikely(1, of: 25), let country = rows.indices.randomElement(using: &random) {
      for index in country..<rows.endIndex {
        rows[index].country = "FR"
        rows[index].currency = "EUR"
      }
    }
    if isLikely(1, of: 12), !rows.isEmpty { rows[0].isIDReset = true }
    if isLikely(1, of: 12) { for index in rows.indices { rows[index].proceedsCurrency = "USD" } }
    if isLikely(1, of: 3) { rows.shuffle(using: &random) }
    return rows.isEmpty ? [upfront(asOf - 5)] : rows
  }

  /// How a customer's price of a year paid at once differs from that of others.
  private enum Pricing {
    case usual, preserved, contingent
  }

  private func set(_ pricing: Pricing, of row: inout Purchase) {
    guard row.kind == .standard, row.plan == .upfront, row.price == 60_000 else { return }
    switch pricing {
    case .usual: break
    case .preserved:
      row.isPreserved = true
      row.price = 50_000
    case .contingent:
      row.isContingent = true
      row.price = 48_000
    }
  }

  /// Gives the developer what the storefront's commission leaves: METRICS.md 10.8.
  private mutating func setProceeds(of row: inout Purchase) {
    let isSecondYear = isLikely(1, of: 4)
    let isNew: Bool
    switch row.country {
    case "CN": isNew = row.day >= day("2026-03-15")
    case "JP": isNew = row.day >= day("2025-12-18")
    case "BR": isNew = row.day >= day("2026-06-18")
    case "DE": isNew = row.day >= day("2026-10-01")
    default: isNew = false
    }
    let shares: (first: Int64, second: Int64) =
      isNew ? (row.country == "CN" ? (75, 88) : (74, 85)) : (70, 85)
    row.proceeds = row.price * (isSecondYear ? shares.second : shares.first) / 100
    row.proceedsRate = isSecondYear ? "after_one_year" : "standard"
  }

  private func hidePlan(of row: inout Purchase) {
    row.plan = .upfront
    row.position = 0
  }

  private mutating func isLikely(_ part: Int, of whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &random) < part
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  /// Days from a period's end to what comes next: mostly on the edge of a rule.
  private mutating func gap() -> Int {
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: Int.random(in: -5...5, using: &random)
    case 2: pick([58, 60, 61, 62, 88, 89, 90, 91, 92])
    case 3, 4: Int.random(in: 1...100, using: &random)
    case 5: Int.random(in: -25 ... -3, using: &random)
    default: Int.random(in: 93...200, using: &random)
    }
  }

  // MARK: Terms

  /// Returns the rows of a term and moves the day to the end of its last instalment.
  private mutating func term(_ day: inout Day) -> [Purchase] {
    var rows: [Purchase] = []
    var instalment = upfront(day)
    instalment.plan = .commitment
    instalment.price = isStable ? 6_000 : pick([6_000, 6_000, 6_000, 7_000])
    let count = isLikely(1, of: 2) ? 12 : Int.random(in: 1...11, using: &random)
    var runStart = day
    var numberInRun = 0
    for number in 1...count {
      instalment.day = day
      var row = instalment
      if number == 1, isLikely(1, of: 12) { row = offered(row) }
      if isStated(day) { row.position = UInt8(number) }
      if isLikely(1, of: 40) { row.units = 2 }
      rows.append(row)
      if isLikely(1, of: 40) { rows.append(row) }
      if isLikely(1, of: 12) { rows.append(refund(of: row, months: 1)) }
      if !isStable, isLikely(1, of: 60) { instalment.price = 8_000 }
      numberInRun += 1
      day = ReferenceCalendar.end(of: Term(months: Int16(numberInRun)), from: runStart)
      if let billingDay { day = ReferenceCalendar.billingDay(billingDay, inMonthOf: day) }
      guard number < count else { break }
      if isLikely(1, of: 8) { day = day + Int.random(in: -4...3, using: &random) }
      if isLikely(1, of: 14) {
        day = day + gap()
        runStart = day
        numberInRun = 0
      }
      if day <= instalment.day { day = instalment.day + 1 }
    }
    return rows
  }

  private func isStated(_ day: Day) -> Bool {
    switch column {
    case .never: false
    case .always: true
    case .later: day >= columnDay
    }
  }

  /// A term that begins with a price of its own: the column or the plan says that it is an instalment.
  private mutating func offered(_ row: Purchase) -> Purchase {
    row.with {
      $0.kind = pick([.offer, .intro])
      $0.mode = .payAsYouGo
      $0.offerTerm = Term(months: 1)
      $0.price = 3_000
    }
  }

  // MARK: Other charges

  private mutating func others(_ day: inout Day, isFirst: Bool) -> [Purchase] {
    var rows: [Purchase] = []
    if isLikely(isFirst ? 2 : 1, of: 4) {
      var row = upfront(day).asTrial(pick([Term(days: 3), Term(days: 7), Term(months: 1)]))
      row.plan = pick([.unknown, .unknown, .upfront, .commitment])
      if isLikely(1, of: 3) { row.kind = .offer }
      rows.append(row)
      day = ReferenceCalendar.end(of: row.offerTerm ?? row.term, from: day)
      if isLikely(1, of: 5) { day = day + Int.random(in: -4...6, using: &random) }
      return rows
    }
    var row = upfront(day)
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      row.product = "weekly"
      row.term = Term(days: 7)
      row.price = 2_490
    case 1, 2:
      row.product = "monthly"
      row.term = Term(months: 1)
      row.price = 9_990
    case 3:
      row.product = "annual"
    default: break
    }
    for _ in 0..<(row.term == .year ? 1 : Int.random(in: 1...5, using: &random)) {
      row.day = day
      rows.append(row)
      if isLikely(1, of: 10) { rows.append(refund(of: row, months: 3)) }
      day = ReferenceCalendar.end(of: row.term, from: day)
      if let billingDay, row.term.months > 0 {
        day = ReferenceCalendar.billingDay(billingDay, inMonthOf: day)
      }
      if isLikely(1, of: 6) { day = day + gap() }
      if day <= row.day { day = row.day + 1 }
    }
    return rows
  }

  private mutating func upfront(_ day: Day) -> Purchase {
    var row = Purchase(day, product: "yearly", term: .year)
    row.group = isLikely(1, of: 40) ? "extra" : "premium"
    row.price = 60_000
    return row
  }

  /// Returns a refund of a charge: on the edge of its period, inside it, or after it.
  private mutating func refund(of row: Purchase, months: Int) -> Purchase {
    let days = pick([0, 1, 2, 10, 20, 27, 28, 29, 30, 31, 32, 33, 45, 80])
    var refund = row.refunded(on: row.day + (days < 27 ? days : days * months))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: refund.price -= 10
    case 1: refund.units = 0
    case 2: refund.purchaseDay = row.day - 1
    default: break
    }
    return refund
  }
}
