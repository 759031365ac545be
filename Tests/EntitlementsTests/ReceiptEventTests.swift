import Entitlements
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// METRICS.md 3.4 to 3.6, 3.13 and 3.14: events, groups and what is no subscription.
@Suite("Events of receipts")
struct ReceiptEventTests {
  static let month = Bought("2024-01-01", "2024-02-01")

  /// The number of periods that a customer's copies make.
  private func periods(_ copies: [Bought], apart: Bool = false) -> Int {
    var world = ReceiptWorld()
    if apart {
      for copy in copies { world.add("2024-05-01", [copy]) }
    } else {
      world.add("2024-05-01", copies)
    }
    return world.rows(.timeline).rows.count
  }

  @Test
  func `are one by line item and second, whatever the transaction id`() {
    let copies = ["1", "2", "3"].map { id in Self.month.with { $0.transaction = id } }
    #expect(periods(copies) == 1)
    #expect(
      periods([copies[0], copies[1].with { $0.start = instant("2024-01-01T00:00:01") }]) == 2)
    #expect(periods([copies[0], copies[1].with { $0.ownership = .family }]) == 2)
  }

  @Test
  func `are one by transaction id and second, without a line item by the transaction id alone`() {
    let copy = Self.month.with { ($0.transaction, $0.line) = ("1", "8") }
    let later = copy.with { $0.start = instant("2024-01-01T00:00:05") }
    #expect(periods([copy, copy.with { $0.line = "9" }]) == 1)
    #expect(periods([copy, later.with { $0.line = "9" }]) == 2)
    #expect(periods([copy, later.with { $0.line = "0" }]) == 1)
  }

  @Test
  func `without ids are one by original id, product and second`() {
    let copy = Self.month.with { ($0.transaction, $0.line) = ("", "") }
    #expect(periods([copy, copy, Self.month]) == 1)
    #expect(periods([copy, copy.with { $0.product = "yearly" }]) == 2)
    let placeholder = copy.with { $0.original = "000" }
    #expect(periods([placeholder, placeholder]) == 1)
    #expect(periods([placeholder, placeholder], apart: true) == 2)
  }

  @Test
  func `take each field from the last copy that states it, and OR their flags`() {
    var world = ReceiptWorld()
    let old = Self.month.with {
      $0.price = 9_990
      $0.flags = .trial
    }
    world.add("2024-01-02", [old])
    world.add("2024-01-03", [Self.month.with { $0.expires = instant("2024-02-05") }])
    world.add("2024-01-04", [Self.month.with { $0.expires = nil }])
    let row = world.rows(.timeline).texts(["expires", "price", "kind"])
    #expect(row == ["2024-02-05T00:00:00Z", "9990", "trial"])
  }

  @Test
  func `of one moment are ordered by origin: in_app, latest, V2`() {
    var world = ReceiptWorld()
    let copies = [
      (TransactionCopy.Origin.v2, "2024-02-03"), (.inApp, "2024-02-09"), (.latest, "2024-02-05"),
    ]
    world.add(
      "2024-01-03",
      copies.map { origin, end in
        Self.month.with { ($0.origin, $0.expires) = (origin, instant(end)) }
      })
    #expect(world.rows(.timeline).texts(["expires"]) == ["2024-02-03T00:00:00Z"])
  }

  static let reversals: [(TransactionCopy.Origin, Bool, String, String)] = [
    (.v2, true, "2024-01-20", ""), (.latest, true, "2024-01-20", "full"),
    (.v2, true, "2024-01-10", "full"), (.v2, false, "2024-01-20", "full"),
  ]

  @Test(arguments: reversals)
  func `lose a refund only by newer signed V2 data without it`(
    origin: TransactionCopy.Origin, isSigned: Bool, madeAt: String, refunded: String
  ) {
    var world = ReceiptWorld()
    world.add("2024-01-15", [Self.month.with { $0.cancellation = instant("2024-01-14") }])
    world.add(madeAt, [Self.month.with { ($0.origin, $0.isSigned) = (origin, isSigned) }])
    #expect(world.rows(.timeline).texts(["refunded"]) == [refunded])
  }

  @Test
  func `take the ownership of the same transaction in their response`() {
    var world = ReceiptWorld()
    let family = Self.month.with { $0.ownership = .family }
    let copy = Self.month.with { ($0.ownership, $0.origin, $0.line) = (.missing, .inApp, "other") }
    world.add("2024-05-01", [copy, family])
    #expect(world.rows(.timeline).texts(["ownership"]) == ["family"])
  }

  @Test
  func `find their group in the config, then by original id, then by app and product`() {
    let nameless = Self.month.with { $0.group = "" }
    var world = ReceiptWorld()
    world.add("2024-05-01", [nameless])
    #expect(world.rows(.chains).texts(["group"]) == [""])
    world.add("2024-05-01", [Self.month.with { $0.original = "200" }])
    #expect(world.rows(.chains).texts(["group"]) == ["premium"])
    world.add(
      "2024-05-01",
      [Bought("2023-01-01", "2023-02-01").with { ($0.group, $0.product) = ("sport", "x") }])
    #expect(world.rows(.chains).texts(["group", "first_start"], row: 0)[0] == "sport")
    world.groups[world.symbol("monthly")] = world.symbol("configured")
    #expect(world.rows(.chains).texts(["group"]) == ["configured"])
  }

  @Test
  func `have the group that another product of their original id has elsewhere`() {
    var world = ReceiptWorld()
    let month = Bought("2024-01-01", "2024-02-01")
    let year = Bought("2024-01-20", "2025-01-20").with { $0.product = "yearly" }
    world.add("2024-06-01", [month.with { $0.group = "" }, year.with { $0.group = "" }])
    world.add("2024-06-01", [month.with { ($0.original, $0.group) = ("900", "found") }])
    let table = world.rows(.timeline)
    #expect(Set(table.texts(["group"])) == ["found"])
    #expect(table.texts(["fate"], row: 0) == ["upgraded"])
  }

  @Test
  func `of a product that other customers have in two groups stay without a group`() {
    var world = ReceiptWorld()
    world.add("2024-05-01", [Self.month.with { $0.group = "" }])
    for (id, group) in [("200", "a"), ("300", "b")] {
      world.add("2024-05-01", [Self.month.with { ($0.original, $0.group) = (id, group) }])
    }
    #expect(world.rows(.chains).texts(["group"]) == [""])
  }

  /// Type, expiry, whether a duration is configured; kind, end and state of the period.
  static let others: [(TransactionCopy.ProductType, String?, Bool, [String])] = [
    (.nonRenewing, nil, false, ["non-renewing", "", "duration unknown"]),
    (.nonRenewing, nil, true, ["non-renewing", "2024-01-08T00:00:00Z", "lapsed"]),
    (.missing, nil, true, ["non-renewing", "2024-01-08T00:00:00Z", "lapsed"]),
    (.missing, nil, false, ["(none)", "(none)", "(none)"]),
    (.other, nil, false, ["(none)", "(none)", "(none)"]),
    (.free, nil, false, ["free", "", "active"]),
    (.missing, "2024-01-01", false, ["(none)", "(none)", "(none)"]),
  ]

  @Test(arguments: others)
  func `without an expiry are what their type or the config says`(
    type: TransactionCopy.ProductType, expires: String?, isConfigured: Bool, expected: [String]
  ) {
    var world = ReceiptWorld()
    if isConfigured { world.durations[world.symbol("monthly")] = Term(days: 7) }
    let bought = Bought("2024-01-01", expires).with { $0.type = type }
    world.add("2024-05-01", [bought])
    #expect(
      world.rows(.timeline).texts(["kind", "end"]) + world.rows(.chains).texts(["state"])
        == expected)
  }

  @Test
  func `are counted for the health of the run`() {
    var world = ReceiptWorld()
    world.durations[world.symbol("pass")] = Term(days: 7)
    let pass = Bought("2024-01-01").with { ($0.product, $0.original) = ("pass", "400") }
    world.add(
      "2024-05-01",
      [
        Self.month, Self.month.with { $0.group = "other" },
        Self.month.with { ($0.original, $0.ownership) = ("200", .family) },
        Self.month.with { ($0.original, $0.product, $0.group) = ("300", "plain", "") },
        Bought("2024-01-02").with { $0.product = "coins" },
        Bought("2024-01-03", "2024-01-03"), pass, pass.with { $0.start = instant("2024-01-05") },
      ])
    let customers = world.customers()
    var history = ReceiptHistory(customers)
    history.build(0)
    var expected = ReceiptSummary()
    expected.chainsWithoutGroup = 1
    expected.familyChains = 1
    expected.conflicts = 1
    expected.withoutExpiry = 1
    expected.withoutLength = 1
    expected.overlaps = 1
    expected.unpricedCharges = 2
    #expect(history.summary == expected)
  }
}
