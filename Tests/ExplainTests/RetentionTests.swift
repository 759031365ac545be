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

@Suite("Explained retention")
struct RetentionTests {
  /// The slow reference: the table, which is added up from tallies and compared with `ReferenceMetrics` elsewhere.
  @Test(arguments: seeds(40))
  func `tells the chains at risk, kept and lost at each k`(seed: UInt64) throws {
    var maker = RandomWorld(seed: seed)
    let world = maker.world(subscribers: 8...20)
    let dimensions = comparedViews[Int(seed) % comparedViews.count]
    let table = try world.tables([dimensions]).table(.retention, view: 0)
    let names = Names(symbols: world.symbols, products: [:], apps: [:])
    let months = Month(year: 2023, month: 1)...Month(year: 2031, month: 1)
    for place in table.rows.indices {
      let cells = table.row(place).mapValues(\.text)
      let cohort = dimensions.map { cells[$0.rawValue] ?? "" }
      var row = CountedRow(
        month: Month(year: 2024, month: 1), dimensions: dimensions, filter: Filter()
      ) { $0.map { $0.text(names) } == cohort }
      row.k = cells["k"].flatMap { Int($0) }
      var fold = ExplainingFold(
        row, [.atRisk, .kept, .lost], terms: world.terms, world.completeness(), months: months)
      var found: [Counted: Int] = [:]
      for subscriber in world.subscribers.indices {
        let history = world.history(subscriber)
        fold.add(history) { found[$0.counted, default: 0] += $0.count }
      }
      let counts = [Counted.atRisk, .lost, .kept].map { String(found[$0] ?? 0) }
      #expect(counts == ["at_risk", "lost", "kept"].map { cells[$0] ?? "" }, "\(cells)")
    }
  }

  @Test(arguments: histories(4))
  func `shows survival as a product that has the value of the table`(seed: UInt64) throws {
    let reports = try SimulatedReports(
      seed: seed, subscribers: 120, to: "2026-06-10", kinds: [.subscriber])
    let sandbox = try reports.sandbox()
    let first = try explanation("retention.survival", where: ["k=1"], sandbox, month: "2026-01")
    #expect(first.holds && first.sums.map(\.column) == ["at_risk", "lost"], "\(first.lines)")
    let (atRisk, lost) = (first.sums[0].sum, first.sums[1].sum)
    let line = try #require(first.lines.last)
    #expect(line.hasPrefix("survival = (1 - \(lost)/\(atRisk)) = "))
    #expect(line.hasSuffix(", as retention.csv says"))
    let second = try explanation("retention.survival", where: ["k=2"], sandbox, month: "2026-01")
    #expect(second.lines.last == "the other factors: --where k=1")
    #expect(second.holds && second.lines.dropLast().last?.contains(" × ") == true)
    let counts = try explanation("retention.lost", where: ["k=1"], sandbox, month: "2026-01")
    #expect(counts.lines.count == 1 && counts.table.rows.count == Int(lost))
  }

  @Test
  func `asks for one k`() throws {
    let reports = try SimulatedReports(
      seed: 5, subscribers: 60, to: "2026-06-10", kinds: [.subscriber])
    let sandbox = try reports.sandbox()
    do {
      _ = try explanation("retention.lost", where: [], sandbox, month: "2026-01")
      Issue.record("a cell of several rows")
    } catch let error as QuestionError {
      #expect(error.message.contains("choose one with --where k=… (1 to "))
    }
  }
}
