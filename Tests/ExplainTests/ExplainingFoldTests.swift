import Counting
import Explain
import Storage
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// A row of a table of a random world, and what the fold finds for it.
private struct ExplainedRow {
  let table: TableKind
  let month: Month
  let cohort: [String]
  let cells: [String: ReportTable.Cell]
  /// The periods and refunds by column, as ``ReferenceMetrics`` writes them.
  private(set) var found: [String: [String]] = [:]
  /// The sum by column, of money in milliunits.
  private(set) var sums: [String: Int128] = [:]

  /// Explains all columns of counts of a row.
  init(
    _ kind: TableKind, _ table: ReportTable, _ place: Int, _ dimensions: [Dimension],
    _ world: WorldBuilder, missing: Set<Day>
  ) throws {
    self.table = kind
    let cells = table.row(place)
    self.cells = cells
    // Lifetime value has no months.
    month =
      try cells["month"].map { try #require(world.monthSystem.month(named: $0.text)) }
      ?? Month(year: 2024, month: 1)
    cohort = dimensions.map { cells[$0.rawValue]?.text ?? "" }
    let names = Names(symbols: world.symbols, products: [:], apps: [:])
    var row = CountedRow(month: month, dimensions: dimensions, filter: Filter()) { [cohort] in
      $0.map { $0.text(names) } == cohort
    }
    row.currency = currency.flatMap { text in
      world.symbols.firstIndex(of: text).map { Symbol($0) }
    }
    row.isDatedBySale = isDatedBySale
    row.setRevenue(cells, of: table)
    let columns = Self.columns(of: kind)
    let counted = columns.reduce(into: Set<Counted>()) { $0.formUnion($1.counted) }
    let months = Month(year: 2023, month: 1)...Month(year: 2031, month: 1)
    var fold = ExplainingFold(
      row, counted, terms: world.terms, world.completeness(missing: missing), months: months)
    for column in columns { (found[column.name], sums[column.name]) = ([], 0) }
    for subscriber in world.subscribers.indices {
      let history = world.history(subscriber)
      var told: [CountedPeriod] = []
      fold.add(history) { told.append($0) }
      for one in told {
        let text: String
        if let refund = one.refund {
          text = "refund \(history.refunds[refund].day)"
        } else {
          let period = history.periods[try #require(one.period)]
          text = "\(period.start) to \(period.end)"
        }
        for column in columns where column.counted.contains(one.counted) {
          found[column.name, default: []].append(text)
          let value =
            switch column.measure {
            case .count: Int128(one.count)
            case .price, .value: Int128(one.price)
            case .proceeds: Int128(one.proceeds)
            case .rank: Int128(0)
            }
          sums[column.name, default: 0] += value
        }
      }
    }
  }

  var currency: String? { cells["currency"]?.text }
  var isDatedBySale: Bool { cells["dating"]?.text == "sale" }

  /// Returns the cell of a column, as its contributions say.
  func sum(_ column: String) -> ReportTable.Cell {
    let sum = sums[column] ?? 0
    return Self.columns(of: table).first { $0.name == column }?.measure == .count
      ? .count(Int(sum)) : .money(milliunits: sum)
  }

  /// The columns of counts and of money.
  static func columns(
    of table: TableKind
  ) -> [(name: String, counted: Set<Counted>, measure: Measure)] {
    ColumnMakeup.names(in: table).compactMap { name in
      switch ColumnMakeup.of(name, in: table) {
      case .counts(let counted): (name, counted, .count)
      case .money(let counted, let measure): (name, counted, measure)
      default: nil
      }
    }
  }
}

extension CountedRow {
  /// Sets what only rows of revenue have, as a question about the row does.
  mutating func setRevenue(_ cells: [String: ReportTable.Cell], of table: ReportTable) {
    isOfProceeds = cells["basis"]?.text == "proceeds"
    guard case .count(let months)? = cells["months"],
      let place = LifetimeWindow.months.firstIndex(of: months)
    else { return }
    var starts = [cells["start_month"]?.text ?? ""]
    if starts == ["all"] {
      let keys = ["source", "basis", "currency", "months"] + dimensions.map(\.rawValue)
      starts = table.rows.indices.map { table.row($0) }.filter { other in
        keys.allSatisfy { other[$0] == cells[$0] } && other["state"]?.text == "final"
      }.map { $0["start_month"]?.text ?? "" }
    }
    lifetime = (place, Set(starts.compactMap { Month($0) }))
  }
}

@Suite("Explained cells of random subscribers")
struct ExplainingFoldTests {
  /// How many rows of each table are explained in a world.
  private static let rowCount = 8

  @Test(arguments: seeds(100))
  func `are made of what the obvious version counts, and add up`(seed: UInt64) throws {
    var maker = RandomWorld(seed: seed)
    var random = SeededGenerator(seed: seed ^ 0xE1)
    var world = maker.world(subscribers: 8...20)
    if seed % 4 == 3 { world.monthSystem = .fiscal }
    let missing = maker.missingDays(of: world)
    let histories = world.subscribers.indices.map { world.reference($0) }
    let dimensions = comparedViews[Int(seed) % comparedViews.count]
    let tables = world.tables([dimensions], missing: missing)
    let reference = ReferenceMetrics(
      world, histories, missingDays: missing, dimensions: dimensions)
    // The tables of revenue have a reference of their own.
    let revenue: Set<TableKind> = [.recurring, .lifetime, .status]
    for kind in ColumnMakeup.tables where kind != .retention {
      let table = try tables.table(kind, view: 0)
      for place in table.rows.indices.shuffled(using: &random).prefix(Self.rowCount) {
        let row = try ExplainedRow(kind, table, place, dimensions, world, missing: missing)
        expect(row, revenue.contains(kind) ? nil : reference)
      }
    }
  }

  private func expect(_ row: ExplainedRow, _ reference: ReferenceMetrics?) {
    for (name, found) in row.found {
      let place = "\(row.table).\(name) of \(row.month) \(row.cohort)"
      // Before the first file active subscriptions are not known.
      guard let cell = row.cells[name], cell != .missing else { continue }
      #expect(cell == row.sum(name), "\(place)")
      guard let reference else { continue }
      let expected = reference.contributions(
        to: name, of: row.table, month: row.month, cohort: row.cohort, currency: row.currency,
        isDatedBySale: row.isDatedBySale)
      #expect(found.sorted() == expected, "\(place)")
    }
  }

  @Test
  func `have a makeup for every count and amount of subscribers`() {
    let reasons = ["voluntary", "billing", "price", "removed", "other"].map { "churned_" + $0 }
    // Keys, and states that reports of subscribers do not tell.
    let others = ["k", "months", "grace", "billing_retry", "unresolved"]
    for kind in ColumnMakeup.tables {
      let counts = Definition.definition(of: kind).columns.filter {
        [.count, .money].contains($0.column.kind) && !others.contains($0.column.name)
      }
      let names = counts.map(\.column.name).filter { !reasons.contains($0) }
      #expect(Set(ColumnMakeup.names(in: kind)).isSuperset(of: names), "\(kind)")
    }
  }

  @Test
  func `leave out what a filter leaves out`() {
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day("2024-12-31"))
    let german = Purchase(day("2024-05-05")).with { $0.country = "DE" }
    world.add([Purchase(day("2024-05-10"))])
    world.add([german])
    let germany = world.symbols.firstIndex(of: "DE").map { Symbol($0) }
    let filter = Filter(dimensions: [.country]) { $0.country == germany }
    let row = CountedRow(month: day("2024-06-05").month, dimensions: [], filter: filter) {
      $0.isEmpty
    }
    let months = Month(year: 2023, month: 1)...Month(year: 2031, month: 1)
    var fold = ExplainingFold(
      row, [.fact(.lapseOpenFinal)], terms: world.terms, world.completeness(), months: months)
    var told: [Int] = []
    for subscriber in world.subscribers.indices {
      fold.add(world.history(subscriber)) { _ in told.append(subscriber) }
    }
    #expect(told == [1])
  }
}
