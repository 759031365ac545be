import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// A fraction in lowest terms, so that equal ones are equal.
private struct Fraction: Equatable, CustomStringConvertible {
  let numerator: Int128
  let denominator: Int128

  init(_ numerator: Int128, _ denominator: Int128 = 1) {
    var (larger, smaller) = (numerator.magnitude, denominator.magnitude)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    let sign: Int128 = denominator < 0 ? -1 : 1
    self.numerator = sign * numerator / Int128(larger)
    self.denominator = sign * denominator / Int128(larger)
  }

  init(_ counts: (n: Int, d: Int)) { self.init(Int128(counts.n), Int128(counts.d)) }

  var description: String { "\(numerator)/\(denominator)" }

  static func + (left: Fraction, right: Fraction) -> Fraction {
    Fraction(
      left.numerator * right.denominator + right.numerator * left.denominator,
      left.denominator * right.denominator)
  }
  static func * (left: Fraction, right: Fraction) -> Fraction {
    Fraction(left.numerator * right.numerator, left.denominator * right.denominator)
  }
  static func - (left: Fraction, right: Fraction) -> Fraction {
    left + Fraction(-right.numerator, right.denominator)
  }
}

/// The counts of a rate in two months.
private struct Counts: Equatable {
  var (n0, d0, n1, d1) = (0, 0, 0, 0)
}

@Suite("Drivers")
struct DriverTests {
  /// The formula of PAGE.md, as it stands there.
  private static func parts(_ own: Counts, of all: Counts) -> [Fraction] {
    let half = Fraction(1, 2)
    let (before, after) = (Fraction((all.n0, all.d0)), Fraction((all.n1, all.d1)))
    let (w0, w1) = (Fraction((own.d0, all.d0)), Fraction((own.d1, all.d1)))
    let total =
      Fraction((own.n1, all.d1)) - Fraction((own.n0, all.d0)) - (w1 - w0) * (before + after) * half
    guard own.d0 > 0, own.d1 > 0 else {
      var rate = Fraction(0)
      if own.d1 == 0 { rate = rate + Fraction((own.n1, all.d1)) }
      if own.d0 == 0 { rate = rate - Fraction((own.n0, all.d0)) }
      return [total - rate, rate, total]
    }
    let (r0, r1) = (Fraction((own.n0, own.d0)), Fraction((own.n1, own.d1)))
    let mix = (w1 - w0) * ((r0 + r1) * half - (before + after) * half)
    return [mix, (w0 + w1) * half * (r1 - r0), total]
  }

  private static func fraction(_ cell: ReportTable.Cell) -> Fraction? {
    guard case .ratio(let numerator, let denominator) = cell else { return nil }
    return Fraction(numerator, denominator)
  }

  private static func text(_ row: [ReportTable.Cell], _ column: Int) -> String {
    if case .text(let text) = row[column] { return text }
    return ""
  }

  /// The rates, their tables and columns.
  private static let rates: [(Headline, TableKind, numerator: String, denominator: String)] = [
    (.churnRate, .churn, "churned", "active_start"), (.renewalRate, .renewals, "renewed", "due"),
    (.conversionRate, .trials, "converted", "trials"),
    (.refundRate, .refunds, "refunds_full", "charges"),
  ]
  private static let views: [[Dimension]] = [[], [.product], [.country], [.offer], [.startMonth]]

  /// Returns the counts of a rate in a month by the value of a view.
  private static func counts(
    _ maker: TableMaker, _ rate: (Headline, TableKind, numerator: String, denominator: String),
    view: Int, _ month: Month
  ) throws -> [String: (n: Int, d: Int)] {
    let table = try maker.table(rate.1, view: view)
    let column = { (name: String) in table.columns.firstIndex { $0.name == name } }
    var counts: [String: (n: Int, d: Int)] = [:]
    for row in table.rows {
      guard let monthColumn = column("month"), text(row, monthColumn) == "\(month)",
        let numerator = column(rate.numerator), let denominator = column(rate.denominator),
        case .count(let n) = row[numerator], case .count(let d) = row[denominator]
      else { continue }
      if let dating = column("dating"), text(row, dating) != "sale" { continue }
      let value = views[view].first.flatMap { column($0.rawValue) }.map { text(row, $0) } ?? ""
      let sum = counts[value] ?? (0, 0)
      counts[value] = (sum.n + n, sum.d + d)
    }
    return counts
  }

  @Test(arguments: seeds(100))
  func `are the exact parts of each change, with the earlier month at the same age`(
    seed: UInt64
  ) throws {
    var random = RandomWorld(seed: seed)
    let world = random.world(subscribers: 20...60)
    let maker = world.tables(Self.views)
    var month = world.asOf.month
    if month.lastDay > world.asOf { month = month - 1 }
    let age = world.asOf - month.lastDay
    var then = world.until((month - 1).lastDay + age)
    then.asOf = (month - 1).lastDay + age
    let cut = then.tables(Self.views)
    var tables: [TableKind: [ReportTable]] = [:]
    for kind in TableKind.allCases where kind != .commitments {
      tables[kind] = try Self.views.indices.map { try maker.table(kind, view: $0) }
    }
    let headlines = HeadlineMaker(
      maker, tables: tables, month: month, months: .calendar, headlineSource: .subscribers)
    let drivers = headlines.drivers(
      against: [month - 1],
      by: [.movement] + [.product, .country, .offer, .startMonth].map(DriverSplit.of))
    let table = drivers.table
    let hold = drivers.checks.allSatisfy(\.holds)
    #expect(hold)
    // On a terminal the same rows stand in a table for each number and currency.
    let parts = DriverComparisons([(month, month - 1)], [drivers], .calendar).tables
    #expect(parts.flatMap(\.rows).count == table.rows.count)
    let wholes = drivers.readersTable.namedRows.filter { $0.text("dimension").isEmpty }
    #expect(parts.map { $0.namedRows[0].cell("total") } == wholes.map { $0.cell("total") })
    #expect(
      parts.map { $0.heading?.currency } == wholes.map { $0.text("currency") }
        && zip(parts, wholes).allSatisfy {
          $0.heading?.text.hasPrefix($1.text("measure")) == true
            && $0.namedRows[0].text("value") == "all"
        })
    // A month that is partial is compared with nothing, and a value's row is not worse than the whole's.
    let ofRates = table.rows.filter { Self.text($0, 2).hasSuffix("_rate") }
    #expect(!ofRates.contains { Self.text($0, 15) == "partial" })
    for rate in Self.rates {
      for (view, dimensions) in Self.views.enumerated() {
        let after = try Self.counts(maker, rate, view: view, month)
        let before = try Self.counts(cut, rate, view: view, month - 1)
        let wholes = try (
          Self.counts(cut, rate, view: 0, month - 1)[""],
          Self.counts(maker, rate, view: 0, month)[""]
        )
        let dimension = dimensions.first?.rawValue ?? ""
        let rows = table.rows.filter {
          // Conversions are those of the last decided month, which may be an earlier one.
          Self.text($0, 2) == rate.0.rawValue && Self.text($0, 6) == dimension
            && Self.text($0, 3) == "\(month)"
        }
        guard let first = wholes.0, let second = wholes.1, !rows.isEmpty else { continue }
        let all = Counts(n0: first.n, d0: first.d, n1: second.n, d1: second.d)
        var expected: [String: Counts] = [:]
        for (value, counts) in before {
          expected[value, default: Counts()].n0 = counts.n
          expected[value]?.d0 = counts.d
        }
        for (value, counts) in after {
          expected[value, default: Counts()].n1 = counts.n
          expected[value]?.d1 = counts.d
        }
        expected = expected.filter { $0.value != Counts() }
        #expect(Set(rows.map { Self.text($0, 7) }) == Set(expected.keys), "\(rate.0) \(dimension)")
        for row in rows {
          guard let own = expected[Self.text(row, 7)] else { continue }
          let found = [10, 11, 12].map { Self.fraction(row[$0]) }
          #expect(found == Self.parts(own, of: all), "\(rate.0) \(dimension) \(Self.text(row, 7))")
          let sizes = rows.compactMap { Self.fraction($0[12]) }.map {
            Double($0.numerator.magnitude) / Double($0.denominator)
          }
          #expect(sizes == sizes.sorted(by: >))
        }
      }
    }
  }

  /// The columns between `open` and `mrr` in METRICS.md 11.2, with their signs.
  private static let movements = [
    ("new", 1), ("first_seen", 1), ("reactivated", 1), ("recovered", 1), ("expansion_product", 1),
    ("expansion_offer", 1), ("expansion_price", 1), ("switched_in", 1),
    ("contraction_product", -1), ("contraction_offer", -1), ("contraction_price", -1),
    ("churned", -1), ("entered_retry", -1), ("switched_out", -1),
  ]

  @Test(arguments: seeds(100), [1, 3])
  func `of recurring revenue are its movements and its cohorts, to the milliunit`(
    seed: UInt64, distance: Int
  ) throws {
    var random = RandomWorld(seed: seed)
    let world = random.world(subscribers: 20...60)
    let maker = world.tables(Self.views)
    var month = world.asOf.month
    if month.lastDay > world.asOf { month = month - 1 }
    var tables: [TableKind: [ReportTable]] = [:]
    for kind in HeadlineMaker.tables {
      tables[kind] = try Self.views.indices.map { try maker.table(kind, view: $0) }
    }
    let rows = HeadlineMaker(
      maker, tables: tables, month: month, months: .calendar, headlineSource: .subscribers
    ).drivers(of: [.mrr], against: [month - distance], by: [.movement, .of(.product)]).rows
    let recurring = try #require(tables[.recurring]?.first).namedRows
      .filter { $0.text("basis") == "price" }
    let money = { (cell: ReportTable.Cell) -> Int128 in
      if case .money(let milliunits) = cell { milliunits } else { 0 }
    }
    for whole in rows where whole.split == nil {
      let own = recurring.filter { $0.text("currency") == whole.currency }
      let sum = { (column: String, months: [Month]) in
        own.filter { row in months.contains { row.text("month") == "\($0)" } }
          .reduce(Int128(0)) { $0 + money($1.cell(column)) }
      }
      let change = sum("mrr", [month]) - sum("mrr", [month - distance])
      #expect(money(whole.total) == change)
      let passed = (0..<distance).map { month - $0 }
      var expected: [String: Int128] = [:]
      for (column, sign) in Self.movements {
        let amount = Int128(sign) * sum(column, passed)
        if amount != 0 { expected[column] = amount }
      }
      for split in [DriverSplit.movement, .of(.product)] {
        let parts = rows.filter { $0.split == split && $0.currency == whole.currency }
        #expect(parts.reduce(Int128(0)) { $0 + money($1.total) } == change, "\(split)")
        guard split == .movement else { continue }
        #expect(
          Dictionary(uniqueKeysWithValues: parts.map { ($0.value, money($0.total)) }) == expected)
      }
    }
  }

  @Test
  func `of the example add up to the change of the whole`() {
    let all = Counts(n0: 14, d0: 200, n1: 33, d1: 300)
    let parts = [
      Counts(n0: 6, d0: 100, n1: 6, d1: 100), Counts(n0: 8, d0: 100, n1: 24, d1: 200),
      Counts(n0: 0, d0: 0, n1: 3, d1: 0),
    ].map { Self.parts($0, of: all)[2] }
    #expect(parts == [Fraction(1, 200), Fraction(1, 40), Fraction(1, 100)])
  }
}
