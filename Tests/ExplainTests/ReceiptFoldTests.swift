import Counting
import Storage
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// A row of a table of a random world of receipts, and what the fold finds for it.
private struct ExplainedReceiptRow {
  /// The cell of each column, as its contributions say.
  private(set) var found: [String: ReportTable.Cell] = [:]
  /// How many customers have a period without rows.
  private(set) var faults = 0

  /// Explains all columns of a row that are sums or ranks.
  init(
    _ kind: TableKind, _ table: ReportTable, _ place: Int, _ dimensions: [Dimension],
    _ world: ReceiptWorld
  ) throws {
    let cells = table.row(place)
    let names = Names(symbols: world.symbols, products: [:], apps: [:])
    let cohort = dimensions.map { cells[$0.rawValue]?.text ?? "" }
    let month = try #require(Month(cells["month"]?.text ?? "2024-01"))
    var row = CountedRow(month: month, dimensions: dimensions, filter: Filter()) {
      $0.map { $0.text(names) } == cohort
    }
    row.currency = cells["currency"].flatMap { cell in
      world.symbols.firstIndex(of: cell.text).map { Symbol($0) }
    }
    row.isDatedBySale = cells["dating"]?.text == "sale"
    if case .count(let k)? = cells["k"] { row.k = k }
    row.setRevenue(cells, of: table)
    row.usualTerms = world.tally().usualTerms
    let columns = Self.columns(of: kind)
    let customers = world.customers()
    var symbols = world
    var fold = ExplainingFold(
      row, columns.reduce(into: []) { $0.formUnion($1.counted) }, customers: customers,
      contingent: .none, monthSystem: .calendar
    ) { symbols.symbol($0) }
    var history = ReceiptHistory(customers)
    var told: [CountedPeriod] = []
    for customer in 0..<customers.count {
      history.build(customer)
      let places = history.placesOfPeriods()
      fold.add(history) { told.append($0) }
      let isComplete = places.count == history.periods.count
      if !isComplete || places.contains(where: \.charge.isEmpty) { faults += 1 }
    }
    for column in columns {
      let own = told.filter { column.counted.contains($0.counted) }
      found[column.name] =
        switch column.measure {
        case .count: .count(own.map(\.count).reduce(0, +))
        case .price, .value: .money(milliunits: own.map { Int128($0.price) }.reduce(0, +))
        case .proceeds: .missing
        case .rank(let percent):
          Statistics.nearestRank(
            percent: percent,
            of: own.reduce(into: [Int: Int]()) { $0[$1.gap ?? -1, default: 0] += 1 }
          ).map { .hundredths($0) } ?? .missing
        }
    }
  }

  private static func columns(
    of table: TableKind
  ) -> [(name: String, counted: Set<Counted>, measure: Measure)] {
    ColumnMakeup.names(in: table, from: .receipts).compactMap { name in
      guard let sum = ColumnMakeup.of(name, in: table, from: .receipts)?.sum else { return nil }
      return (name, sum.counted, sum.measure)
    }
  }
}

@Suite("Explained cells of random receipts")
struct ReceiptFoldTests {
  private static let views: [[Dimension]] = [
    [], [.product], [.startMonth], [.offer, .country], [.group],
  ]
  /// How many rows of each table are explained in a world.
  private static let rowCount = 8

  @Test(arguments: seeds(100))
  func `add up in chaotic dumps`(seed: UInt64) throws {
    var maker = RandomReceipts(seed: 40_000 + seed)
    try expectSums(maker.world(customers: 6), seed)
  }

  @Test(arguments: seeds(60))
  func `add up in dumps with instalments`(seed: UInt64) throws {
    var maker = RandomCommitmentReceipts(seed: 50_000 + seed)
    try expectSums(maker.world(customers: 4...8), seed)
  }

  private func expectSums(_ world: ReceiptWorld, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed ^ 0xE2)
    let dimensions = Self.views[Int(seed) % Self.views.count]
    let tables = world.tables([dimensions])
    for kind in ColumnMakeup.tables(from: .receipts) {
      let table = try tables.table(kind, view: 0)
      for place in table.rows.indices.shuffled(using: &random).prefix(Self.rowCount) {
        let cells = table.row(place)
        let row = try ExplainedReceiptRow(kind, table, place, dimensions, world)
        #expect(row.faults == 0)
        for (name, found) in row.found where cells[name] != .missing {
          #expect(cells[name] == found, "\(kind).\(name) \(cells["month"]?.text ?? "")")
        }
      }
    }
  }

  @Test
  func `have every number that tables of receipts have`() {
    for kind in ColumnMakeup.tables(from: .receipts) {
      let known = ColumnMakeup.names(in: kind, from: .receipts)
      let numbers = Definition.definition(of: kind).columns.map(\.column)
        .filter { $0.kind != .key && $0.kind != .text }.map(\.name)
      // Receipts have no proceeds.
      let without: Set = [
        "gross_proceeds", "refunded_proceeds", "net_proceeds", "effective_rate",
        "remaining_proceeds", "k", "months",
      ]
      #expect(Set(numbers).subtracting(without) == Set(known).subtracting(without), "\(kind)")
      #expect(Set(known).isDisjoint(with: without), "\(kind)")
    }
  }
}

@Suite("The rows behind periods of receipts")
struct ReceiptPlaceTests {
  /// Each period with the rows that it rests on.
  private func places(
    _ world: ReceiptWorld, stores: Int = 1, compacts: Bool = true
  ) -> [String] {
    let customers = world.customers(stores: stores, compacts: compacts)
    var history = ReceiptHistory(customers)
    var texts: [String] = []
    for customer in 0..<customers.count {
      history.build(customer)
      for (period, places) in zip(history.periods, history.placesOfPeriods()) {
        texts.append("\(period.start) \(period.event.product) \(places)")
      }
      for chain in history.chains {
        for index in chain.periods {
          let reason = history.placeOfReason(ofPeriod: index, in: chain)
          texts.append("\(history.periods[index].start) \(reason.debugDescription)")
        }
      }
    }
    return texts.sorted()
  }

  @Test(arguments: seeds(40))
  func `do not depend on order, stores or compaction`(seed: UInt64) {
    var maker = RandomReceipts(seed: 60_000 + seed)
    let world = maker.world(customers: 6)
    var random = SeededGenerator(seed: seed)
    var shuffled = world
    shuffled.responses.shuffle(using: &random)
    let expected = places(world, compacts: false)
    #expect(places(world) == expected)
    #expect(places(shuffled) == expected)
    #expect(places(shuffled, stores: 3) == expected)
  }

  @Test
  func `are the copies whose values count`() {
    var world = ReceiptWorld()
    let bought = Bought("2024-01-10", "2024-02-10")
    // The second response has no price; the third has the refund.
    world.add("2024-01-11", [bought.with { $0.price = 9_990 }])
    world.add("2024-01-20", [bought.with { $0.line = "" }])
    world.add("2024-03-01", [bought.with { $0.cancellation = instant("2024-02-20") }])
    let customers = world.customers()
    var history = ReceiptHistory(customers)
    history.build(0)
    let places = history.placesOfPeriods()
    #expect(places.map { $0.charge.map(\.file) } == [[0, 2]])
    #expect(places.map { $0.cancellation?.file } == [2])
  }
}
