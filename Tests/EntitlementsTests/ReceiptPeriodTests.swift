import Entitlements
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// METRICS.md 3.7 to 3.10: ends, gaps, fates and reasons.
@Suite("Periods of receipts")
struct ReceiptPeriodTests {
  static let columns = [
    "end", "cut", "refunded", "gap_before_seconds", "active_period", "fate", "reason",
  ]

  private func timeline(
    _ purchases: [Bought], asOf: String = "2025-01-01", _ infos: [(String, Info)] = []
  ) -> [[String]] {
    var world = ReceiptWorld()
    world.add(asOf, purchases)
    for (madeAt, info) in infos { world.add(madeAt, [], [info]) }
    let table = world.rows(.timeline)
    return table.rows.indices.map { table.texts(Self.columns, row: $0) }
  }

  static let first = Bought("2024-01-01", "2024-02-01")
  static let upgrade = Bought("2024-01-11", "2024-02-11").with { $0.product = "yearly" }

  @Test
  func `are cut by an upgrade at the chain's next purchase`() {
    let rows = timeline([Self.first.with { $0.flags = .upgraded }, Self.upgrade])
    #expect(rows[0] == ["2024-01-11T00:00:00Z", "upgrade", "", "", "1", "upgraded", ""])
    #expect(rows[1] == ["2024-02-11T00:00:00Z", "", "", "0", "1", "final", "unknown"])
    let alone = timeline([
      Self.first.with { ($0.flags, $0.cancellation) = (.upgraded, instant("2024-01-20")) }
    ])
    #expect(alone[0] == ["2024-01-20T00:00:00Z", "upgrade", "", "", "1", "upgraded", ""])
  }

  @Test
  func `are upgraded by a V2 notification of the subtype UPGRADE`() {
    let rows = timeline([
      Self.first, Self.upgrade.with { ($0.origin, $0.flags) = (.v2, .upgradeNotification) },
    ])
    #expect(rows[0][5] == "upgraded" && rows[0][0] == "2024-01-11T00:00:00Z")
  }

  /// Seconds from the upgrade to the cancellation, and whether the data are V2.
  static let guesses: [(Int, TransactionCopy.Origin, String)] = [
    (0, .latest, "upgraded"), (300, .inApp, "upgraded"), (301, .latest, "renewed"),
    (-1, .latest, "renewed"), (10, .v2, "renewed"),
  ]

  @Test(arguments: guesses)
  func `look upgraded within 300 seconds of another product, never in V2 data`(
    seconds: Int, origin: TransactionCopy.Origin, fate: String
  ) {
    let canceled = Self.first.with {
      $0.cancellation = Self.upgrade.start + seconds
      $0.origin = origin
    }
    // Under another original id, the overlap alone shows no upgrade.
    let other = Self.upgrade.with { ($0.original, $0.token) = ("900", "token") }
    #expect(timeline([canceled.with { $0.token = "token" }, other])[0][5] == fate)
  }

  @Test
  func `are ended by refunds and revocations before their expiry`() {
    let refund = { (text: String) in Self.first.with { $0.cancellation = instant(text) } }
    #expect(
      timeline([refund("2024-01-10")])[0]
        == ["2024-01-10T00:00:00Z", "refund", "full", "", "1", "final", "refund"])
    #expect(
      timeline([refund("2024-03-10")])[0]
        == ["2024-02-01T00:00:00Z", "", "full", "", "1", "final", "refund"])
    #expect(
      timeline([refund("2024-01-10").with { $0.percentage = 40_000 }])[0][2] == "partial")
    #expect(timeline([refund("2024-01-10").with { $0.flags = .prorated }])[0][2] == "partial")
    let revoked = ["2024-01-10T00:00:00Z", "revoke", "revoked", "", "1", "final", "other"]
    #expect(timeline([refund("2024-01-10").with { $0.flags = .familyRevoke }])[0] == revoked)
    #expect(timeline([refund("2024-01-10").with { $0.ownership = .family }])[0] == revoked)
  }

  @Test
  func
    `refunded when they began have no length, and are a lapse unless another charge follows at once`()
  {
    let refunded = Self.first.with { $0.cancellation = $0.start }
    let row = timeline([refunded])[0]
    #expect(row == ["2024-01-01T00:00:00Z", "refund", "full", "", "", "final", "refund"])
    let again = Self.first.with { $0.product = "yearly" }
    #expect(
      timeline([refunded, again.with { ($0.line, $0.transaction) = ("again", "again") }])[0][5]
        == "none")
  }

  /// The start of the next period, its gap, and the first one's fate.
  static let gaps: [(String, String, String)] = [
    ("2024-02-01T00:00:00", "0", "renewed"), ("2024-02-01T01:00:00", "3600", "renewed"),
    ("2024-02-01T01:00:01", "3601", "recovered"), ("2024-01-31T00:00:00", "-86400", "renewed"),
    ("2024-04-01T00:00:00", "5184000", "recovered"),
    ("2024-04-01T00:00:01", "5184001", "reactivated"),
  ]

  @Test(arguments: gaps)
  func `are followed or lapse by the gap to the next`(start: String, gap: String, fate: String) {
    let next = Bought(start, "2024-05-01")
    let rows = timeline([Self.first, next])
    #expect(rows[0][5] == fate)
    #expect(rows[1][3] == gap)
    #expect(rows[1][4] == (fate == "renewed" ? "1" : "2"))
  }

  @Test
  func `that end inside another one are continued; the last to end lapses`() {
    let long = Bought("2024-01-01", "2024-06-01")
    let short = Bought("2024-02-01", "2024-03-01")
    let rows = timeline([long, short])
    #expect(rows.map { $0[5] } == ["final", "renewed"])
    #expect(rows.map { $0[4] } == ["1", "1"])
  }

  /// As-of and the fate of a period that ends on 1 February.
  static let ages: [(String, String)] = [
    ("2024-01-15T00:00:00", "current"), ("2024-02-01T01:00:00", "current"),
    ("2024-02-01T01:00:01", "provisional"), ("2024-03-31T23:59:59", "provisional"),
    ("2024-04-01T00:00:00", "final"),
  ]

  @Test(arguments: ages)
  func `without a next one are as old as as-of says`(asOf: String, fate: String) {
    #expect(timeline([Self.first], asOf: asOf)[0][5] == fate)
  }

  @Test
  func `that have just ended are over when an info or the answer says so`() {
    let asOf = "2024-02-01T00:30:00"
    let info = Info().with { $0.intent = 1 }
    #expect(timeline([Self.first], asOf: asOf, [(asOf, info)])[0][5] == "provisional")
    #expect(
      timeline([Self.first], asOf: asOf, [("2024-01-31T23:59:59", info)])[0][5] == "current")
    let expired = Self.first.with { $0.flags = .hasExpiredStatus }
    #expect(timeline([expired], asOf: asOf)[0][5] == "provisional")
  }

  static let reasons: [(Info, String)] = [
    (Info().with { $0.intent = 1 }, "voluntary"), (Info().with { $0.intent = 2 }, "billing"),
    (Info().with { $0.intent = 3 }, "price"), (Info().with { $0.intent = 4 }, "removed"),
    (Info().with { $0.intent = 5 }, "other"), (Info(), "unknown"),
    (Info().with { $0.retry = true }, "billing"), (Info().with { $0.status = 4 }, "billing"),
    (Info().with { ($0.original, $0.intent) = ("200", 1) }, "unknown"),
  ]

  @Test(arguments: reasons)
  func `take the reason of a lapse from the info after it`(info: Info, reason: String) {
    #expect(timeline([Self.first], [("2024-02-10", info)])[0][6] == reason)
  }

  @Test
  func `take no reason from before their end or after the next purchase`() {
    let next = Bought("2024-03-01", "2024-04-01")
    let infos = ["2024-01-31", "2024-03-01"].map { ($0, Info().with { $0.intent = 1 }) }
    #expect(timeline([Self.first, next], infos)[0][6] == "unknown")
    let inside = infos + [("2024-02-29", Info().with { $0.intent = 2 })]
    #expect(timeline([Self.first, next], inside)[0][6] == "billing")
  }

  @Test
  func `do not count an info that names a product of another chain`() {
    let other = Bought("2024-01-01", "2024-02-01").with {
      ($0.product, $0.group, $0.original) = ("sport", "sport", "200")
    }
    let info = Info().with { ($0.intent, $0.product) = (1, "sport") }
    let rows = timeline([Self.first, other], [("2024-02-10", info)])
    #expect(rows.map { $0[6] } == ["unknown", "unknown"])
    let unsold = info.with { $0.product = "unsold" }
    #expect(timeline([Self.first, other], [("2024-02-10", unsold)])[0][6] == "voluntary")
  }
}
