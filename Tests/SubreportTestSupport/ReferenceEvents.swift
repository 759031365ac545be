package import SubscriptionModel
package import Tables

/// The obvious version of METRICS.md section 5 for source `events`, to compare with.
package struct ReferenceEvents {
  private let world: RandomEvents
  private let dimensions: [Dimension]
  private let isInSnapshot: Bool

  /// Prepares one view, whose dimensions are among product, country and start month.
  package init(_ world: RandomEvents, dimensions: [Dimension]) {
    self.world = world
    self.dimensions = dimensions
    isInSnapshot = !dimensions.contains(.startMonth)
  }

  /// Returns the rows of a table.
  package func rows(of table: TableKind) -> [[ReportTable.Cell]] {
    switch table {
    case .churn: rows { churn($0, $1, $2) }
    case .renewals: rows { month, own, _ in renewals(month, own) }
    case .movement: rows(from: firstMovement) { movement($0, $1, $2) }
    case .trials: rows { month, own, _ in trials(month, own) }
    case .retention: retention
    case .lapses, .refunds, .proceeds, .commitments, .recurring, .lifetime, .status: []
    case .definitions: dimensions.isEmpty ? definitions : []
    }
  }

  // MARK: What the tables share

  private func cohort(_ product: String, _ country: String, _ start: Day?) -> [String] {
    dimensions.map { dimension in
      switch dimension {
      case .product: product
      case .country: country
      default: start?.month.description ?? "unknown"
      }
    }
  }

  private func cohort(_ row: EventRow) -> [String] {
    cohort(row.product, row.country, row.originalStart)
  }

  /// The cohort under the product before a change.
  private func oldCohort(_ row: EventRow) -> [String] {
    let product = row.previousProduct.isEmpty ? row.product : row.previousProduct
    return cohort(product, row.country, row.originalStart)
  }

  private var cohorts: Set<[String]> {
    Set(world.rows.map(cohort) + world.rows.map(oldCohort))
      .union(world.snapshots.map { cohort($0.product, $0.country, nil) })
  }

  private func rows(
    from first: Month? = nil,
    cells: (Month, [EventRow], [String]) -> [ReportTable.Cell]?
  ) -> [[ReportTable.Cell]] {
    let earliest = first ?? day("2023-01-01").month
    var rows: [(keys: [String], cells: [ReportTable.Cell])] = []
    for number in earliest.number...world.asOf.month.number {
      let month = Month(number: number)
      for cohort in cohorts {
        let own = world.rows.filter { $0.day.month == month && self.cohort($0) == cohort }
        guard let cells = cells(month, own, cohort) else { continue }
        let known = isWithoutFiles(month) ? withoutNumbers(cells) : cells
        rows.append((["events", month.description] + cohort, known))
      }
    }
    rows.sort { $0.keys.lexicographicallyPrecedes($1.keys) }
    return rows.map { row in row.keys.map { .text($0) } + row.cells }
  }

  /// Whether no day of the month has a file of events.
  private func isWithoutFiles(_ month: Month) -> Bool {
    (0..<month.dayCount).map { month.firstDay + $0 }.allSatisfy {
      $0 < world.firstFileDay || $0 > world.asOf || world.missingDays.contains($0)
    }
  }

  private func sum(_ rows: [EventRow], _ isCounted: (EventRow) -> Bool) -> Int {
    rows.filter(isCounted).reduce(0) { $0 + $1.quantity }
  }

  private func paid(_ rows: [EventRow], _ eventClass: EventClass) -> Int {
    sum(rows) { $0.eventClass == eventClass && $0.paidPeriods >= 1 }
  }

  /// The snapshot of exactly the last day before a month.
  private func stock(before month: Month, _ cohort: [String]) -> Int? {
    guard isInSnapshot, world.snapshotDays.contains(month.firstDay - 1) else { return nil }
    if month > firstMovement, isWithoutFiles(month - 1) { return nil }
    return world.snapshots.filter {
      $0.day == month.firstDay - 1 && self.cohort($0.product, $0.country, nil) == cohort
    }.reduce(0) { $0 + $1.active }
  }

  private func state(_ month: Month) -> ReportTable.Cell {
    if month.firstDay < world.firstFileDay
      || world.missingDays.contains(where: { $0.month == month })
    {
      return .text("partial")
    }
    return .text(month.lastDay > world.asOf ? "provisional" : "final")
  }

  private func interval(_ count: Int, of total: Int?) -> [ReportTable.Cell] {
    guard let interval = Statistics.wilson(count, of: total ?? 0) else {
      return [.missing, .missing]
    }
    return [.fraction(interval.low), .fraction(interval.high)]
  }

  private func cell(_ count: Int?) -> ReportTable.Cell { count.map { .count($0) } ?? .missing }

  // MARK: Tables

  private func churn(_ month: Month, _ own: [EventRow], _ cohort: [String]) -> [ReportTable.Cell]? {
    let count = { (reason: LapseReason) in
      ReportTable.Cell.count(
        sum(own) { $0.eventClass == .lapse && $0.paidPeriods >= 1 && $0.reason == reason })
    }
    let churned = paid(own, .lapse)
    let active = stock(before: month, cohort)
    guard churned > 0 || (active ?? 0) > 0 else { return nil }
    return [
      cell(active), .count(churned), count(.voluntary), count(.billing), count(.price), .missing,
      count(.removed), count(.other), count(.unknown), .count(0),
      active.map { .rate(churned, of: $0) } ?? .missing,
    ] + interval(churned, of: active) + [state(month)]
  }

  private func lapsed(_ own: [EventRow]) -> Int {
    sum(own) { $0.eventClass == .lapse && $0.paidPeriods >= 1 && !$0.isFromRetryOrGrace }
  }

  private func pending(_ own: [EventRow]) -> Int {
    sum(own) {
      ($0.eventClass == .retry || $0.eventClass == .grace) && $0.paidPeriods >= 1
        && !$0.isFromRetryOrGrace
    }
  }

  private func renewals(_ month: Month, _ own: [EventRow]) -> [ReportTable.Cell]? {
    let downgrades = sum(own) {
      $0.eventClass == .change && $0.isDowngrade && $0.paidPeriods >= 1
    }
    let renewed = paid(own, .renewal) + downgrades
    let due = renewed + lapsed(own) + pending(own)
    let recovered = paid(own, .recovery)
    guard due + recovered > 0 else { return nil }
    return [
      .count(due), .count(renewed), .count(recovered), .count(lapsed(own)),
      .count(pending(own)), .rate(renewed, of: due),
    ] + interval(renewed, of: due) + [state(month)]
  }

  /// METRICS.md 11.5: only Apple's renewal rate.
  private var definitions: [[ReportTable.Cell]] {
    (day("2023-01-01").month.number...world.asOf.month.number).flatMap { number in
      let month = Month(number: number)
      let own = world.rows.filter { $0.day.month == month }
      let downgrades = sum(own) {
        $0.eventClass == .change && $0.isDowngrade && $0.paidPeriods >= 1
      }
      let renewed = paid(own, .renewal) + downgrades
      let due = renewed + lapsed(own) + pending(own)
      let rows = ReferenceDefinition(
        keys: ["events", month.description, "renewal_rate", "", "apple"], state: state(month),
        ours: .rate(renewed, due),
        steps: [
          ("product", .rate(renewed - downgrades, due), ""), ("month", nil, "instants"),
        ]
      ).rows
      return isWithoutFiles(month) ? rows.map(ReferenceDefinition.withoutFiles) : rows
    }
  }

  private func trials(_ month: Month, _ own: [EventRow]) -> [ReportTable.Cell]? {
    let converted = sum(own) { $0.eventClass == .conversion }
    let lost = sum(own) { $0.eventClass == .lapse && $0.paidPeriods == 0 }
    guard converted + lost > 0 else { return nil }
    return [
      .missing, .count(converted), .count(lost), .missing, .missing, .missing, .missing,
      state(month),
    ]
  }

  private var firstMovement: Month {
    let paidClasses: [EventClass] = [
      .start, .conversion, .reactivation, .recovery, .change, .renewal, .retry, .grace, .lapse,
    ]
    let months = world.rows.filter { paidClasses.contains($0.eventClass) && $0.paidPeriods >= 1 }
      .map(\.day.month)
    return min(months.min() ?? world.firstFileDay.month, world.firstFileDay.month)
  }

  private func movement(
    _ month: Month, _ own: [EventRow], _ cohort: [String]
  ) -> [ReportTable.Cell]? {
    let switchedOut = sum(world.rows) {
      $0.day.month == month && $0.eventClass == .change && $0.paidPeriods >= 1
        && oldCohort($0) == cohort
    }
    let arrived = [
      paid(own, .start), 0, paid(own, .conversion), paid(own, .reactivation),
      paid(own, .recovery), paid(own, .change),
    ]
    let left = [lapsed(own), pending(own), switchedOut]
    let open = stock(before: month, cohort)
    let observed = stock(before: month + 1, cohort)
    let close = open.map { $0 + arrived.reduce(0, +) - left.reduce(0, +) }
    let unexplained = close.flatMap { close in observed.map { $0 - close } }
    let numbers = arrived + left + [open, close, observed, unexplained].compactMap { $0 }
    guard numbers.contains(where: { $0 != 0 }) else { return nil }
    return [cell(open)] + (arrived + left).map { .count($0) }
      + [cell(close), cell(observed), cell(unexplained)]
  }

  private var retention: [[ReportTable.Cell]] {
    var rows: [(keys: [String], k: Int, cells: [ReportTable.Cell])] = []
    for cohort in cohorts {
      let own = world.rows.filter { self.cohort($0) == cohort }
      var steps: [(atRisk: Int, lost: Int)] = []
      for k in 1...5 {
        let lost = sum(own) { $0.eventClass == .lapse && $0.paidPeriods == k }
        let kept = sum(own) {
          ($0.isPlainRenewal || $0.eventClass == .recovery) && $0.paidPeriods == k + 1
        }
        guard lost + kept > 0 else { continue }
        steps.append((lost + kept, lost))
        let survival = steps.reduce(1.0) { $0 * (1 - Double($1.lost) / Double($1.atRisk)) }
        let interval = Statistics.kaplanMeier(steps).last?.interval
        rows.append(
          (
            ["events"] + cohort, k,
            [
              .count(k), .count(lost + kept), .count(lost), .count(kept), .fraction(survival),
              interval.map { .fraction($0.low) } ?? .missing,
              interval.map { .fraction($0.high) } ?? .missing,
              .text(world.missingDays.isEmpty ? "final" : "partial"),
            ]
          ))
      }
    }
    rows.sort { $0.keys == $1.keys ? $0.k < $1.k : $0.keys.lexicographicallyPrecedes($1.keys) }
    return rows.map { row in row.keys.map { .text($0) } + row.cells }
  }
}
