package import SubscriptionModel

/// Makes small worlds in which everything that can happen to a subscriber happens often.
package struct RandomWorld: Sendable {
  private var random: SeededGenerator

  /// Creates a maker; the same seed makes the same world.
  package init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// Returns a world of some subscribers over a bit more than a year.
  package mutating func world(subscribers: ClosedRange<Int>) -> WorldBuilder {
    let first = day("2024-01-01") + Int.random(in: 0...40, using: &random)
    var asOf = first + Int.random(in: 150...420, using: &random)
    // Close to a month's end every third time: there a row's state is decided by days.
    if isLikely(1, of: 3) { asOf = asOf.month.lastDay + Int.random(in: -1...3, using: &random) }
    var world = WorldBuilder(firstFileDay: first, asOf: asOf)
    world.hasStopped = asOf.number % 6 == 0
    let hasTransfers = isLikely(1, of: 4)
    if hasTransfers { addTransfers(to: &world) }
    for _ in 0..<Int.random(in: subscribers, using: &random) {
      let rows = rows(first: first, asOf: asOf)
      world.add(hasTransfers ? inAnAccount(rows, world.transfers) : rows)
    }
    return world
  }

  /// Lets an app move once or twice.
  private mutating func addTransfers(to world: inout WorldBuilder) {
    let app = world.symbol("moved")
    var day = world.firstFileDay
    world.transfers.vendors = ["", "80000001", "80000002", "80000003"]
    world.transfers.vendorOfFile = [0, 1, 2, 3]
    for number in 1...(isLikely(1, of: 4) ? 2 : 1) as ClosedRange<UInt32> {
      day = day + Int.random(in: 20...120, using: &random)
      if isLikely(1, of: 3) { day = day.month.lastDay + Int.random(in: 0...2, using: &random) }
      let lastDay = day - 1 - (isLikely(1, of: 3) ? Int.random(in: 1...9, using: &random) : 0)
      world.transfers.all.append(
        AppTransfer(app: app, from: number, to: number + 1, on: day, lastDay: lastDay))
    }
  }

  /// Gives the rows of a subscriber an account, and keeps those that its files can have.
  private mutating func inAnAccount(_ rows: [Purchase], _ transfers: AppTransfers) -> [Purchase] {
    let vendor = pick(Array(1...transfers.all.count + 1))
    let isMoved = isLikely(3, of: 4)
    let first = transfers.all.first { Int($0.to) == vendor }?.day
    let last = transfers.all.first { Int($0.from) == vendor }?.day
    // Groups belong to an app.
    var own = rows.map { row in
      row.with {
        $0.vendor = vendor
        $0.app = isMoved ? "moved" : "other"
        if !isMoved { $0.group += " of the other" }
      }
    }
    guard isMoved else { return own }
    let days = (first.map { $0 - 1 } ?? .first)...(last.map { $0 + 2 } ?? .last)
    own = own.filter { days.contains($0.day) }
    if let first, isLikely(2, of: 3), let place = own.firstIndex(where: { $0.day < first + 32 }) {
      own[place].isIDReset = true
    }
    return own
  }

  /// Returns the days of a world without a file: mostly none, sometimes a few, sometimes a month or two.
  package mutating func missingDays(of world: WorldBuilder) -> Set<Day> {
    let days = world.asOf - world.firstFileDay
    switch Int.random(in: 0..<6, using: &random) {
    case 0: break
    case 1:
      let middle = world.firstFileDay + Int.random(in: 1..<days, using: &random)
      let length = middle.month.dayCount + (isLikely(1, of: 3) ? (middle.month + 1).dayCount : 0)
      return Set((0..<length).map { middle.month.firstDay + $0 })
        .filter { world.firstFileDay < $0 && $0 < world.asOf }
    default: return []
    }
    return Set(
      (0..<Int.random(in: 1...3, using: &random)).map { _ in
        world.firstFileDay + Int.random(in: 1..<days, using: &random)
      })
  }

  private mutating func rows(first: Day, asOf: Day) -> [Purchase] {
    var day = first + Int.random(in: -5...200, using: &random)
    if isLikely(1, of: 3) { day = day.month.lastDay - Int.random(in: 0...3, using: &random) }
    // Some keep the day on which they were bought, as after 31 January, 28 February, 31 March.
    let billingDay = isLikely(1, of: 2) ? day.dayOfMonth : nil
    var rows: [Purchase] = []
    var plan = self.plan(day)
    for number in 0..<Int.random(in: 1...9, using: &random) {
      if !isLikely(4, of: 5) { plan = self.plan(day) }
      var row = plan.with { $0.day = day }
      if number == 0 || isLikely(1, of: 8) { row = offered(row) }
      if number == 0, isLikely(1, of: 10) { row.isIDReset = true }
      if isLikely(1, of: 12) { row.units = 2 }
      rows.append(row)
      if isLikely(1, of: 5) { rows.append(refund(of: row)) }
      day = ReferenceCalendar.end(of: row.offerTerm ?? row.term, from: day)
      if let billingDay, row.term.months > 0, row.offerTerm == nil {
        day = ReferenceCalendar.billingDay(billingDay, inMonthOf: day)
      }
      day = day + gap()
      if day > asOf + 3 { break }
    }
    if isLikely(1, of: 3) { rows.shuffle(using: &random) }
    return rows
  }

  private mutating func isLikely(_ part: Int, of whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &random) < part
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  private mutating func plan(_ day: Day) -> Purchase {
    let plans: [(String, Term)] = [
      ("weekly", Term(days: 7)), ("monthly", Term(months: 1)), ("monthly", Term(months: 1)),
      ("plus", Term(months: 1)), ("quarterly", Term(months: 3)), ("yearly", Term(months: 12)),
    ]
    let (product, term) = pick(plans)
    let country = pick([("US", "USD"), ("US", "USD"), ("DE", "EUR"), ("JP", "JPY")])
    var row = Purchase(day, product: product, term: term)
    row.country = country.0
    row.currency = country.1
    row.proceedsCurrency = isLikely(1, of: 12) ? "USD" : nil
    row.price = pick([9_990, 9_990, 12_990, 980_000])
    row.proceeds = row.price * 7 / 10
    row.group = isLikely(1, of: 10) ? "extra" : "premium"
    return row
  }

  private mutating func offered(_ row: Purchase) -> Purchase {
    let terms = [Term(days: 3), Term(days: 7), Term(months: 1), Term(months: 2)]
    var row = row
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1: return row.asTrial(pick(terms))
    case 2:
      row.kind = .intro
      row.mode = pick([.payUpFront, .payAsYouGo])
    case 3:
      row = row.asTrial(pick(terms))
      row.kind = .offer
    case 4:
      row.kind = .offer
      row.mode = pick([.payUpFront, .payAsYouGo])
    default: return row
    }
    row.offerTerm = row.offerTerm ?? pick(terms)
    if row.price > 0 { row.price = 4_990 }
    if isLikely(1, of: 6) { row.optInTerm = pick(terms) }
    return row
  }

  /// Days from a period's end to the next charge: mostly none, often on the edge of a rule.
  private mutating func gap() -> Int {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3: 0
    case 4, 5: Int.random(in: -4...4, using: &random)
    case 6: pick([58, 59, 60, 61, 62, 63])
    case 7: Int.random(in: 5...57, using: &random)
    case 8: Int.random(in: -25 ... -3, using: &random)
    default: Int.random(in: 64...150, using: &random)
    }
  }

  private mutating func refund(of row: Purchase) -> Purchase {
    let days = pick([0, 1, 2, 5, 6, 7, 8, 20, 29, 30, 31, 32, 40, 90])
    var refund = row.refunded(on: row.day + days)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: refund.price -= 10
    case 1: refund.price += 1_000
    case 2: refund.units = 0
    case 3: refund.units = 2
    case 4: refund.purchaseDay = isLikely(1, of: 2) ? nil : row.day - 1
    case 5: refund.country = "FR"
    case 6: refund.isIDReset = true
    default: break
    }
    refund.price = max(0, refund.price)
    return refund
  }
}
