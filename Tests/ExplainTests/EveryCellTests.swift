import Counting
import Explain
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import Storage
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Returns the conditions that choose a row of a view: all its keys but source and month.
private func conditions(
  _ kind: TableKind, _ dimensions: [Dimension], _ cells: [String: ReportTable.Cell]
) -> [String] {
  let keys = Definition.definition(of: kind).keys
  let own = (keys.leading + keys.trailing).filter { $0 != "source" && $0 != "month" }
  let place = kind == .retention ? ["k"] : kind == .lifetime ? ["months"] : []
  let all = dimensions.map(\.rawValue) + own + place
  return all.map { "\($0)=\(cells[$0]?.text ?? "")" }
}

@Suite("Every cell of every view")
struct EveryCellTests {
  // MARK: Subscribers

  /// All rows of all tables, for subscribers in memory.
  @Test(arguments: histories(40))
  func `of random subscribers is what its contributions add up to`(seed: UInt64) throws {
    try expectSums(of: Self.world(seed: seed, hasInstalments: false), seed)
    try expectSums(of: Self.world(seed: seed, hasInstalments: true), seed)
  }

  private static func world(
    seed: UInt64, hasInstalments: Bool
  ) -> (builder: WorldBuilder, missing: Set<Day>) {
    var world: WorldBuilder
    let missing: Set<Day>
    if hasInstalments {
      var maker = RandomCommitments(seed: seed)
      world = maker.world(subscribers: 3...5)
      missing = maker.missingDays(of: world)
    } else {
      var maker = RandomWorld(seed: seed)
      world = maker.world(subscribers: 4...7)
      missing = maker.missingDays(of: world)
    }
    if seed % 4 == 3 { world.monthSystem = .fiscal }
    return (world, missing)
  }

  private func expectSums(
    of world: (builder: WorldBuilder, missing: Set<Day>), _ seed: UInt64
  ) throws {
    let tables = world.builder.tables(comparedViews, missing: world.missing)
    let fold = RowSums(world.builder, missing: world.missing)
    for (view, dimensions) in comparedViews.enumerated() {
      for kind in ColumnMakeup.tables {
        let table = try tables.table(kind, view: view)
        let columns = RowSums.columns(of: kind)
        for place in table.rows.indices {
          let cells = table.row(place)
          let starts = kind == .lifetime ? starts(of: cells, in: table, dimensions) : []
          for (name, sum) in fold.sums(columns, dimensions, cells, starts) {
            guard let cell = cells[name], cell != .missing else { continue }
            #expect(cell == sum, "seed \(seed): \(kind).\(name) of \(cells)")
          }
        }
      }
    }
  }

  /// Returns the start months of a row of lifetime value: of `all` those whose row of that age is final.
  private func starts(
    of cells: [String: ReportTable.Cell], in table: ReportTable, _ dimensions: [Dimension]
  ) -> Set<Month> {
    guard cells["start_month"] == .text("all") else {
      return Set([cells["start_month"]?.text].compactMap { $0.flatMap { Month($0) } })
    }
    let keys = ["basis", "currency", "months"] + dimensions.map(\.rawValue)
    let own = table.rows.indices.map { table.row($0) }.filter { row in
      row["state"] == .text("final") && keys.allSatisfy { row[$0] == cells[$0] }
    }
    return Set(own.compactMap { Month($0["start_month"]?.text ?? "") })
  }

  // MARK: Reports

  /// Some rows of all tables, for reports in files.
  @Test(arguments: histories(8))
  func `of reports has a list that adds up to it, with rows of its subscriptions`(
    seed: UInt64
  ) throws {
    let simulated = try SimulatedReports(
      seed: seed, subscribers: 60, to: "2026-08-10", faults: true, kinds: [.subscriber],
      plans: PlanOptions(commitments: Share("0.8", of: "--commitments")))
    try expectLists(of: simulated.reports, seed)
    let chaotic = Self.world(seed: seed, hasInstalments: seed % 2 == 0).builder
    try expectLists(of: ChaoticReports(chaotic).files, seed)
  }

  private func expectLists(of files: [String: [UInt8]], _ seed: UInt64) throws {
    let sandbox = try ReportSandbox(files)
    let result = carryOut([sandbox.path], views: comparedViews, jobs: 1) { plan in
      plan.sources = [.subscribers]
      plan.keepsCharges = true
    }
    let rows = NamedRows(files)
    var random = SeededGenerator(seed: seed ^ 0xCE11)
    for (view, dimensions) in comparedViews.enumerated() {
      for kind in ColumnMakeup.tables {
        let table = try result.tableMaker().table(kind, view: view)
        let chosen = table.rows.indices.shuffled(using: &random).prefix(view == 0 ? 6 : 2)
        for place in chosen {
          let cells = table.row(place)
          let question = try Question(
            kind.rawValue, where: conditions(kind, dimensions, cells))
          let month = Month(cells["month"]?.text ?? "") ?? Month(year: 2026, month: 1)
          let found = try Explanation(question, month: month, result)
          #expect(found.holds, "\(found.lines)")
          expectSums(found, cells)
          for contribution in found.table.rows.indices {
            try expectRows(found.table.row(contribution).mapValues(\.text), rows)
          }
        }
      }
    }
  }

  /// Adds up the list once more, and compares with the table.
  private func expectSums(_ found: Explanation, _ cells: [String: ReportTable.Cell]) {
    var sums: [String: Int128] = [:]
    for place in found.table.rows.indices {
      let texts = found.table.texts(["column", "value"], row: place)
      sums[texts[0], default: 0] += Int128(texts[1]) ?? 0
    }
    for column in found.sums where !column.column.hasPrefix("gap_days") {
      let sum = sums[column.column] ?? 0
      #expect(String(sum) == cells[column.column]?.text, "\(column.column) of \(cells)")
    }
  }

  /// Compares a contribution with the lines that it names: all are rows of its subscription, and one begins its period.
  private func expectRows(_ contribution: [String: String], _ rows: NamedRows) throws {
    let first = try #require(rows.row(contribution["subscription"] ?? ""), "\(contribution)")
    let places = (contribution["rows"] ?? "").split(separator: ";").map { place in
      String(place.drop { $0 == " " })
    }
    let named = places.compactMap { rows.row($0) }
    #expect(!named.isEmpty && named.count == places.count, "\(contribution)")
    #expect(named.allSatisfy { $0["Subscriber ID"] == first["Subscriber ID"] }, "\(contribution)")
    let charges = named.filter { $0["Refund"] != "Yes" }
    let group = "Subscription Group ID"
    #expect(charges.allSatisfy { $0[group] == first[group] }, "\(contribution)")
    guard let start = contribution["period_start"], !start.isEmpty else {
      #expect(named.contains { $0["Refund"] == "Yes" }, "\(contribution)")
      return
    }
    let isOwn = { (row: [String: String]) in
      row["Event Date"] == start && row["Country"] == contribution["country"]
    }
    #expect(charges.contains(where: isOwn), "\(contribution)")
  }
}

/// The cells of rows, added up from what the fold finds.
private struct RowSums {
  private let world: WorldBuilder
  private let completeness: Completeness
  private let names: Names
  private static let months = Month(year: 2023, month: 1)...Month(year: 2031, month: 1)

  init(_ world: WorldBuilder, missing: Set<Day>) {
    self.world = world
    completeness = world.completeness(missing: missing)
    names = Names(symbols: world.symbols, products: [:], apps: [:])
  }

  typealias Column = (name: String, counted: Set<Counted>, measure: Measure)

  /// The columns of a table whose cells are sums or ranks.
  static func columns(of kind: TableKind) -> [Column] {
    ColumnMakeup.names(in: kind).compactMap { name in
      ColumnMakeup.of(name, in: kind)?.sum.map { (name, $0.counted, $0.measure) }
    }
  }

  /// Returns the cells of some columns of a row.
  func sums(
    _ columns: [Column], _ dimensions: [Dimension], _ cells: [String: ReportTable.Cell],
    _ starts: Set<Month>
  ) -> [(name: String, cell: ReportTable.Cell)] {
    let found = self.found(
      row(dimensions, cells, starts), columns.reduce(into: []) { $0.formUnion($1.counted) })
    return columns.map { column in
      (column.name, cell(found.filter { column.counted.contains($0.counted) }, column.measure))
    }
  }

  /// What the fold finds, with the gap of each period.
  private typealias Found = (
    counted: Counted, count: Int, price: Int64, proceeds: Int64, gap: Int?
  )

  private func row(
    _ dimensions: [Dimension], _ cells: [String: ReportTable.Cell], _ starts: Set<Month>
  ) -> CountedRow {
    let month = cells["month"].flatMap { world.monthSystem.month(named: $0.text) }
    let cohort = dimensions.map { cells[$0.rawValue]?.text ?? "" }
    var row = CountedRow(
      month: month ?? completeness.firstMonth, dimensions: dimensions, filter: Filter()
    ) { [names] in $0.map { $0.text(names) } == cohort }
    row.currency = cells["currency"].flatMap { cell in
      world.symbols.firstIndex(of: cell.text).map { Symbol($0) }
    }
    row.isDatedBySale = cells["dating"]?.text == "sale"
    row.isOfProceeds = cells["basis"]?.text == "proceeds"
    let months = cells["months"].flatMap { Int($0.text) }
    row.lifetime = months.flatMap { LifetimeWindow.months.firstIndex(of: $0) }
      .map { (place: $0, starts: starts) }
    row.k = cells["k"].flatMap { Int($0.text) }
    return row
  }

  private func found(_ row: CountedRow, _ counted: Set<Counted>) -> [Found] {
    var fold = ExplainingFold(
      row, counted, terms: world.terms, completeness, months: Self.months)
    var found: [Found] = []
    for subscriber in world.subscribers.indices {
      let history = world.history(subscriber)
      var told: [CountedPeriod] = []
      fold.add(history) { told.append($0) }
      for one in told {
        let gap = one.period.flatMap { history.periods[$0].gapDays }
        found.append((one.counted, one.count, one.price, one.proceeds, gap))
      }
    }
    return found
  }

  private func cell(_ found: [Found], _ measure: Measure) -> ReportTable.Cell {
    switch measure {
    case .count: return .count(found.reduce(0) { $0 + $1.count })
    case .price, .value: return .money(milliunits: found.reduce(0) { $0 + Int128($1.price) })
    case .proceeds: return .money(milliunits: found.reduce(0) { $0 + Int128($1.proceeds) })
    case .rank(let percent):
      let gaps = found.compactMap(\.gap).sorted()
      // The first value with at least so many percent of all at or before it.
      let place = gaps.indices.first { ($0 + 1) * 100 >= percent * gaps.count }
      return place.map { .count(gaps[$0]) } ?? .missing
    }
  }
}
