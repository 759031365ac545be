import Entitlements
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Receipts of random commitments")
struct ReceiptCommitmentReferenceTests {
  private static let views: [[Dimension]] = [
    [], [.plan], [.product], [.startMonth], [.country], [.offer, .plan],
  ]

  private static func texts(_ table: ReportTable) -> [[String]] {
    table.rows.map { $0.map(\.text) }
  }

  @Test(arguments: seeds(200))
  func `agree with the obvious version on every period and chain`(seed: UInt64) {
    var maker = RandomCommitmentReceipts(seed: seed)
    let world = maker.world(customers: 3...8)
    let reference = ReferenceReceipts(world)
    #expect(RowTexts(Self.texts(world.rows(.timeline)), reference.timeline) == nil)
    #expect(RowTexts(Self.texts(world.rows(.chains)), reference.chains) == nil)
  }

  @Test(arguments: seeds(200))
  func `agree with the obvious version in every table`(seed: UInt64) throws {
    var maker = RandomCommitmentReceipts(seed: seed)
    let world = maker.world(customers: 3...8)
    let receipts = ReferenceReceipts(world)
    let tables = world.tables(Self.views)
    for (view, dimensions) in Self.views.enumerated() {
      let reference = ReferenceReceiptMetrics(receipts, dimensions: dimensions)
      for kind in TableKind.allCases
      where kind != .status && (kind != .definitions || dimensions.isEmpty) {
        let found = try tables.table(kind, view: view).rowsWithoutIDs
        #expect(Differences(found, reference.rows(of: kind)) == nil, "\(kind) by \(dimensions)")
      }
    }
  }
}

/// The rows of texts in which two lists differ.
private struct RowTexts: Equatable, CustomStringConvertible {
  let description: String

  init?(_ found: [[String]], _ expected: [[String]]) {
    guard Set(found) != Set(expected) else { return nil }
    let lines = { (rows: Set<[String]>) in
      rows.map { $0.joined(separator: ",") }.sorted().joined(separator: "\n")
    }
    description =
      "found only:\n\(lines(Set(found).subtracting(expected)))\n"
      + "expected only:\n\(lines(Set(expected).subtracting(found)))"
  }
}
