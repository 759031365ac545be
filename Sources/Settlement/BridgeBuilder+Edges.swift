import SubscriptionModel

/// What a line would gain or lose if a unit counted on the other side of a period's edge.
struct EdgeChange {
  let cell: BridgeCell
  let line: Bridge.Line
  let milliunits: Int128
}

/// Units that may be sold on the last day of a period or on the first of the next: METRICS.md section 7, "Labels".
extension BridgeBuilder {
  /// Adds the changes to the bridges that are there without them.
  mutating func add(_ changes: [EdgeChange]) {
    let names = Set(cells.keys.map(\.name))
    for change in changes where names.contains(change.cell.name) {
      cells[change.cell, default: BridgeSums()].addEdge(change.milliunits, change.line)
    }
  }

  /// Returns the changes by the units of one key that are not paired on their own day.
  mutating func edgeChanges(_ key: UnitKey, _ pairing: UnitPairing) -> [EdgeChange] {
    var changes: [EdgeChange] = []
    for unit in pairing.unequal where !isInOtherRegion(key, unit) {
      for first in Set(unit.days.compactMap(Self.dayAfterEdge)) {
        let days = unit.period.firstDay == first ? (first, first - 1) : (first - 1, first)
        guard FiscalPeriod(containing: days.0) == unit.period else { continue }
        changes += amounts(key, unit, countedOn: days.0, isOwn: true).map {
          EdgeChange(cell: $0.cell, line: $0.line, milliunits: -$0.milliunits)
        }
        changes += amounts(key, unit, countedOn: days.1, isOwn: false)
      }
    }
    return changes
  }

  /// Returns whether line 25 has the units.
  private mutating func isInOtherRegion(_ key: UnitKey, _ unit: UnequalUnits) -> Bool {
    let pair = cell(unit.period, key, on: unit.days[0]).pair
    return unit.settled == nil && shift.settlementBridges[pair] != nil
      || unit.sold == nil && shift.salesBridges[pair] != nil
  }

  /// Days before and after an edge: units of one key hand on a day that differs, each to the next.
  private static var edgeDays: Int { 5 }

  /// Returns the first day of the period whose edge a day is near.
  private static func dayAfterEdge(_ day: Day) -> Day? {
    let period = FiscalPeriod(containing: day)
    if day - period.firstDay < edgeDays { return period.firstDay }
    return period.lastDay - day < edgeDays ? period.lastDay + 1 : nil
  }

  /// Returns what units add to lines 20 to 23 if they count in the period of a day.
  private mutating func amounts(
    _ key: UnitKey, _ unit: UnequalUnits, countedOn day: Day, isOwn: Bool
  ) -> [EdgeChange] {
    let period = FiscalPeriod(containing: day)
    let own = cell(period, key, on: day)
    guard let settled = unit.settled else {
      // The range of a period that is not final has its open units.
      guard let sold = unit.sold, input.method(period) == .counting,
        !isOwn || input.isFinal(period)
      else { return [] }
      return [
        EdgeChange(
          cell: own, line: openPart(key, day, period).line,
          milliunits: -key.value(sold.share, unit.count).milliunits)
      ]
    }
    guard settled.period != period else { return [] }
    let value = key.value(settled.share, unit.count).milliunits
    let there = cell(settled.period, key, on: settled.transactionDay)
    return [
      EdgeChange(cell: there, line: key.timing.into.line, milliunits: value),
      EdgeChange(cell: own, line: key.timing.out.line, milliunits: -value),
    ].filter { input.method($0.cell.period) == .counting }
  }
}
