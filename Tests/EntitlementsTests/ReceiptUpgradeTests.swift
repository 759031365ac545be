import Entitlements
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// METRICS.md 3.8: which period a purchase replaces, and where it is cut.
@Suite("Upgrades of receipts")
struct ReceiptUpgradeTests {
  private static let month = Bought("2024-01-01", "2024-02-01")

  private static func renewal(_ start: String = "2024-02-01") -> Bought {
    Bought(start, "2024-03-01")
  }

  private static func year(_ start: String, _ end: String = "2025-01-20") -> Bought {
    Bought(start, end).with { $0.product = "yearly" }
  }

  /// Product, end, cut, refund and fate of each period.
  private func periods(_ purchases: [Bought], tolerance: Int? = nil) -> [String] {
    var world = ReceiptWorld()
    if let tolerance { world.toleranceSeconds = tolerance }
    world.add("2024-06-01", purchases)
    let table = world.rows(.timeline)
    return table.rows.indices.map {
      table.texts(["product", "end", "cut", "refunded", "fate"], row: $0)
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  private static let running = "yearly 2025-01-20T00:00:00Z current"

  @Test
  func `are periods that another product of the same original id overlaps`() {
    let cut = "monthly 2024-01-20T00:00:00Z upgrade upgraded"
    #expect(periods([Self.month, Self.year("2024-01-20")]) == [cut, Self.running])
    // Whenever it was cancelled after that; not a second before it, and not under another original id.
    let later = Self.month.with { $0.cancellation = instant("2024-01-25") }
    #expect(periods([later, Self.year("2024-01-20")]) == [cut, Self.running])
    let atOnce = Self.month.with { $0.cancellation = instant("2024-01-20") }
    #expect(periods([atOnce, Self.year("2024-01-20")]) == [cut, Self.running])
    let before = Self.month.with { $0.cancellation = instant("2024-01-19T23:59:59") }
    #expect(periods([before, Self.year("2024-01-20")])[0].contains("refund full"))
    let other = Self.year("2024-01-20").with { $0.original = "900" }
    #expect(periods([Self.month, other])[0] == "monthly 2024-02-01T00:00:00Z renewed")
    let without = { (bought: Bought) in bought.with { $0.original = "" } }
    #expect(
      periods([without(Self.month), without(Self.year("2024-01-20"))])[0]
        == "monthly 2024-02-01T00:00:00Z renewed")
  }

  @Test
  func `are not seen in an overlap of V2 data, up to the tolerance, or by a renewal`() {
    let v2 = Self.month.with { $0.origin = .v2 }
    #expect(
      periods([v2, Self.year("2024-01-20")])[0] == "monthly 2024-02-01T00:00:00Z renewed")
    for (start, fate) in [("2024-01-31T23:00:00", "renewed"), ("2024-01-31T22:59:59", "upgraded")] {
      #expect(periods([Self.month, Self.year(start)])[0].hasSuffix(fate))
    }
    // The yearly one renews, so it does not replace the month.
    let first = Self.year("2023-01-20", "2024-01-20").with { $0.original = "100" }
    #expect(periods([first, Self.month, Self.year("2024-01-20")])[0].hasSuffix("renewed"))
    #expect(
      periods([first, Self.month, Self.year("2024-01-20T00:01:01")])[0].hasSuffix("upgraded"))
  }

  /// The start of the year, that of the renewal charged early, and what becomes of the month and of its renewal.
  static let early: [(String, String, String, String)] = [
    ("2024-01-31T20:00:00", "2024-02-01", "renewed", "2024-02-01T00:00:00Z upgrade none"),
    ("2024-01-31T00:00:00", "2024-02-01", "renewed", "2024-02-01T00:00:00Z upgrade none"),
    ("2024-01-30T23:59:59", "2024-02-01", "upgraded", "2024-03-01T00:00:00Z renewed"),
    ("2024-01-31T20:00:00", "2024-02-01T00:01:00", "renewed", "2024-02-01T00:01:00Z upgrade none"),
  ]

  @Test(arguments: early, [TransactionCopy.Origin.latest, .v2])
  func `are the renewal that had been charged early, not the period that was running`(
    case early: (year: String, renewal: String, month: String, end: String),
    origin: TransactionCopy.Origin
  ) {
    var all = [Self.month, Self.year(early.year), Self.renewal(early.renewal)]
    if origin == .v2 {
      for index in all.indices { all[index].origin = .v2 }
      all[1].flags = .upgradeNotification
    }
    let found = periods(all)
    #expect(found[0].hasSuffix(early.month))
    #expect(found[1] == "monthly \(early.end)")
  }

  @Test
  func `are cut where the flag alone says so`() {
    let flagged = { (bought: Bought, cancellation: String?) in
      bought.with {
        ($0.origin, $0.flags, $0.cancellation) = (.v2, .upgraded, cancellation.map { instant($0) })
      }
    }
    // At the newest purchase of another product in the 24 hours up to the cancellation.
    let two = [
      flagged(Self.month, "2024-01-21"), Self.year("2024-01-20T00:00:00"),
      Bought("2024-01-10", "2024-01-17").with { $0.product = "weekly" },
    ]
    #expect(periods(two)[0].hasPrefix("monthly 2024-01-20T00:00:00Z upgrade"))
    // Else at the chain's next purchase before its expiry.
    #expect(
      periods([flagged(Self.month, "2024-01-25"), Self.year("2024-01-20")])[0]
        .hasPrefix("monthly 2024-01-20T00:00:00Z upgrade"))
    #expect(
      periods([flagged(Self.month, nil), Self.renewal("2024-02-10")])[0]
        == "monthly 2024-02-01T00:00:00Z upgraded")
    // Else at its own start, if another product was running.
    let renewal = flagged(Self.renewal(), nil)
    let late = Self.year("2024-01-31T20:00:00").with { $0.origin = .v2 }
    let found = periods([Self.month.with { $0.origin = .v2 }, late, renewal])
    #expect(found.contains("monthly 2024-02-01T00:00:00Z upgrade none"))
    // Else at its cancellation, else not.
    #expect(
      periods([flagged(Self.month, "2024-01-25")])
        == ["monthly 2024-01-25T00:00:00Z upgrade upgraded"])
    #expect(periods([flagged(Self.month, nil)]) == ["monthly 2024-02-01T00:00:00Z upgraded"])
  }

  @Test
  func `follow one another, and the earliest purchase cuts`() {
    let week = Bought("2024-01-01", "2024-01-08").with { $0.product = "weekly" }
    let month = Bought("2024-01-03", "2024-02-03")
    #expect(
      periods([week, month, Self.year("2024-01-05")]) == [
        "monthly 2024-01-05T00:00:00Z upgrade upgraded",
        "weekly 2024-01-03T00:00:00Z upgrade upgraded", Self.running,
      ])
  }

  @Test
  func `leave the refund of the later product a refund, and its chain lapsed with it`() {
    let year = Self.year("2024-01-31T20:00:00").with { $0.cancellation = instant("2024-02-05") }
    #expect(
      periods([Self.month, year, Self.renewal()]) == [
        "monthly 2024-02-01T00:00:00Z renewed", "monthly 2024-02-01T00:00:00Z upgrade none",
        "yearly 2024-02-05T00:00:00Z refund full final",
      ])
    // Refunded before the renewal would have begun: the month is the last, and lapses.
    let soon = year.with { $0.cancellation = instant("2024-01-31T21:00:00") }
    #expect(
      periods([Self.month, soon, Self.renewal()]) == [
        "monthly 2024-02-01T00:00:00Z final", "monthly 2024-02-01T00:00:00Z upgrade none",
        "yearly 2024-01-31T21:00:00Z refund full renewed",
      ])
  }
}
