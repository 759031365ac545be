import Settlement
import SubreportTestSupport
import SubscriptionModel
import Testing

/// Worlds in which it is known which sale each settled unit is: METRICS.md section 7, "Labels".
@Suite("Days of the two reports that differ by one")
struct DaysApartTests {
  private static let periods =
    FiscalPeriod(
      fiscalYear: 2026, period: 2)...FiscalPeriod(
      fiscalYear: 2026, period: 4)

  /// What lines 20 to 23 are, with each unit in the period of its own sale.
  private struct Truth {
    var world = FinanceWorldBuilder()
    private var amounts: [FiscalPeriod: [Bridge.Line: Int128]] = [:]

    init(percent: Int, seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      // Both ways at once, two units may be swapped, each on the day of the other: nothing in the data tells.
      let direction = seed % 2 == 0 ? 1 : -1
      let (first, last) = (periods.lowerBound.firstDay, periods.upperBound.lastDay)
      world.openDays(periods)
      var rows: [FiscalPeriod: [FinanceRow]] = [:]
      for number in first.number...last.number {
        for product in ["6001", "6002", "6003"] {
          for _ in 0..<Int.random(in: 0...3, using: &random) {
            let item = FinanceWorldBuilder.Item().with { $0.product = product }
            let (sold, isReturn) = (
              Day(number: number), Int.random(in: 0..<12, using: &random) == 0
            )
            world.sell(item, sold, isRefund: isReturn)
            let value: Int128 = isReturn ? -6_990 : 6_990
            guard Int.random(in: 0..<50, using: &random) > 0 else {
              add(-value, .notCollected, FiscalPeriod(containing: sold))
              continue
            }
            let isApart =
              Int.random(in: 0..<100, using: &random) < percent && sold != first && sold != last
            let day = sold + (isApart ? direction : 0)
            let settled = day + [0, 0, 1, 1, 1, 2, 4][Int.random(in: 0..<7, using: &random)]
            let (own, other) = (FiscalPeriod(containing: sold), FiscalPeriod(containing: settled))
            rows[other, default: []].append(
              world.row(item, isReturn: isReturn, sold: day, settled: settled))
            guard own != other else { continue }
            add(value, isReturn ? .refundTiming : .cutoffIn, other)
            add(-value, isReturn ? .refundTiming : .cutoffOut, own)
          }
        }
      }
      for period in Self.settled { world.add(.detail, period, rows[period] ?? []) }
    }

    private static let settled = [0, 1, 2, 3, 4].map { periods.lowerBound + $0 }

    private mutating func add(_ value: Int128, _ line: Bridge.Line, _ period: FiscalPeriod) {
      amounts[period, default: [:]][line, default: 0] += value
    }

    func amount(_ line: Bridge.Line, _ period: FiscalPeriod) -> Int128 {
      amounts[period]?[line] ?? 0
    }
  }

  @Test(arguments: [5, 15], seeds(20))
  func `no exact line differs from the truth`(percent: Int, seed: UInt64) {
    let truth = Truth(percent: percent, seed: seed)
    for bridge in truth.world.reconciliation.bridges where Self.periods.contains(bridge.period) {
      for line in [Bridge.Line.cutoffIn, .cutoffOut, .refundTiming, .notCollected] {
        for entry in bridge.entries(of: line) where entry.status == .exact {
          #expect(entry.amount == truth.amount(line, bridge.period), "\(bridge.period) \(line)")
        }
      }
    }
  }
}
