import Entitlements
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// METRICS.md section 9: `access.csv`.
@Suite("Access to content")
struct ReceiptAccessTests {
  /// A magazine with an issue on the first of each month.
  static let issues = [
    "2020-01-01", "2020-02-01", "2020-03-01", "2020-04-01", "2020-05-01", "2020-06-01",
    "2020-07-01", "2020-08-01",
  ].map { ContentItem(id: String($0.prefix(7)), published: instant($0)) }

  private func access(_ world: ReceiptWorld, _ items: [ContentItem] = issues) -> [String] {
    let table = world.rows(.access, items)
    return table.rows.indices.map { row in
      let cells = table.texts(["content", "reason"], row: row)
      return cells[1] == "current at start" ? cells[0] + " at start" : cells[0]
    }
  }

  @Test
  func `is that of Apple's worked example of a magazine`() {
    var world = ReceiptWorld()
    let purchases = [
      Bought("2020-02-20", "2020-03-20"), Bought("2020-03-20", "2020-04-20"),
      Bought("2020-06-17", "2020-07-17"),
    ]
    world.add("2020-12-01", purchases)
    #expect(
      access(world) == [
        "2020-02 at start", "2020-03", "2020-04", "2020-06 at start", "2020-07",
      ])
    let timeline = world.rows(.timeline)
    #expect(timeline.texts(["active_period", "fate"], row: 1) == ["1", "recovered"])
    #expect(timeline.texts(["gap_before_seconds"], row: 2) == ["\(58 * 86_400)"])
    let row = world.rows(.access, Self.issues).rows[1].map(\.text)
    #expect(
      row == [
        "original:100", "2020-03", "2020-03-01T00:00:00Z", "published during period",
        "2020-02-20T00:00:00Z", "2020-04-20T00:00:00Z",
      ])
  }

  @Test
  func `is not given by refunded or revoked periods, nor after as-of`() {
    var world = ReceiptWorld()
    let refunded = Bought("2020-02-20", "2020-03-20").with {
      $0.cancellation = instant("2020-03-10")
    }
    world.add("2020-04-15", [refunded, Bought("2020-03-20", "2020-06-20")])
    #expect(access(world) == ["2020-03 at start", "2020-04"])
  }

  @Test
  func `is extended to the date of a grace period`() {
    var world = ReceiptWorld()
    let info = Info().with { $0.grace = instant("2020-04-05") }
    world.add("2020-03-25", [Bought("2020-02-20", "2020-03-20")], [info])
    world.add("2020-06-01", [Bought("2020-02-20", "2020-03-20")])
    #expect(access(world) == ["2020-02 at start", "2020-03", "2020-04"])
  }

  @Test
  func `is given by families, free subscriptions and passes of known duration`() {
    var world = ReceiptWorld()
    let pass = Bought("2020-02-20").with { ($0.product, $0.type) = ("pass", .nonRenewing) }
    world.add("2020-05-15", [pass])
    #expect(access(world) == [])
    world.durations[world.symbol("pass")] = Term(months: 1)
    #expect(access(world) == ["2020-02 at start", "2020-03"])
    world.add("2020-05-15", [Bought("2020-04-02").with { $0.type = .free }])
    #expect(access(world) == ["2020-02 at start", "2020-03", "2020-04 at start", "2020-05"])
  }

  @Test
  func `is to series whose filled cells are the period's own`() {
    var world = ReceiptWorld()
    world.add("2020-05-15", [Bought("2020-02-20", "2020-03-20")])
    let items = [
      ContentItem(
        id: "own", published: instant("2020-01-01"), product: world.symbol("monthly")),
      ContentItem(
        id: "other", published: instant("2020-03-01"), product: world.symbol("yearly")),
      ContentItem(id: "group", published: instant("2019-01-01"), group: world.symbol("premium")),
      ContentItem(id: "app", published: instant("2018-01-01"), app: world.symbol("app")),
    ]
    #expect(access(world, items) == ["app at start", "group at start", "own at start"])
  }

  @Test
  func `has the earlier publication of an item that two series publish in one period`() {
    var world = ReceiptWorld()
    world.add("2020-05-15", [Bought("2020-02-20", "2020-03-20")])
    let items = [
      ContentItem(
        id: "issue", published: instant("2020-03-10"), product: world.symbol("monthly")),
      ContentItem(id: "issue", published: instant("2020-03-05"), group: world.symbol("premium")),
    ]
    for items in [items, items.reversed()] {
      let table = world.rows(.access, items)
      #expect(table.rows.count == 1)
      #expect(table.texts(["published"], row: 0) == ["2020-03-05T00:00:00Z"])
    }
  }
}

/// METRICS.md section 9: `eligibility.csv`.
@Suite("Eligibility for offers")
struct ReceiptEligibilityTests {
  static let month = Bought("2024-01-01", "2024-02-01")
  static let columns = [
    "introductory", "introductory_reason", "promotional", "promotional_reason", "win_back",
    "win_back_reason", "win_back_offers",
  ]
  static let noData = ["unknown", "not in the data", ""]

  static let stories: [(Bought, String, Info?, [String])] = [
    (
      month.with { $0.flags = .trial }, "2024-01-02", nil,
      ["no", "introductory offer used", "yes", "subscribed", "no", "subscribed", ""]
    ),
    (
      month.with { ($0.flags, $0.cancellation) = (.trial, instant("2024-01-03")) }, "2024-06-01",
      nil,
      ["no", "introductory offer used", "yes", "lapsed"] + noData
    ),
    (
      month, "2024-01-02", nil,
      ["no", "subscribed", "yes", "subscribed", "no", "subscribed", ""]
    ),
    (month, "2024-06-01", nil, ["yes", "lapsed, never used", "yes", "lapsed"] + noData),
    (
      month, "2024-02-20", nil,
      ["unknown", "state unresolved", "yes", "subscribed or lapsed"] + noData
    ),
    (
      month.with { $0.originalPurchase = nil }, "2024-06-01", nil,
      ["unknown", "history incomplete", "yes", "lapsed"] + noData
    ),
    (
      month.with { $0.ownership = .family }, "2024-06-01", nil,
      ["unknown", "family shared only", "no", "family shared only"] + noData
    ),
    (
      month.with { $0.group = "" }, "2024-06-01", Info().with { $0.offers = "a;b" },
      [
        "yes", "lapsed, never used; group unknown", "yes", "lapsed", "yes", "in renewal info",
        "a;b",
      ]
    ),
    (
      month, "2024-06-01", Info().with { $0.offers = "" },
      ["yes", "lapsed, never used", "yes", "lapsed", "no", "in renewal info", ""]
    ),
  ]

  @Test(arguments: stories)
  func `follows the chain's history and state`(
    bought: Bought, asOf: String, info: Info?, expected: [String]
  ) {
    var world = ReceiptWorld()
    world.add(asOf, [bought], info.map { [$0] } ?? [])
    #expect(world.rows(.eligibility).texts(Self.columns) == expected)
  }
}
