import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// METRICS.md section 5 for source `receipts`.
@Suite("Tables of receipts")
struct ReceiptTableTests {
  static let january = Bought("2024-01-10", "2024-02-10")
  static let february = Bought("2024-02-10", "2024-03-10")

  private func world(_ bought: [Bought], asOf: String, _ infos: [Info] = []) -> ReceiptWorld {
    var world = ReceiptWorld()
    world.add(asOf, bought, infos)
    return world
  }

  private func row(
    _ kind: TableKind, _ world: ReceiptWorld, _ columns: [String], row: Int
  ) throws -> [String] {
    try world.tables().table(kind, view: 0).texts(columns, row: row)
  }

  @Test
  func `churn has every month from the first charge's to as-of's, and the reasons`() throws {
    let voluntary = Info().with { $0.intent = 1 }
    let world = world([Self.january], asOf: "2024-04-20", [voluntary])
    let table = try world.tables().table(.churn, view: 0)
    let columns = [
      "month", "active_start", "churned", "churned_voluntary", "churned_billing",
      "churned_refund", "churned_unknown", "churned_provisional", "churn_rate", "state",
    ]
    let rows = table.rows.indices.map { table.texts(columns, row: $0) }
    #expect(
      rows == [
        ["2024-01", "0", "0", "0", "0", "0", "0", "0", "", "final"],
        ["2024-02", "1", "1", "1", "0", "0", "0", "0", "1/1", "final"],
        ["2024-03", "0", "0", "0", "0", "0", "0", "0", "", "final"],
        ["2024-04", "0", "0", "0", "0", "0", "0", "0", "", "provisional"],
      ])
  }

  @Test
  func `active_start is that of the last second before the month, gaps closed`() throws {
    let until = { (end: String, next: String) in
      [Bought("2024-01-10", end), Bought(next, "2024-03-10")]
    }
    let stories = [
      (until("2024-02-01", "2024-02-20"), "1"),
      (until("2024-01-31T23:59:59", "2024-02-20"), "0"),
      (until("2024-01-31T23:30:00", "2024-02-01T00:20:00"), "1"),
      (until("2024-01-31T23:30:00", "2024-02-01T00:40:00"), "0"),
    ]
    for (bought, active) in stories {
      #expect(
        try row(.churn, world(bought, asOf: "2024-03-01"), ["active_start"], row: 1) == [active])
    }
  }

  @Test
  func `the paid period begun last stands for the chain`() throws {
    let long = Bought("2024-01-10", "2024-06-10").with { $0.appTransaction = "1" }
    let short = Bought("2024-01-20", "2024-03-10").with {
      ($0.product, $0.original, $0.appTransaction) = ("yearly", "900", "1")
    }
    let tables = world([long, short], asOf: "2024-05-01").tables([[.product]])
    let table = try tables.table(.churn, view: 0)
    #expect(table[column: "active_start", keys: ["2024-02", "yearly"]] == [.count(1)])
    #expect(table[column: "active_start", keys: ["2024-02", "monthly"]] == [])
    #expect(table[column: "active_start", keys: ["2024-04", "monthly"]] == [.count(1)])
    let movement = try tables.table(.movement, view: 0)
    #expect(movement[column: "switched_in", keys: ["2024-03", "monthly"]] == [.count(1)])
  }

  @Test
  func `lapses have gaps in days with two decimals`() throws {
    let late = Bought("2024-02-12T18:00:00", "2024-03-10")
    let found = try row(
      .lapses, world([Self.january, late], asOf: "2024-03-01"),
      ["lapses", "recovered", "gap_days_median", "gap_days_p90", "state"], row: 0)
    #expect(found == ["1", "1", "275", "275", "final"])
  }

  /// As-of, and due, renewed, pending, state of February.
  static let edges: [(String, [String])] = [
    ("2024-02-10T00:30:00", ["1", "0", "1", "provisional"]),
    ("2024-02-09T23:59:59", ["(none)", "(none)", "(none)", "(none)"]),
    ("2024-03-05", ["1", "0", "1", "provisional"]),
  ]

  @Test(arguments: edges)
  func `renewals end at the chain's as-of`(asOf: String, expected: [String]) throws {
    #expect(
      try row(
        .renewals, world([Self.january], asOf: asOf), ["due", "renewed", "pending", "state"], row: 0
      )
        == expected)
  }

  @Test
  func `a chain is due, lapsed and at risk by its own as-of, not by the run's`() throws {
    var world = world([Self.january], asOf: "2024-02-01")
    world.add("2024-12-01", [Bought("2024-11-20", "2024-12-20").with { $0.original = "900" }])
    #expect(try world.tables().table(.renewals, view: 0).rows.isEmpty)
    #expect(try world.tables().table(.retention, view: 0).rows.isEmpty)
    let february = try row(
      .movement, world, ["month", "open", "switched_out", "churned", "close", "unexplained"], row: 1
    )
    #expect(february == ["2024-02", "1", "1", "0", "0", "0"])
  }

  @Test
  func `a period with a refund was not due; the money of a partial one is its percentage`() throws {
    let partial = Self.january.with {
      ($0.price, $0.percentage, $0.cancellation) = (9_999, 33_333, instant("2024-03-05"))
    }
    let world = world([partial, Self.february.with { $0.price = 9_999 }], asOf: "2024-03-09")
    #expect(try world.tables().table(.renewals, view: 0).rows.isEmpty)
    let columns = [
      "dating", "month", "currency", "charges", "refunds_full", "refunds_partial", "gross_price",
      "refunded_price", "gross_proceeds", "refunded_proceeds", "state",
    ]
    let table = try world.tables().table(.refunds, view: 0)
    let rows = table.rows.indices.map { table.texts(columns, row: $0) }
    #expect(
      rows
        == [
          ["refund", "2024-02", "USD", "1", "0", "0", "9999", "0", "", "", "final"],
          ["refund", "2024-01", "USD", "1", "0", "0", "9999", "0", "", "", "final"],
          ["refund", "2024-03", "USD", "0", "0", "1", "0", "3333", "", "", "provisional"],
          ["sale", "2024-01", "USD", "1", "0", "1", "9999", "3333", "", "", "provisional"],
          ["sale", "2024-02", "USD", "1", "0", "0", "9999", "0", "", "", "provisional"],
        ].sorted { $0.prefix(2).joined() < $1.prefix(2).joined() })
  }

  @Test
  func `money is empty without a price, and there are no proceeds then`() throws {
    let world = world(
      [Self.january.with { $0.cancellation = instant("2024-01-20") }], asOf: "2024-03-09")
    #expect(
      try row(
        .refunds, world, ["currency", "charges", "refunds_full", "gross_price", "refunded_price"],
        row: 0) == ["", "1", "1", "", ""])
    #expect(try world.tables().table(.proceeds, view: 0).rows.isEmpty)
    let priced = self.world([Self.january.with { $0.price = 9_990 }], asOf: "2024-03-09")
    #expect(
      try row(
        .proceeds, priced,
        ["currency", "charges", "gross_price", "gross_proceeds", "net_proceeds", "effective_rate"],
        row: 0) == ["USD", "1", "9990", "", "", ""])
  }

  @Test
  func `retention counts an upgraded period, and keeps the chain`() throws {
    let upgrade = Bought("2024-01-20", "2024-02-20").with { $0.product = "yearly" }
    let world = world(
      [Self.january.with { $0.flags = .upgraded }, upgrade], asOf: "2024-09-01")
    let table = try world.tables().table(.retention, view: 0)
    let rows = table.rows.indices.map { table.texts(["k", "at_risk", "lost", "kept"], row: $0) }
    #expect(rows == [["1", "1", "0", "1"], ["2", "1", "1", "0"]])
  }

  @Test
  func `trials are converted by a paid charge within 60 days`() throws {
    let trial = Bought("2024-01-03", "2024-01-10").with { $0.flags = .trial }
    let columns = ["trials", "converted", "not_converted", "pending", "state"]
    #expect(
      try row(.trials, world([trial, Self.january], asOf: "2024-04-01"), columns, row: 0)
        == ["1", "1", "0", "0", "final"])
    #expect(
      try row(.trials, world([trial], asOf: "2024-02-01"), columns, row: 0)
        == ["1", "0", "0", "1", "provisional"])
    #expect(
      try row(.trials, world([trial], asOf: "2024-04-01"), columns, row: 0)
        == ["1", "0", "1", "0", "final"])
  }

  /// As-of and the state of January's row.
  static let monthEnds: [(String, String)] = [
    ("2024-01-31T23:59:58", "provisional"), ("2024-01-31T23:59:59", "final"),
  ]

  @Test(arguments: monthEnds)
  func `a month is over at its last second`(asOf: String, state: String) throws {
    #expect(try row(.churn, world([Self.january], asOf: asOf), ["state"], row: 0) == [state])
  }

  @Test
  func `families and what does not renew are in no rate`() throws {
    let family = Self.january.with { $0.ownership = .family }
    let pass = Bought("2024-01-10").with { ($0.type, $0.product) = (.nonRenewing, "pass") }
    let tables = world([family, pass], asOf: "2024-06-01").tables()
    for kind in TableKind.allCases { #expect(try tables.table(kind, view: 0).rows.isEmpty) }
  }

  // MARK: Identities

  static let views: [[Dimension]] = [
    [], [.product], [.startMonth], [.country, .product], [.offer], [.price], [.group], [.app],
  ]

  @Test(arguments: seeds(80))
  func `movement closes in every row, and views add up`(seed: UInt64) throws {
    var maker = RandomReceipts(seed: 20_000 + seed)
    let tables = maker.world(customers: 12).tables(Self.views)
    for view in Self.views.indices {
      let movement = try tables.table(.movement, view: view)
      #expect(movement[column: "unexplained", keys: []].allSatisfy { $0 == .count(0) })
    }
    let additive: [(TableKind, String)] = [
      (.churn, "churned"), (.churn, "active_start"), (.renewals, "due"), (.lapses, "lapses"),
      (.refunds, "charges"), (.trials, "converted"),
    ]
    for (kind, column) in additive {
      let sums = try Self.views.indices.map { view in
        try tables.table(kind, view: view)[column: column, keys: []].compactMap { Int($0.text) }
          .reduce(0, +)
      }
      #expect(Set(sums).count == 1, "\(kind) \(column)")
    }
  }

  @Test(arguments: seeds(80))
  func `churned is what lapsed and was not recovered, and has one reason each`(seed: UInt64) throws
  {
    var maker = RandomReceipts(seed: 30_000 + seed)
    let tables = maker.world(customers: 12).tables()
    let sum = { (kind: TableKind, columns: [String]) in
      try columns.map { column in
        try tables.table(kind, view: 0)[column: column, keys: []].compactMap { Int($0.text) }
          .reduce(0, +)
      }.reduce(0, +)
    }
    let churned = try sum(.churn, ["churned"])
    let reasons = ["voluntary", "billing", "price", "refund", "removed", "other", "unknown"]
    #expect(try sum(.churn, reasons.map { "churned_\($0)" }) == churned)
    #expect(try sum(.lapses, ["lapses"]) - sum(.lapses, ["recovered"]) == churned)
    let parts =
      try sum(.renewals, ["lapsed"])
      + sum(.churn, ["churned_provisional", "churned_refund"])
    #expect(parts == churned)
  }
}
