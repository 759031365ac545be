import Explain
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// A sentence such as `11.99 USD a month, times 1, is 11.99`, read back.
private struct Calculation {
  let amount, factor, result: Double

  /// Reads all calculations of a reason.
  static func all(in because: String) -> [Calculation] {
    because.split(separator: ";").compactMap { part in
      let ends = part.components(between: ", times ", and: ", is ")
      guard let ends, let result = Double(ends.after.prefix { $0.isNumber || $0 == "." }) else {
        return nil
      }
      // The amount is the first number after a colon, or the first one.
      let words = ends.before.split(separator: " ")
      let amount = words.last { $0.contains(".") && Double($0) != nil }
      let factors = ends.between.split(separator: "/").compactMap { Double($0) }
      guard let amount, let first = factors.first else { return nil }
      return Calculation(
        amount: Double(amount) ?? 0, factor: factors.dropFirst().reduce(first, /), result: result)
    }
  }

  var isRight: Bool { abs(amount * factor - result) <= 0.000_500_1 }
}

extension Substring {
  /// Splits the text at two marks.
  fileprivate func components(
    between first: String, and second: String
  ) -> (before: Substring, between: Substring, after: Substring)? {
    guard let start = firstRange(of: first), let end = firstRange(of: second),
      start.upperBound <= end.lowerBound
    else { return nil }
    return (
      self[..<start.lowerBound], self[start.upperBound..<end.lowerBound], self[end.upperBound...]
    )
  }

  private func firstRange(of mark: String) -> Range<Index>? {
    indices.lazy.first { self[$0...].hasPrefix(mark) }.map {
      $0..<index($0, offsetBy: mark.count)
    }
  }
}

@Suite("Explained recurring revenue")
struct RecurringExplanationTests {
  private static let sources: [Source] = [.subscribers, .receipts, .events]

  private func run(_ seed: UInt64, _ source: Source) throws -> (RunResult, ReportSandbox) {
    let kinds: [Source: Set<WorldOptions.ReportKind>] = [
      .subscribers: [.subscriber], .receipts: [.receipts],
      .events: [.subscription, .subscriptionEvent],
    ]
    let world = try SimulatedReports(
      seed: seed, subscribers: 120, from: "2025-11-01", to: "2026-04-10",
      kinds: kinds[source] ?? [], plans: PlanOptions(commitments: Share("0.3", of: "--commitments"))
    )
    let sandbox = try world.sandbox()
    let result = carryOut([sandbox.path], views: [[], [.product]]) { plan in
      plan.sources = [source]
      (plan.keepsCharges, plan.keepsReceipts) = (source == .subscribers, source == .receipts)
      plan.keepsContext = source == .events
    }
    return (result, sandbox)
  }

  private func rows(_ kind: TableKind, _ result: RunResult, view: Int = 0) throws -> [[String:
    String]]
  {
    let table = try result.tableMaker().table(kind, view: view)
    return table.rows.indices.map { table.row($0).mapValues(\.text) }
  }

  private func explain(
    _ kind: TableKind, _ row: [String: String], _ source: Source, _ result: RunResult,
    leavingOut: Bool = false, column: String? = nil
  ) throws -> Explanation {
    let keys = ["basis", "currency", "start_month", "months"].filter { row[$0] != nil }
    let question = try Question(
      kind.rawValue, columns: column.map { [$0] } ?? [],
      where: keys.map { "\($0)=\(row[$0] ?? "")" }, from: [source])
    let month = Month(row["month"] ?? "") ?? Month(year: 2026, month: 3)
    return try Explanation(question, month: month, result, Listing(leavingOut: leavingOut))
  }

  @Test(arguments: histories(6, from: 880), sources)
  func `says how each charge has its monthly value`(seed: UInt64, source: Source) throws {
    let (result, sandbox) = try run(seed, source)
    defer { withExtendedLifetime(sandbox) {} }
    let own = try rows(.recurring, result)
    #expect(!own.isEmpty)
    for row in own where row["month"] == "2026-03" || row["month"] == "2026-01" {
      let found = try explain(.recurring, row, source, result)
      #expect(found.failures == [], "\(row)")
      for place in found.table.rows.indices {
        let cells = found.table.row(place).mapValues(\.text)
        guard cells["column"] != "active", let milliunits = Double(cells["value"] ?? "") else {
          continue
        }
        let because = cells["because"] ?? ""
        let all = Calculation.all(in: because)
        #expect(all.allSatisfy { $0.isRight }, "\(because)")
        let count = source == .events ? Double(because.prefix { $0.isNumber }) ?? 0 : 1
        let isChange =
          cells["column"]?.hasPrefix("expansion") == true
          || cells["column"]?.hasPrefix("contraction") == true
        let sum = isChange && all.count == 2 ? all[0].result - all[1].result : all.last?.result
        #expect(abs(abs((sum ?? .nan) * count) - abs(milliunits / 1_000)) < 0.000_1, "\(cells)")
      }
    }
  }

  @Test(arguments: histories(6, from: 890), sources)
  func `and status are what their lists add up to, and leave out all else`(
    seed: UInt64, source: Source
  ) throws {
    let (result, sandbox) = try run(seed, source)
    defer { withExtendedLifetime(sandbox) {} }
    for row in try rows(.status, result) {
      let found = try explain(.status, row, source, result, leavingOut: true)
      #expect(found.failures == [], "\(row)")
      guard source != .events else { continue }
      // Each subscription is in one column.
      let counts = zip(found.sums, found.leftOut ?? []).filter { $0.0.column != "paid" }
      #expect(Set(counts.map { $0.0.count + $0.1 }).count == 1, "\(row)")
    }
    let revenue = try rows(.recurring, result).filter { $0["month"] == "2026-02" }
    for basis in ["price", "proceeds"] {
      let lists = try revenue.filter { $0["basis"] == basis }.map { row in
        try explain(.recurring, row, source, result, leavingOut: true, column: "active")
      }
      #expect(lists.allSatisfy { $0.failures.isEmpty })
      // Counted in one currency, or left out in all.
      #expect(Set(lists.map { $0.sums[0].count + ($0.leftOut?[0] ?? 0) }).count <= 1)
    }
  }

  @Test(arguments: histories(6, from: 900), [Source.subscribers, .receipts])
  func `leaves those out of lifetime value who have not paid`(seed: UInt64, source: Source) throws {
    let (result, sandbox) = try run(seed, source)
    defer { withExtendedLifetime(sandbox) {} }
    let lifetime = try rows(.lifetime, result)
    #expect(!lifetime.isEmpty)
    var charges: [[String?]: Set<Int>] = [:]
    for row in lifetime where row["start_month"] != "all" {
      let found = try explain(.lifetime, row, source, result, leavingOut: true)
      #expect(found.failures == [], "\(row)")
      let leftOut = Dictionary(
        uniqueKeysWithValues: zip(found.sums.map(\.column), found.leftOut ?? []))
      let paying = found.sums.first { $0.column == "paying" }?.count ?? 0
      #expect(row["started"] == String(paying + (leftOut["paying"] ?? 0)), "\(row)")
      let all =
        (found.sums.first { $0.column == "charges" }?.count ?? 0) + (leftOut["charges"] ?? 0)
      charges[["basis", "start_month", "currency"].map { row[$0] }, default: []].insert(all)
    }
    // Every row of a start month has the same charges, counted or not.
    #expect(charges.values.allSatisfy { $0.count == 1 })
  }

  @Test(arguments: sources)
  func `has the id of a product as the views by product have it`(source: Source) throws {
    let (result, sandbox) = try run(7, source)
    defer { withExtendedLifetime(sandbox) {} }
    let ids = Dictionary(
      try rows(.status, result, view: 1).map { ($0["product"] ?? "", $0["product_id"] ?? "") },
      uniquingKeysWith: { first, _ in first })
    let row = try #require(try rows(.status, result).last)
    let found = try explain(.status, row, source, result)
    #expect(found.table.columns.last?.name == "product_id")
    for place in found.table.rows.indices {
      let texts = found.table.texts(["product", "product_id"], row: place)
      #expect(ids[texts[0]] == texts[1], "\(texts)")
    }
  }
}
