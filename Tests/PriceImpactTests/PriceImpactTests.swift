import PriceImpact
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("The impact of a price increase")
struct PriceImpactTests {
  /// 110 in the US, of whom 3, 3 and 4 leave in April, May and June; of the 100 who meet the new price 80
  /// go on.
  static func example(asOf: Day = day("2024-09-30")) -> PriceExample {
    var example = PriceExample(asOf: asOf)
    example.add(3, "US", lastIn: 3)
    example.add(3, "US", lastIn: 4)
    example.add(4, "US", lastIn: 5)
    example.add(60, "US", .renew(price: 12_500, proceeds: 8_750))
    example.add(10, "US", .renew(price: 12_500, proceeds: 10_625, rate: "after_one_year"))
    example.add(5, "US", .renew(price: 10_000, proceeds: 7_000))
    example.add(5, "US", .change(price: 8_000, proceeds: 5_600))
    example.add(13, "US", .leave)
    example.add(7, "US", .comeBack)
    example.addControl()
    return example
  }

  @Test
  func `counts who met it and what they did`() {
    let row = Self.example().row()
    let counts = [
      ("exposed", 100), ("not_reached", 0), ("preserved", 0), ("reached", 100),
      ("renewed_new_price", 70), ("renewed_old_price", 5), ("renewed_other_price", 0),
      ("changed_product", 5), ("changed_to_cheaper", 5), ("recovered", 7), ("lapsed", 13),
      ("pending", 0), ("refunded_60d", 0), ("baseline_due", 321), ("control_before_due", 180),
      ("control_after_due", 60), ("unmatched", 0),
    ]
    for (name, count) in counts { #expect(row.count(name) == count, "\(name)") }
    // SUBSCRIBER rows tell neither reasons nor consent.
    for name in ["lapsed_price_reason", "consent_asked", "notified"] {
      #expect(row[name] == .missing)
    }
    #expect(row.text("effective_existing") == "2024-07-01")
    #expect(row.text("origin") == "found")
    #expect(row.text("state") == "final")
  }

  @Test
  func `compares the change of the rate with that of the control`() {
    let row = Self.example().row()
    let rates = [
      ("renewal_rate", 0.8), ("renewal_low", 0.711171), ("renewal_high", 0.866633),
      ("baseline_rate", 0.968847), ("control_before_rate", 1), ("control_after_rate", 0.95),
      ("excess_churn", 0.118847), ("excess_low", 0.00639), ("excess_high", 0.21686),
    ]
    for (name, rate) in rates { #expect(row.rate(name) == rate, "\(name)") }
    #expect(row.text("control") == "storefronts")
    #expect(row.text("verdict") == "more_churn")
  }

  @Test
  func `splits the money to the milliunit`() {
    let row = Self.example().row()
    let amounts: [(String, Int128)] = [
      ("proceeds_actual", 694_250), ("proceeds_counterfactual", 643_193), ("price_effect", 122_500),
      ("volume_effect", -83_193), ("mix_effect", -7_000), ("share_effect", 18_750),
      ("net_effect", 32_307),
    ]
    for (name, amount) in amounts { #expect(row.money(name) == amount, "\(name)") }
    #expect(row.text("proceeds_currency") == "USD")
  }

  @Test
  func `says what loss the price bears, and what loss it met`() {
    let row = Self.example().row()
    let rates = [
      ("break_even_loss", 0.2), ("break_even_churn", 0.038941), ("observed_loss", 0.129344),
      ("observed_loss_low", 0.006955), ("observed_loss_high", 0.236013),
    ]
    for (name, rate) in rates { #expect(row.rate(name) == rate, "\(name)") }
    #expect(row.text("break_even_verdict") == "undecided")
  }

  @Test(arguments: [(31, 108_516), (33, 115_516)])
  func `rounds the counterfactual half to even`(count: Int, expected: Int) {
    var example = PriceExample()
    for _ in 0..<count {
      // Of two periods that ended in the 90 days one was renewed, and meets the price on 6 July.
      let quarter = Term(months: 3)
      example.world.add([Purchase(day("2024-03-05"), term: quarter)])
      example.world.add(
        ["2024-01-06", "2024-04-06"].map { text in
          Purchase(day(text), term: quarter).with { $0.proceeds = 7_001 }
        })
    }
    example.add(60, "DE", .renew(price: 10_000, proceeds: 7_000))
    let row = example.row()
    #expect(row.rate("baseline_rate") == 0.5)
    #expect(row.money("proceeds_counterfactual") == Int128(expected))
  }

  @Test
  func `shows counts only where fewer than 30 renewals were reached`() {
    var example = PriceExample()
    example.add(20, "US", .renew(price: 12_500, proceeds: 8_750))
    example.add(9, "US")
    example.addControl()
    let row = example.row()
    #expect(row.text("verdict") == "too_few")
    #expect(row.count("reached") == 29)
    #expect(row.count("baseline_due") == 87)
    for name in [
      "renewal_rate", "renewal_low", "baseline_rate", "control_before_rate", "control_after_rate",
      "excess_churn", "excess_low", "proceeds_currency", "net_effect", "break_even_loss",
      "break_even_churn", "observed_loss", "break_even_verdict",
    ] {
      #expect(row[name] == .missing, "\(name)")
    }
    example.add(1, "US")
    #expect(example.row().text("verdict") == "more_churn")
  }

  @Test
  func `has one row for an increase that nobody met`() {
    var example = PriceExample()
    example.addControl()
    let row = example.row()
    #expect(row.text("verdict") == "too_few")
    #expect(row.count("exposed") == 0)
    #expect(example.row(.tenure).isEmpty)
  }

  @Test
  func `makes no causal number where everybody met one`() {
    var example = Self.example()
    example.changes.append(example.increase("DE", "EUR", on: "2024-10-20"))
    let row = example.row()
    #expect(row.text("country") == "DE")
    let rows = example.rows()
    #expect(rows["US"]?.text("verdict") == "no_control")
    #expect(rows["US"]?.rate("renewal_rate") == 0.8)
    #expect(rows["US"]?.rate("baseline_rate") == 0.968847)
    #expect(rows["US"]?.rate("break_even_churn") == 0.038941)
    for name in [
      "control", "excess_churn", "proceeds_actual", "observed_loss", "break_even_verdict",
    ] {
      #expect(rows["US"]?[name] == .missing, "\(name)")
    }
  }

  static let kinds: [(PriceChange.Kind, String, String?)] = [
    (.glitch, "2024-07-10", "storefronts"), (.atDataEdge, "2024-07-10", "storefronts"),
    (.decrease, "2024-07-10", nil), (.overlap, "2024-03-03", nil),
    (.newCustomersOnly, "2024-10-29", nil), (.unconfirmed, "2024-10-30", "storefronts"),
    (.newStorefront, "2024-03-02", "storefronts"),
  ]

  @Test(arguments: kinds.indices)
  func `takes no control with a change within 120 days`(index: Int) {
    let (kind, date, control) = Self.kinds[index]
    var example = Self.example()
    var change = example.increase("DE", "EUR", on: date)
    change.kind = kind
    example.changes.append(change)
    #expect(example.rows()["US"]?.text("control") == control)
  }

  @Test
  func `takes other products of the same duration where no storefront is left`() {
    var example = Self.example()
    example.changes.append(example.increase("DE", "EUR"))
    let rows = (1...9).map { month in
      Purchase(day("2024-0\(month)-05"), product: "plus")
    }
    for _ in 0..<40 { example.world.add(rows) }
    let found = example.rows()["US"] ?? [:]
    #expect(found.text("control") == "products")
    // Those who changed to it met no price of it before.
    #expect(found.count("control_before_due") == 120)
    #expect(found.count("control_after_due") == 40)
  }

  @Test(arguments: [("2024-07-15", true), ("2024-07-16", false)])
  func `pools what was decided within 14 days`(date: String, isPooled: Bool) throws {
    var example = Self.example()
    example.changes.append(example.increase("DE", "EUR", on: date))
    example.addControl(country: "FR")
    let rows = example.rows()
    #expect((rows["*"] != nil) == isPooled)
    guard isPooled else { return }
    let row = try #require(rows["*"])
    #expect(row.text("currency") == "")
    #expect(row.text("effective") == "2024-07-01")
    #expect(row.count("exposed") == 157)
    #expect(row.count("baseline_due") == 321 + 180)
    // The storefront that is control for both counts once.
    #expect(row.count("control_before_due") == 180)
    #expect(row.count("control_after_due") == 60)
    #expect(row.rate("excess_churn") != nil)
    for name in ["old_price", "new_price", "net_effect", "break_even_loss"] {
      #expect(row[name] == .missing, "\(name)")
    }
  }

  @Test
  func `has no money in several currencies`() {
    var example = Self.example()
    example.world.add(
      example.charges("US", to: 6).map { row in row.with { $0.proceedsCurrency = "EUR" } })
    let row = example.row()
    #expect(row.count("reached") == 101)
    #expect(row.rate("excess_churn") != nil)
    #expect(row["proceeds_currency"] == .missing)
    #expect(row["net_effect"] == .missing)
  }

  @Test
  func `counts units in money, and subscriptions in everything else`() {
    var example = Self.example()
    let before = example.row()
    var rows = example.charges("US", to: 6)
    rows.append(
      rows[5].with {
        $0.day = day("2024-07-05")
        $0.price = 12_500
        $0.proceeds = 8_750
      })
    example.world.add(rows.map { row in row.with { $0.units = 3 } })
    let row = example.row()
    #expect(row.count("reached") == 101)
    #expect(row.money("proceeds_actual") == (before.money("proceeds_actual") ?? 0) + 26_250)
    #expect(row.money("price_effect") == (before.money("price_effect") ?? 0) + 5_250)
  }

  @Test
  func `is provisional while a refund may still come`() {
    // 5 July and 60 days are 3 September.
    let early = Self.example(asOf: day("2024-09-02")).row()
    #expect(early["refunded_60d"] == .missing)
    #expect(early.text("state") == "provisional")
    let late = Self.example(asOf: day("2024-09-03")).row()
    #expect(late.count("refunded_60d") == 0)
    #expect(late.text("state") == "final")
  }

  @Test(arguments: ["2024-04-10", "2024-07-20"])
  func `is partial where a day of its months is missing`(missing: String) {
    let example = Self.example()
    let tables = example.world.impactTables(example.changes, missing: [day(missing)])
    #expect(tables.impactTable(view: .whole).row(0).text("state") == "partial")
  }

  @Test
  func `counts months of 30 days from the change on`() {
    let example = Self.example()
    let table = example.world.impactTables(example.changes).impactMonthsTable()
    let treated = table.rows.indices.map(table.row).filter { $0.text("group") == "treated" }
    #expect(treated.map { $0.count("month") } == [-3, -2, -1, 0, 1, 2])
    #expect(treated.map { $0.count("due") }.prefix(4) == [110, 107, 104, 100])
    #expect(treated.map { $0.count("renewed") }.prefix(4) == [107, 104, 100, 80])
  }
}
