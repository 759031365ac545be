package import SubscriptionModel

/// Makes small worlds in which everything that keeps sales and settlement apart happens often.
package struct RandomFinance: Sendable {
  private var random: SeededGenerator
  private var world = FinanceWorldBuilder()
  private var rows: [FiscalPeriod: [FinanceRow]] = [:]
  /// Whether the two reports may cut the day at different hours.
  private var shiftsDays = true

  /// The fiscal periods with sales; those before and after have none.
  package static let periods =
    FiscalPeriod(
      fiscalYear: 2026, period: 2)...FiscalPeriod(
      fiscalYear: 2026, period: 5)

  /// The day on which Bulgaria gets a region of its own in euros, within the third of them.
  private static let move = Month(year: 2026, month: 1).firstDay

  /// Creates a maker; the same seed makes the same world.
  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns a world.
  package mutating func make() -> FinanceWorldBuilder {
    world.openDays(Self.periods)
    shiftsDays = isLikely(1, of: 2)
    let (first, last) = (Self.periods.lowerBound.firstDay, Self.periods.upperBound.lastDay)
    if isLikely(1, of: 3) {
      for _ in 0..<4 { world.loseDay(first + Int.random(in: 0...(last - first), using: &random)) }
    }
    if isLikely(1, of: 8) {
      let lost = Self.periods.lowerBound + 1
      for number in lost.firstDay.number...lost.lastDay.number {
        world.loseDay(Day(number: number))
      }
    }
    for _ in 0..<Int.random(in: 10...80, using: &random) {
      // Close to the end of a period half of the time.
      var day = first + Int.random(in: -3...(last - first), using: &random)
      let item = item()
      if item.country == "BG", isLikely(2, of: 3) {
        day = Self.move + Int.random(in: -3...3, using: &random)
      } else if isLikely(1, of: 2) {
        day = FiscalPeriod(containing: day).lastDay + Int.random(in: -2...3, using: &random)
      }
      add(item, day)
    }
    file()
    return world
  }

  private mutating func item() -> FinanceWorldBuilder.Item {
    let storefronts = [
      ("US", "USD"), ("DE", "EUR"), ("FR", "EUR"), ("GB", "GBP"), ("BR", "USD"), ("BG", "EUR"),
    ]
    let (country, currency) = pick(storefronts)
    let share = isLikely(1, of: 12) ? 0 : pick([6_990, 8_490, 6_500] as [Int64])
    return FinanceWorldBuilder.Item().with {
      $0.product = pick(["6001", "6002"])
      ($0.country, $0.currency, $0.share) = (country, currency, share)
      $0.price = pick([9_990, 4_990])
    }
  }

  /// Adds units to both sides, to one, or to both with a difference.
  private mutating func add(_ item: FinanceWorldBuilder.Item, _ day: Day) {
    let isReturn = isLikely(1, of: 5)
    let units = Int.random(in: 1...3, using: &random)
    if !isLikely(1, of: shiftsDays ? 12 : 40) {
      let isCredit = isReturn && isLikely(1, of: 3)
      world.sell(
        item, day, units: units, isRefund: isReturn && !isCredit, isCredit: isCredit)
    }
    guard !isLikely(1, of: 8) else { return }
    let sold = day + (shiftsDays && isLikely(1, of: 5) ? pick([-1, 1]) : 0)
    let settled = sold + pick([0, 0, 0, 1, 1, 1, 2, 4, 9, 30])
    let share = isLikely(1, of: 8) ? pick([5_757, 8_488, 6_990, 1_000]) : item.share
    // What SALES has in dollars is settled in the country's own currency.
    let currency = item.country == "BR" && isLikely(5, of: 6) ? "BRL" : item.currency
    let row = world.row(
      item.with { ($0.share, $0.currency) = (share, currency) }, units: Int64(units),
      isReturn: isReturn, sold: sold, settled: settled)
    rows[FiscalPeriod(containing: settled), default: []].append(row)
  }

  /// Hands the rows out as files of all forms; some periods have no detail.
  private mutating func file() {
    for (period, rows) in rows.sorted(by: { $0.key < $1.key }) {
      let hasDetail = !isLikely(1, of: 4)
      if hasDetail { world.add(.detail, period, rows) }
      if !hasDetail || isLikely(1, of: 2) { world.add(.single, period, rows.map(\.withoutDays)) }
      guard isLikely(1, of: 2) else { continue }
      for (region, currency) in [("US", "USD"), ("EU", "EUR"), ("LL", "USD"), ("BG", "EUR")] {
        let own = rows.filter { row in
          let country = world.texts[Int(row.country)]
          let code = FinanceRegions.apple.region(
            country: country, currency: world.texts[Int(row.currency)],
            on: row.transactionDay ?? period.lastDay
          ).code
          return code == region && world.texts[Int(row.currency)] == currency
        }
        // Some files are missing.
        if !own.isEmpty, region != "BG" || isLikely(2, of: 3) {
          world.add(.region(region), period, own.map(\.withoutDays))
        }
      }
    }
  }

  private mutating func isLikely(_ part: Int, of whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &random) < part
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }
}

extension FinanceRow {
  /// The row as FINANCIAL has it.
  fileprivate var withoutDays: FinanceRow {
    var row = self
    (row.transactionDay, row.settlementDay) = (nil, nil)
    return row
  }
}
