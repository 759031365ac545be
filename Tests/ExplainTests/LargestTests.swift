import Explain
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Expects that a list with the three largest values of each column has them, and then the sum of the rest.
///
/// - Parameters:
///   - limited: That list.
///   - all: The list of all values, in any order.
///   - comment: What is listed, for the message.
func expectLargest(_ limited: ReportTable, of all: ReportTable, _ comment: Comment? = nil) {
  let values = { (table: ReportTable, column: String) in
    table.rows.indices.map { table.texts(["column", "value"], row: $0) }
      .filter { $0[0] == column }.map { Double($0[1]) ?? 0 }
  }
  let columns = Set(all.rows.indices.map { all.texts(["column"], row: $0)[0] })
  for column in columns {
    let (whole, part) = (values(all, column), values(limited, column))
    let largest = whole.map(abs).sorted(by: >).prefix(3)
    #expect(part.prefix(3).map(abs) == Array(largest), "\(column) \(comment ?? "")")
    let difference = part.reduce(0, +) - whole.reduce(0, +)
    #expect(abs(difference) < 0.001, "\(column) \(comment ?? "")")
  }
}

@Suite("The largest contributions")
struct LargestTests {
  @Test(arguments: histories(3))
  func `are listed by size with the sum of the rest, whatever their place in the list`(
    seed: UInt64
  ) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 120, to: "2026-04-20", kinds: [.subscriber])
    let sandbox = try world.sandbox()
    let find = { (order: ContributionOrder, limit: Int?) in
      try explanation(
        "proceeds.net_proceeds", where: ["currency=USD"], sandbox, month: "2026-03", order: order,
        limit: limit)
    }
    let limited = try find(.value, 3)
    #expect(limited.holds)
    expectLargest(limited.table, of: try find(.subscription, nil).table)
  }

  @Test
  func `of a difference of rows are listed too`() throws {
    let world = try SimulatedReports(
      seed: 4, subscribers: 60, to: "2026-04-20", kinds: [.sales])
    let sandbox = try world.sandbox()
    let find = { (order: ContributionOrder, limit: Int?) in
      try difference(
        "proceeds.net_proceeds", where: ["currency=USD"], sandbox, "2026-03", against: "2026-02",
        source: .sales, order: order, limit: limit)
    }
    let limited = try find(.value, 3)
    #expect(limited.holds && limited.table.rows.count > 3)
    expectLargest(limited.table, of: try find(.subscription, nil).table)
  }
}
