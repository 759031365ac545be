import Counting
import Storage
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Explained instalments of random subscribers")
struct CommitmentFoldTests {
  @Test(arguments: seeds(60))
  func `are those that the obvious version counts`(seed: UInt64) throws {
    var maker = RandomCommitments(seed: seed)
    let world = maker.world(subscribers: 5...10)
    let views: [[Dimension]] = [[], [.country], [.startMonth], [.price]]
    let dimensions = views[Int(seed) % views.count]
    let reference = ReferenceMetrics(
      world, world.subscribers.indices.map { world.reference($0) }, missingDays: [],
      dimensions: dimensions)
    let table = try world.tables([dimensions]).table(.commitments, view: 0)
    for place in table.rows.indices {
      let cells = table.row(place).mapValues(\.text)
      let month = try #require(Month(cells["month"] ?? ""))
      let cohort = dimensions.map { cells[$0.rawValue] ?? "" }
      let currency = cells["currency"] ?? ""
      let expected = reference.instalments(month: month, cohort: cohort, currency: currency)
      let told = try found(world, month, dimensions, cohort, currency)
      for column in ColumnMakeup.names(in: .commitments) {
        #expect((told[column] ?? []) == (expected[column] ?? []), "\(column) of \(cells)")
      }
    }
  }

  /// Returns what the fold finds for a row, as ``ReferenceMetrics`` writes it.
  private func found(
    _ world: WorldBuilder, _ month: Month, _ dimensions: [Dimension], _ cohort: [String],
    _ currency: String
  ) throws -> [String: [String]] {
    let names = Names(symbols: world.symbols, products: [:], apps: [:])
    var row = CountedRow(month: month, dimensions: dimensions, filter: Filter()) {
      $0.map { $0.text(names) } == cohort
    }
    row.currency = world.symbols.firstIndex(of: currency).map { Symbol($0) }
    let columns = ColumnMakeup.names(in: .commitments).compactMap { name in
      ColumnMakeup.of(name, in: .commitments)?.sum.map { (name: name, sum: $0) }
    }
    var fold = ExplainingFold(
      row, columns.reduce(into: []) { $0.formUnion($1.sum.counted) }, terms: world.terms,
      world.completeness(), months: Month(year: 2023, month: 1)...Month(year: 2031, month: 1))
    var texts: [String: [String]] = [:]
    for subscriber in world.subscribers.indices {
      let history = world.history(subscriber)
      var told: [CountedPeriod] = []
      fold.add(history) { told.append($0) }
      for one in told {
        let period = history.periods[try #require(one.period)]
        for (name, sum) in columns where sum.counted.contains(one.counted) {
          let number =
            switch sum.measure {
            case .price: one.price
            case .proceeds: one.proceeds
            case .count, .rank, .value: Int64(one.count)
            }
          guard number != 0 else { continue }
          texts[name, default: []].append("\(period.start) to \(period.end): \(number)")
        }
      }
    }
    return texts.mapValues { $0.sorted() }
  }
}
