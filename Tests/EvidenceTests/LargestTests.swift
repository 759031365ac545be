import Evidence
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("The largest contributions")
struct LargestTests {
  /// The values of all rows of a list.
  private func values(_ list: Explanation) -> [Double] {
    list.table.rows.indices.map { Double(list.table.texts(["value"], row: $0)[0]) ?? 0 }
  }

  @Test(arguments: histories(3))
  func `are listed by size with the sum of the rest, whatever their place in the list`(
    seed: UInt64
  ) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 120, to: "2026-04-20", kinds: [.subscriber])
    let sandbox = try world.sandbox()
    let conditions = ["currency=USD"]
    let find = { (order: ContributionOrder, limit: Int?) in
      try explanation(
        "proceeds.net_proceeds", where: conditions, sandbox, month: "2026-03", order: order,
        limit: limit)
    }
    let all = try find(.subscription, nil)
    let columns = Set(all.table.rows.indices.map { all.table.texts(["column"], row: $0)[0] })
    let limited = try find(.value, 3)
    #expect(limited.holds)
    for column in columns {
      let own = { (list: Explanation) in
        list.table.rows.indices.filter { list.table.texts(["column"], row: $0)[0] == column }
      }
      let (every, found) = (values(all), values(limited))
      let (whole, part) = (own(all).map { every[$0] }, own(limited).map { found[$0] })
      let largest = whole.map(abs).sorted(by: >).prefix(3)
      #expect(part.prefix(3).map(abs) == Array(largest), "\(column)")
      let difference = part.reduce(0, +) - whole.reduce(0, +)
      #expect(abs(difference) < 0.001, "\(column)")
    }
  }
}
