import Counting
import PriceImpact
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("An explained row of price increases")
struct ExplainedImpactTests {
  /// A renewal that the fold has counted, and whether the next charge continued the period.
  private struct Heard {
    let renewal: HeardRenewal
    let chain: PricedChain
  }

  /// The columns that add something up.
  private static let parts: [(name: String, part: ImpactPart)] = [
    ("exposed", .exposed), ("not_reached", .facts([.notReached])),
    ("preserved", .facts([.preserved])), ("reached", .reached),
    ("renewed_new_price", .facts([.renewedNewPrice])),
    ("renewed_old_price", .facts([.renewedOldPrice])),
    ("renewed_other_price", .facts([.renewedOtherPrice])),
    ("changed_product", .facts([.changedProduct])),
    ("changed_to_cheaper", .facts([.changedToCheaper])), ("recovered", .facts([.recovered])),
    ("lapsed", .facts([.lapsed])), ("pending", .facts([.pending])),
    ("refunded_60d", .facts([.refunded])), ("baseline_due", .periods(.baseline)),
    ("control_before_due", .periods(.controlBefore)),
    ("control_after_due", .periods(.controlAfter)), ("unmatched", .unmatched),
    ("proceeds_actual", .actual), ("price_effect", .priceEffect), ("mix_effect", .mixEffect),
    ("share_effect", .shareEffect),
  ]

  @Test(arguments: seeds(15))
  func `adds up from what the fold counts`(seed: UInt64) {
    compare(PriceWorld(seed: seed))
  }

  @Test(arguments: seeds(15, from: 300))
  func `adds up where some pay in instalments`(seed: UInt64) {
    compare(PriceWorld(seed: seed, hasCommitments: true))
  }

  private func compare(_ prices: PriceWorld) {
    let world = prices.world
    var fold = ImpactFold(
      changes: prices.changes, completeness: world.completeness(), lastDay: nil)
    var heard: [Heard] = []
    for subscriber in world.subscribers.indices {
      for chain in world.pricedChains(subscriber) {
        heard += fold.hear(chain, world.terms).map { Heard(renewal: $0, chain: chain) }
      }
    }
    let maker = world.impactTables(prices.changes)
    for view in ImpactView.allCases {
      let rows = maker.explainedRows(view: view, of: .subscribers)
      #expect(Set(rows.map(\.cells)) == Set(maker.impactTable(view: view).rows))
      for row in rows { compare(row, view, heard, maker) }
    }
  }

  private func compare(
    _ row: ExplainedImpact, _ view: ImpactView, _ heard: [Heard], _ maker: PriceTableMaker
  ) {
    var sums = ImpactSums()
    var values = Self.parts.map { _ in ImpactValue.zero }
    for one in heard {
      for addition in row.additions(of: one.renewal) {
        sums.add(addition, isRenewed: one.chain.charges[addition.charge].isContinued)
        for (place, part) in Self.parts.enumerated() {
          values[place] += part.part.value(of: addition) ?? .zero
        }
      }
    }
    let names = PriceTable.impact.columns(for: view.dimensions).map(\.name)
    let cells = Dictionary(uniqueKeysWithValues: zip(names, row.cells))
    for (place, part) in Self.parts.enumerated() {
      let sum = values[place].rounded(row.oldPrice)
      switch cells[part.name] {
      case .count(let count): #expect(sum == Int128(count), "\(part.name) \(cells)")
      case .money(let milliunits): #expect(sum == milliunits, "\(part.name) \(cells)")
      default: #expect(cells[part.name] == .missing)
      }
    }
    // The rates, intervals and the money follow from the same renewals.
    let again = Dictionary(
      uniqueKeysWithValues: zip(names, maker.cells(of: row.impact(from: sums))))
    for name in names where name != "verdict" {
      #expect(again[name] == cells[name], "\(name) \(cells)")
    }
  }

  /// US: two of three who met the price renewed; each stands once among the exposed.
  @Test
  func `hears each subscription once among the exposed`() {
    var example = PriceExample()
    example.add(2, "US", .renew(price: 12_500, proceeds: 8_750))
    example.add(1, "US")
    example.addControl()
    let world = example.world
    var fold = ImpactFold(
      changes: example.changes, completeness: world.completeness(), lastDay: nil)
    let maker = world.impactTables(example.changes)
    let row = maker.explainedRows(view: .whole, of: .subscribers)[0]
    var ends: [Day] = []
    var outcomes: [ExposureFact?] = []
    for subscriber in world.subscribers.indices {
      for chain in world.pricedChains(subscriber) {
        for one in fold.hear(chain, world.terms) {
          for addition in row.additions(of: one) where addition.group == .exposed {
            ends.append(chain.charges[addition.charge].end)
            outcomes.append(addition.outcome)
          }
        }
      }
    }
    #expect(ends == [day("2024-07-05"), day("2024-07-05"), day("2024-07-05")])
    #expect(outcomes == [.renewedNewPrice, .renewedNewPrice, .lapsed])
  }
}
