import Entitlements
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// METRICS.md 3.7, 3.11 and 3.12: as-of, states and starts of chains.
@Suite("States of chains from receipts")
struct ReceiptStateTests {
  static let month = Bought("2024-01-01", "2024-02-01")

  struct Story: Sendable, CustomTestStringConvertible {
    var name: String
    var bought: [Bought] = [month]
    var asOf = "2024-01-15"
    var info: Info?
    var runAsOf: String?
    var state: String
    var reason = ""

    var testDescription: String { name }
  }

  static let stories: [Story] = [
    Story(name: "active", state: "active"),
    Story(
      name: "will not renew", info: Info().with { $0.renews = false },
      state: "active, will not renew"),
    Story(
      name: "refunded", bought: [month.with { $0.cancellation = instant("2024-01-10") }],
      state: "refunded", reason: "refund"),
    Story(
      name: "refunded before, active now",
      bought: [
        month.with { $0.cancellation = instant("2024-01-10") }, Bought("2024-01-12", "2024-02-12"),
      ], state: "active"),
    Story(
      name: "grace by its date", asOf: "2024-02-05",
      info: Info().with { $0.grace = instant("2024-02-06") }, state: "grace"),
    Story(
      name: "grace is over", asOf: "2024-02-05",
      info: Info().with { ($0.grace, $0.retry) = (instant("2024-02-05"), true) },
      state: "billing retry"),
    Story(
      name: "billing retry by status", asOf: "2024-02-05", info: Info().with { $0.status = 3 },
      state: "billing retry"),
    Story(
      name: "billing retry ends after 60 days", asOf: "2024-04-01",
      info: Info().with { $0.retry = true }, state: "lapsed", reason: "billing"),
    Story(name: "no info, less than 60 days", asOf: "2024-02-05", state: "unresolved"),
    Story(name: "no info, 60 days", asOf: "2024-04-01", state: "lapsed", reason: "unknown"),
    Story(
      name: "left", asOf: "2024-02-05", info: Info().with { $0.intent = 1 }, state: "lapsed",
      reason: "voluntary"),
    Story(name: "only future purchases", asOf: "2023-12-31", state: "unresolved"),
    Story(name: "just ended", asOf: "2024-02-01T01:00:00", state: "active"),
    Story(name: "seen long ago", runAsOf: "2024-02-01T01:00:01", state: "unresolved"),
    Story(name: "seen before its end", runAsOf: "2024-02-01T01:00:00", state: "active"),
    Story(
      name: "upgraded without a successor", bought: [month.with { $0.flags = .upgraded }],
      asOf: "2024-06-01", state: "unresolved"),
    Story(
      name: "upgraded without a successor, before its end",
      bought: [month.with { $0.flags = .upgraded }], state: "active"),
    Story(
      name: "a family member who lost access",
      bought: [month.with { ($0.ownership, $0.cancellation) = (.family, instant("2024-01-10")) }],
      state: "lapsed", reason: "other"),
    Story(
      name: "renewed in advance", bought: [month, Bought("2024-02-01", "2024-03-01")],
      asOf: "2024-01-31T12:00:00", state: "active"),
  ]

  @Test(arguments: stories)
  func `are the first that holds`(story: Story) {
    var world = ReceiptWorld()
    world.add(story.asOf, story.bought, story.info.map { [$0] } ?? [])
    if let runAsOf = story.runAsOf {
      world.add(runAsOf, [Bought("2023-01-01", "2023-02-01").with { $0.original = "900" }])
    }
    #expect(
      world.rows(.chains).texts(["customer", "state", "reason"])
        == ["original:100", story.state, story.reason])
  }

  @Test
  func `is known up to the newest record, or the newest notification of its app in a log`() {
    var world = ReceiptWorld()
    let told = Self.month.with { $0.flags = .inNotificationLog }
    world.add("2024-01-02", [told])
    world.add("2024-03-01", [told.with { $0.original = "200" }])
    world.add("2024-04-01", [told.with { ($0.original, $0.app) = ("300", "other") }])
    world.add("2024-02-01", [Self.month.with { $0.original = "400" }])
    let table = world.rows(.chains)
    let asOf = table.rows.indices.map { table.texts(["as_of"], row: $0)[0].prefix(10) }
    #expect(asOf == ["2024-03-01", "2024-03-01", "2024-04-01", "2024-02-01"])
  }

  static let starts: [(@Sendable (inout Bought) -> Void, String)] = [
    ({ _ in }, "2024-01"), ({ $0.originalPurchase = $0.start + -86_400 }, "2024-01"),
    ({ $0.originalPurchase = $0.start + -86_401 }, "before 2024-01"),
    ({ $0.originalPurchase = $0.start + 900_000 }, "2024-01"),
    ({ ($0.originalPurchase, $0.flags) = ($0.start + -90_000, .trial) }, "2024-01"),
    ({ ($0.originalPurchase, $0.flags) = ($0.start + -90_000, .intro) }, "2024-01"),
    ({ ($0.originalPurchase, $0.flags) = ($0.start + -90_000, .nonProduction) }, "2024-01"),
    ({ $0.originalPurchase = nil }, "before 2024-01"),
    ({ ($0.originalPurchase, $0.transaction) = (nil, "100") }, "2024-01"),
  ]

  @Test(arguments: starts)
  func `have a known start when nothing came before`(
    change: @Sendable (inout Bought) -> Void, month: String
  ) {
    var world = ReceiptWorld()
    world.add("2024-05-01", [Self.month.with(change)])
    #expect(world.rows(.chains).texts(["start_month"]) == [month])
  }

  @Test
  func `count and cover their periods without gaps`() {
    var world = ReceiptWorld()
    let trial = Bought("2024-01-01", "2024-01-08").with { $0.flags = .trial }
    let paid = Bought("2024-01-08T00:30:00", "2024-02-08")
    let late = Bought("2024-03-01", "2024-04-01").with { $0.cancellation = instant("2024-03-11") }
    world.add("2024-06-01", [trial, paid, late])
    let columns = [
      "active_periods", "covered_seconds", "charges", "paid_charges", "lapses", "refunds",
      "first_start", "last_end",
    ]
    let covered = 7 * 86_400 + (31 * 86_400 - 1_800) + 10 * 86_400
    #expect(
      world.rows(.chains).texts(columns) == [
        "2", "\(covered)", "3", "2", "2", "1", "2024-01-01T00:00:00Z", "2024-03-11T00:00:00Z",
      ])
  }
}
