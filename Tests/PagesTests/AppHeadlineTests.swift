import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import Storage
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Headline numbers of one app")
struct AppHeadlineTests {
  private static let views: [[Dimension]] = [[], [.app]]

  @Test(arguments: histories(6, from: 510))
  func `are those of the drivers by app, at the same age too`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 300, to: "2026-05-09", kinds: Set(WorldOptions.ReportKind.reports))
    let result = try RunOutcome(try world.sandbox(), views: Self.views).result
    let tables = try result.tables(HeadlineMaker.tables)
    let month = try #require(result.lastCompleteMonth())
    let whole = result.headlineMaker(tables, month: month)
    let rows = whole.drivers(against: [month - 1], by: [.of(.app)]).table.namedRows
    let ofApps = rows.filter { $0.text("dimension") == "app" }
    let appTables = AppTables(tables)
    var compared = 0
    for app in Set(ofApps.map { $0.text("value") }) {
      let values = HeadlineMaker(
        result.tableMaker(), tables: appTables.tables(of: app), month: month, months: .calendar,
        headlineSource: whole.headlineSource, app: app
      ).values
      for value in values where value.headline.isRate && value.before.atSameAge != .missing {
        let row = ofApps.first {
          $0.text("value") == app && $0.text("measure") == value.headline.rawValue
            && $0.source == value.source.rawValue
        }
        guard let row else { continue }
        #expect(row.cell("after") == value.value, "\(app) \(value.headline)")
        #expect(row.cell("before") == value.before.atSameAge, "\(app) \(value.headline)")
        compared += 1
      }
    }
    #expect(compared > 0 || ofApps.isEmpty)
  }

  @Test
  func `of past months are those of the tables`() throws {
    let world = try SimulatedReports(seed: 511, subscribers: 200, to: "2026-05-09")
    let result = try RunOutcome(try world.sandbox(), views: [[]]).result
    let tables = try result.tables(HeadlineMaker.tables)
    let month = try #require(result.lastCompleteMonth())
    let maker = result.headlineMaker(tables, month: month)
    let churn = try #require(maker.values.first { $0.headline == .churnRate })
    let history = maker.history(of: churn, months: 13)
    #expect(history.count == 13 && history.last?.value == churn.value)
    let rows = try #require(tables[.churn]?.first).namedRows
    for point in history where point.value != .missing {
      let row = rows.first {
        $0.source == churn.source.rawValue && $0.text("month") == "\(point.month)"
      }
      #expect(row?.cell("churn_rate") == point.value)
      #expect((row?.text("state") == "partial") == !point.standing.isCompared)
    }
  }

  @Test
  func `come from tables without the column of the app`() {
    let table = ReportTable(
      name: "churn", dimensions: ["app"],
      columns: [.init("month", .key), .init("app", .key), .init("churned", .count)],
      rows: [
        [.text("2026-01"), .text("A"), .count(1)], [.text("2026-01"), .text("B"), .count(2)],
      ])
    let tables = AppTables([.churn: [table], .trials: []])
    let own = tables.tables(of: "B")
    #expect(own.keys.count == 1 && tables.tables(of: "C").isEmpty)
    #expect(own[.churn]?.first?.dimensions == [])
    #expect(own[.churn]?.first?.columns.map(\.name) == ["month", "churned"])
    #expect(own[.churn]?.first?.rows == [[.text("2026-01"), .count(2)]])
  }

  @Test
  func `have the curves of the app's products by length of period`() {
    let columns = ["source", "product", "duration"].map { ReportTable.Column($0, .key) }
    let rows = ["Plus", "Pro", "Other"].map { name in
      [ReportTable.Cell.text("events"), .text(name), .text("1 Month")]
    }
    let table = ReportTable(
      name: "retention", dimensions: ["product", "duration"], columns: columns, rows: rows)
    let tables = AppTables(
      [.retention: [table]], appsOfProducts: ["Plus": "A", "Pro": "B"])
    let own = tables.tables(of: "A")[.retention]
    #expect(own?.count == 1 && own?.first?.dimensions == ["product", "duration"])
    #expect(own?.first?.rows == [rows[0]])
    #expect(AppTables([.retention: [table]]).tables(of: "A").isEmpty)
  }

  @Test
  func `have changes of amounts with their currency's usual decimals`() {
    let change = { (old: Int128, new: Int128, currency: String) in
      HeadlineFigures.change(
        from: .money(milliunits: old), to: .money(milliunits: new), currency: currency)
    }
    #expect(change(1_000, 2_366, "USD") == .text("+1.37"))
    #expect(change(1_000, 2_366, "JPY") == .text("+1"))
    #expect(change(1_000, 2_366, "KWD") == .text("+1.366"))
    #expect(change(1_000, 2_366, "") == .text("+1.366"))
    #expect(change(1_000, 1_000, "USD") == .text("unchanged"))
  }

  @Test
  func `say that a rate or a count did not change`() {
    let change = { (old: ReportTable.Cell, new: ReportTable.Cell) in
      HeadlineFigures.change(from: old, to: new)
    }
    #expect(change(.count(5), .count(5)) == .text("unchanged"))
    #expect(change(.rate(1, of: 4), .rate(2, of: 8)) == .text("unchanged"))
    #expect(
      change(.rate(0, of: 1), .rate(1, of: 1_000_000))
        == .text("changed by less than 0.01 points"))
    #expect(change(.rate(1, of: 4), .rate(2, of: 4)) == .text("+25.00 points"))
    #expect(change(.missing, .count(5)) == .missing)
  }
}
