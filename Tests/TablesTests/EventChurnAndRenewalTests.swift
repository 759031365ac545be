import Counting
import Storage
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Tables of random events")
struct EventChurnAndRenewalTests {
  static let views: [[Dimension]] = [
    [], [.startMonth], [.product], [.country], [.country, .product],
  ]

  @Test(arguments: seeds(100))
  func `agree with the obvious version`(seed: UInt64) throws {
    let world = RandomEvents(seed: seed)
    let texts = FoldedEvents.symbols
    let report = SourceReport(
      tally: FoldedEvents.tally(world, Self.views), completeness: FoldedEvents.completeness(world))
    let tables = TableMaker(
      sources: [report], views: Self.views,
      names: Names(symbols: texts, products: [:], apps: [:]))
    for (view, dimensions) in Self.views.enumerated() {
      let reference = ReferenceEvents(world, dimensions: dimensions)
      for kind in TableKind.allCases {
        let found = try tables.table(kind, view: view).rowsWithoutIDs
        #expect(Differences(found, reference.rows(of: kind)) == nil, "\(kind) by \(dimensions)")
      }
    }
  }

  @Test
  func `are left out of views by the kind of the first charge`() throws {
    let world = RandomEvents(seed: 1)
    let report = SourceReport(
      tally: FoldedEvents.tally(world, [[.offer]]), completeness: FoldedEvents.completeness(world))
    let tables = TableMaker(
      sources: [report], views: [[.offer]],
      names: Names(symbols: FoldedEvents.symbols, products: [:], apps: [:]))
    #expect(try tables.table(.churn, view: 0).rows.isEmpty)
  }

  @Test(arguments: seeds(20))
  func `count events of unknown names apart`(seed: UInt64) {
    let world = RandomEvents(seed: seed)
    let unknown = world.rows.filter { $0.eventClass == .unknown }.reduce(0) { $0 + $1.quantity }
    let tally = FoldedEvents.tally(world, [[]])
    #expect(tally.unknownEvents.values.reduce(0, +) == unknown)
  }

  @Test(arguments: seeds(50))
  func `are the same, however the events are split and merged`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let world = RandomEvents(seed: seed)
    var parts = FoldedEvents.tallies(world, Self.views, parts: 4, using: &random)
    parts.shuffle(using: &random)
    var merged = parts[0]
    for part in parts.dropFirst() { merged.merge(part) }
    let names = Names(symbols: FoldedEvents.symbols, products: [:], apps: [:])
    let tables = [FoldedEvents.tally(world, Self.views), merged].map {
      TableMaker(
        sources: [SourceReport(tally: $0, completeness: FoldedEvents.completeness(world))],
        views: Self.views, names: names)
    }
    for view in Self.views.indices {
      for kind in TableKind.allCases {
        #expect(try tables[0].table(kind, view: view) == tables[1].table(kind, view: view))
      }
    }
  }
}

/// Random events as the program counts them.
enum FoldedEvents {
  static let symbols = ["", "monthly", "yearly", "weekly", "US", "DE", "name"]

  private static func symbol(_ text: String) -> Symbol {
    Symbol(symbols.firstIndex(of: text) ?? 0)
  }

  static func completeness(_ world: RandomEvents) -> Completeness {
    let days = (0...(world.asOf - world.firstFileDay)).map { world.firstFileDay + $0 }
    return Completeness(
      firstDay: world.firstFileDay, asOf: world.asOf,
      presentDays: Set(days).subtracting(world.missingDays))
  }

  static func tally(_ world: RandomEvents, _ views: [[Dimension]]) -> Tally {
    var random = SeededGenerator(seed: 0)
    return tallies(world, views, parts: 1, using: &random)[0]
  }

  static func tallies(
    _ world: RandomEvents, _ views: [[Dimension]], parts: Int, using random: inout SeededGenerator
  ) -> [Tally] {
    let months = Month(year: 2023, month: 1)...Month(year: 2025, month: 1)
    let empty = Tally(
      source: .events, views: views, filter: Filter(), months: months, hasMoney: true,
      hasOthers: true)
    var folds = (0..<parts).map { _ in EventFold(tally: empty) }
    for (index, row) in world.rows.enumerated() {
      let key = EventRowKey(
        terms: UInt32(index), day: row.day, originalStart: row.originalStart,
        paidPeriods: Int32(row.paidPeriods))
      folds[Int.random(in: 0..<parts, using: &random)].add(
        key, quantity: row.quantity, terms: terms(of: row))
    }
    for day in world.snapshotDays {
      folds[Int.random(in: 0..<parts, using: &random)].addSnapshot(of: day)
    }
    for row in world.snapshots {
      var attributes = Attributes()
      attributes.product = symbol(row.product)
      attributes.country = symbol(row.country)
      folds[Int.random(in: 0..<parts, using: &random)].addSnapshotRow(
        active: row.active, of: row.day, attributes: attributes)
    }
    return folds.map(\.tally)
  }

  private static func terms(of row: EventRow) -> EventTerms {
    var attributes = Attributes()
    attributes.product = symbol(row.product)
    attributes.country = symbol(row.country)
    var terms = EventTerms(
      attributes: attributes, eventClass: row.eventClass, name: symbol("name"))
    terms.isDowngrade = row.isDowngrade
    terms.isPlainRenewal = row.isPlainRenewal
    terms.isFromRetryOrGrace = row.isFromRetryOrGrace
    terms.reason = row.reason
    terms.previousProduct = symbol(row.previousProduct)
    return terms
  }
}
