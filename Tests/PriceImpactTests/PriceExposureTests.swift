import Counting
import PriceImpact
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Those who meet a price increase")
struct PriceExposureTests {
  /// The row of one subscriber in the US, whose price rises on 2024-07-01.
  private func row(
    _ days: [String], existing: String = "2024-07-01", asOf: String = "2024-12-31",
    change: (inout [Purchase]) -> Void = { _ in }
  ) -> [String: ReportTable.Cell] {
    var example = PriceExample(asOf: day(asOf))
    var rows = days.map { text in
      Purchase(day(text)).with { if $0.day >= day(existing) { $0.price = 12_500 } }
    }
    change(&rows)
    example.world.add(rows)
    example.changes[0].effectiveExisting = day(existing)
    return example.row()
  }

  @Test
  func `had a period at the old price that ended on the day or later`() {
    #expect(row(["2024-06-01", "2024-07-01"]).count("renewed_new_price") == 1)
    #expect(row(["2024-05-30", "2024-06-30", "2024-07-30"]).count("exposed") == 1)
    // Renewed a day early, at the old price: the next renewal is the one.
    #expect(row(["2024-06-02", "2024-06-30", "2024-07-30"]).count("renewed_new_price") == 1)
    // Gone before.
    #expect(row(["2024-05-01"]).count("exposed") == 0)
  }

  @Test
  func `were there before the change`() {
    #expect(row(["2024-07-01", "2024-08-01"]).count("exposed") == 0)
    #expect(row(["2024-06-30", "2024-07-30"]).count("exposed") == 1)
    // Existing subscribers meet it later; who came between is new.
    #expect(row(["2024-07-10", "2024-08-10"], existing: "2024-08-01").count("exposed") == 0)
    #expect(
      row(["2024-06-10", "2024-07-10", "2024-08-10"], existing: "2024-08-01")
        .count("renewed_new_price") == 1)
  }

  @Test
  func `paid the old price in the same storefront and currency`() {
    let changes: [(inout Purchase) -> Void] = [
      { $0.price = 9_000 }, { $0.country = "CA" }, { $0.currency = "CAD" }, { $0.product = "plus" },
      { $0.kind = .offer },
    ]
    for change in changes {
      let found = row(["2024-06-15", "2024-07-15"]) { change(&$0[0]) }
      #expect(found.count("exposed") == 0)
    }
  }

  @Test
  func `are left out after an immediate change or a full refund, and keep a preserved price`() {
    let changed = row(["2024-06-15", "2024-07-05"]) { $0[1].product = "plus" }
    #expect(changed.count("exposed") == 0)
    let refunded = row(["2024-06-15"]) { $0.append($0[0].refunded(on: day("2024-07-03"))) }
    #expect(refunded.count("exposed") == 0)
    let preserved = row(["2024-06-15", "2024-07-15"]) {
      $0[1].price = 10_000
      $0[1].isPreserved = true
    }
    #expect(preserved.count("exposed") == 0)
    #expect(preserved.count("preserved") == 1)
  }

  @Test
  func `are reached when the end is more than 2 days before as-of`() {
    // The end is 15 July.
    #expect(row(["2024-06-15"], asOf: "2024-07-17").count("not_reached") == 1)
    #expect(row(["2024-06-15"], asOf: "2024-07-18").count("pending") == 1)
    #expect(row(["2024-06-15"], asOf: "2024-09-13").count("lapsed") == 1)
    // Renewed already, and not reached all the same: those who left are not known yet.
    #expect(row(["2024-06-15", "2024-07-15"], asOf: "2024-07-17").count("not_reached") == 1)
  }

  @Test
  func `count once in exactly one outcome`() {
    let ends: [(String?, Int64, String, String)] = [
      ("2024-07-17", 12_500, "monthly", "renewed_new_price"),
      ("2024-07-15", 10_000, "monthly", "renewed_old_price"),
      ("2024-07-15", 11_000, "monthly", "renewed_other_price"),
      ("2024-07-15", 12_500, "plus", "changed_product"),
      ("2024-07-18", 12_500, "monthly", "recovered"),
      ("2024-09-13", 12_500, "monthly", "recovered"), ("2024-09-14", 12_500, "monthly", "lapsed"),
      (nil, 0, "", "lapsed"),
    ]
    for (next, price, product, outcome) in ends {
      let found = row(["2024-06-15"]) { rows in
        guard let next else { return }
        rows.append(
          rows[0].with {
            $0.day = day(next)
            $0.price = price
            $0.product = product
          })
      }
      #expect(found.count("reached") == 1)
      #expect(found.count(outcome) == 1, "\(outcome)")
    }
  }

  static let cheaper: [(Int64, Term, Int)] = [
    (9_990, Term(months: 1), 1), (10_000, Term(months: 1), 0), (2_250, Term(days: 7), 1),
    (2_350, Term(days: 7), 0), (119_990, Term(months: 12), 1), (120_010, Term(months: 12), 0),
  ]

  @Test(arguments: cheaper.indices)
  func `changed to something cheaper when it costs less a day`(index: Int) {
    let (price, term, count) = Self.cheaper[index]
    let found = row(["2024-06-15", "2024-07-15"]) {
      $0[1].product = "plus"
      $0[1].price = price
      $0[1].term = term
    }
    #expect(found.count("changed_product") == 1)
    #expect(found.count("changed_to_cheaper") == count)
  }

  @Test(arguments: [("2024-09-13", 1), ("2024-09-14", 0)])
  func `took the new price back within 60 days`(day text: String, count: Int) {
    let found = row(["2024-06-15", "2024-07-15"]) { $0.append($0[1].refunded(on: day(text))) }
    #expect(found.count("refunded_60d") == count)
  }

  @Test
  func `are told apart by tenure, start and offer`() {
    var example = PriceExample(asOf: day("2024-12-31"))
    let trial = Purchase(day("2024-03-08")).asTrial(Term(days: 7))
    let paid = (3...6).map { Purchase(day("2024-0\($0)-15")) }
    example.world.add([trial] + paid)
    #expect(example.row(.tenure).text("tenure") == "4–6")
    #expect(example.row(.startMonth).text("start_month") == "2024-03")
    #expect(example.row(.offer).text("offer") == "trial")
    example = PriceExample(asOf: day("2024-12-31"))
    example.world.add(paid)
    #expect(example.row(.tenure).text("tenure") == "unknown")
    #expect(example.row(.startMonth).text("start_month") == "before 2024-01")
    #expect(example.row(.offer).text("offer") == "unknown")
  }
}

@Suite("Consent to a price increase")
struct PriceConsentTests {
  static let cases: [([(String, Bool)], String)] = [
    ([], "notified"), ([("2024-06-01", true)], "notified"),
    ([("2024-06-01", false)], "consent_pending"),
    ([("2024-06-01", false), ("2024-06-20", true)], "consent_given"),
    ([("2024-06-01", false), ("2024-06-20", true), ("2024-06-25", false)], "consent_pending"),
    // About an increase of the year before.
    ([("2023-06-01", false)], "notified"),
  ]

  @Test(arguments: cases.indices)
  func `is what Apple said last around the renewal`(index: Int) throws {
    let (statements, expected) = Self.cases[index]
    var example = PriceExample()
    example.world.add(example.charges("US", to: 6))
    var chain = example.world.pricedChains()[0]
    for (text, isGiven) in statements {
      let instant = try #require(Instant(startOf: day(text)))
      chain.consents.append((madeAt: instant, isGiven: isGiven))
    }
    var fold = ImpactFold(
      changes: example.changes, completeness: example.world.completeness(), lastDay: nil)
    fold.add(chain, example.world.terms)
    let months = Month(year: 2023, month: 1)...Month(year: 2025, month: 1)
    let source = SourceReport(
      tally: Tally(source: .receipts, views: [[]], filter: Filter(), months: months),
      completeness: example.world.completeness())
    let report = PriceReport(source, changes: example.changes, impact: fold.tally)
    let table = PriceTableMaker([report], names: example.world.plainNames)
      .impactTable(view: .whole)
    let row = table.row(0)
    for name in ["consent_given", "consent_pending", "notified"] {
      #expect(row.count(name) == (name == expected ? 1 : 0), "\(name)")
    }
    #expect(row.count("consent_asked") == (expected == "notified" ? 0 : 1))
    // Receipts do not say what the developer is paid.
    #expect(row["proceeds_actual"] == .missing)
  }
}
