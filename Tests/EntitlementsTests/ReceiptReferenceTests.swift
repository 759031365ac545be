import Entitlements
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Receipts and their reference")
struct ReceiptReferenceTests {
  private static func texts(_ table: ReportTable) -> [[String]] {
    table.rows.map { $0.map(\.text) }
  }

  @Test(arguments: seeds(120))
  func `agree on every period and chain of chaotic dumps`(seed: UInt64) {
    var maker = RandomReceipts(seed: seed)
    let world = maker.world(customers: 6)
    let reference = ReferenceReceipts(world)
    let (timeline, chains) = (
      Set(Self.texts(world.rows(.timeline))), Set(Self.texts(world.rows(.chains)))
    )
    #expect(timeline.symmetricDifference(reference.timeline) == [])
    #expect(chains.symmetricDifference(reference.chains) == [])
  }

  @Test(arguments: seeds(30))
  func `do not depend on order, stores or compaction`(seed: UInt64) throws {
    var maker = RandomReceipts(seed: 10_000 + seed)
    let world = maker.world(customers: 6)
    var random = SeededGenerator(seed: seed)
    var shuffled = world
    shuffled.responses.shuffle(using: &random)
    for index in shuffled.responses.indices { shuffled.responses[index].infos.reverse() }
    let content = (0..<20).map {
      ContentItem(id: "issue \($0)", published: instant("2023-01-01") + $0 * 30 * 86_400)
    }
    for kind in ReceiptRows.Kind.allCases {
      let expected = world.rows(kind, content, compacts: false)
      #expect(world.rows(kind, content) == expected)
      #expect(shuffled.rows(kind, content) == expected)
      #expect(shuffled.rows(kind, content, stores: 3) == expected)
    }
    let views: [[Dimension]] = [[], [.product], [.startMonth], [.offer, .country]]
    let expected = world.tables(views, compacts: false)
    for tables in [world.tables(views, parts: 3), shuffled.tables(views, stores: 5, parts: 2)] {
      for kind in TableKind.allCases where kind != .status {
        for view in views.indices {
          let table = try tables.table(kind, view: view)
          #expect(try expected.table(kind, view: view) == table)
        }
      }
    }
  }
}
