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

@Suite("Explained drivers of receipts")
struct ReceiptDriverTests {
  private static let dimensions: [Dimension] = [.product, .country, .offer, .startMonth]

  private func run(_ sandbox: ReportSandbox, by dimension: Dimension) -> RunResult {
    carryOut([sandbox.path], views: [[], [dimension]]) { plan in
      plan.sources = [.receipts]
      (plan.keepsReceipts, plan.readsFinance) = (true, false)
    }
  }

  private func explanation(
    _ row: Driver, _ drivers: Drivers, _ maker: HeadlineMaker, _ result: RunResult
  ) throws -> Explanation {
    var conditions = ["measure=\(row.headline.rawValue)"]
    if let split = row.split {
      conditions += ["dimension=\(split.rawValue)", "value=\(row.value)"]
    }
    if !row.currency.isEmpty { conditions.append("currency=\(row.currency)") }
    return try Explanation(
      Question("drivers", about: .drivers, where: conditions), drivers, maker, result)
  }

  @Test(arguments: histories(4, from: 360))
  func `give every number of every row`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 80, from: "2025-02-15", to: "2026-05-20", kinds: [.receipts])
    let sandbox = try world.sandbox()
    defer { withExtendedLifetime(sandbox) {} }
    let result = run(sandbox, by: Self.dimensions[Int(seed % 4)])
    let last = try #require(result.lastCompleteMonth())
    var rowCount = 0
    // The older the months, the more outcomes came after the day of the same age.
    for month in [last, last - 2] {
      let maker = result.headlineMaker(try result.tables(HeadlineMaker.tables), month: month)
      let drivers = maker.drivers(
        against: [month - 1], by: [.of(Self.dimensions[Int(seed % 4)]), .movement])
      for row in drivers.rows {
        rowCount += 1
        let found = try explanation(row, drivers, maker, result)
        #expect(found.failures == [], "\(row.headline) \(row.value)")
        let known = Driver.columns.filter { row.cell($0) != .missing }
        let explained = known.filter { column in
          found.lines.contains { $0.hasPrefix("\(column) = ") }
        }
        #expect(explained == known, "\(row.headline) \(row.value)")
      }
    }
    #expect(rowCount > 0)
  }

  @Test
  func `say what a view leaves out as a difference`() throws {
    let world = try SimulatedReports(
      seed: 361, subscribers: 80, from: "2025-02-15", to: "2026-05-20", kinds: [.receipts])
    let sandbox = try world.sandbox()
    defer { withExtendedLifetime(sandbox) {} }
    let result = run(sandbox, by: .product)
    let month = try #require(result.lastCompleteMonth())
    // No view leaves rows out, so the rows of one product are taken away.
    var tables = try result.tables(HeadlineMaker.tables)
    for (kind, views) in tables {
      tables[kind] = views.map { table in
        guard let place = table.columns.firstIndex(where: { $0.name == "product" }) else {
          return table
        }
        var table = table
        let last = table.rows.last?[place]
        table.rows.removeAll { $0[place] == last }
        return table
      }
    }
    let maker = result.headlineMaker(tables, month: month)
    let drivers = maker.drivers(against: [month - 1], by: [.of(.product)])
    let rows = drivers.rows.filter { $0.value == HeadlineMaker.notInView }
    #expect(!rows.isEmpty)
    for row in rows {
      let found = try explanation(row, drivers, maker, result)
      #expect(found.failures == [], "\(row.headline)")
      #expect(found.table.rows.isEmpty)
      #expect(found.lines.contains { $0.contains(" of the whole - ") })
      #expect(found.lines.contains { $0.hasPrefix("total = ") })
    }
  }
}

@Suite("Explained commitments of receipts")
struct ReceiptCommitmentTests {
  @Test
  func `name the instalment that was due, and what followed`() throws {
    let answer = ReceiptAnswer(
      periods: [("2026-05-05", "2026-06-05", ""), ("2026-06-05", "2026-07-05", "")],
      requested: "2026-06-20")
    let sandbox = try ReportSandbox(["dump.ndjson": ReceiptAnswer.dump([answer])])
    let result = carryOut([sandbox.path], views: [[]]) { plan in
      plan.sources = [.receipts]
      plan.keepsReceipts = true
      plan.billingPlans = ["com.example.month": .only(.commitment)]
    }
    let month = try #require(Month("2026-06"))
    let due = try withExtendedLifetime(sandbox) {
      try Explanation(
        Question("commitments.due", where: [], from: [.receipts]), month: month, result)
    }
    #expect(due.holds && due.sums.map(\.sum) == [1])
    #expect(
      due.table.texts(["fact", "because", "rows"]) == [
        "instalment paid",
        "the next instalment was due on 2026-06-05, at the end of instalment 1 of 12: paid on 2026-06-05",
        "dump.ndjson:1 latest_receipt_info[0]; dump.ndjson:1 latest_receipt_info[1]",
      ])
  }
}
