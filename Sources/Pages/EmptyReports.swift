import AppStoreReports
import Counting
package import Pipeline
package import SubscriptionModel
package import Tables

/// The reports of a month that have no rows: numbers that are made from them say nothing of the month.
///
/// Such as all SUBSCRIBER reports of September, each with a header and no rows. A count made from them would be 0, or
/// that of the month before.
struct EmptyReports {
  /// The states of the days of each kind of report without a row in the month.
  fileprivate(set) var states: [ReportKind: Set<DayCoverage.State>] = [:]
  /// The sources without rows on all days of the month, or on nearly all if the month before had more.
  ///
  /// Their losses may not have happened, so they are compared with nothing. An app that seldom sells is not among them.
  fileprivate(set) var sources: Set<Source> = []

  /// Returns such as `all Subscriber reports of September 2026 are empty`; `nil` where a report of the numbers has
  /// rows.
  func reason(_ headlines: [Headline], _ source: Source, of name: String) -> String? {
    let kinds = headlines.compactMap { Self.kind(of: $0, source) }
    guard !kinds.isEmpty, kinds.count == headlines.count else { return nil }
    let known = kinds.compactMap { states[$0] }
    guard known.count == kinds.count else { return nil }
    let all = known.reduce(into: Set()) { $0.formUnion($1) }
    let how = all == [.empty] ? "empty" : all == [.missing] ? "missing" : "missing or empty"
    let names = Set(kinds.map(\.nameInSentences)).sorted().joined(separator: " and ")
    return "all \(names) reports of \(name) are \(how)"
  }

  /// Returns why a table has no row of the month that says anything, in the same words; `nil` where it may have.
  func reason(_ table: TableKind, _ source: Source, of name: String) -> String? {
    let needed: Headline? =
      switch table {
      case .movement, .churn, .commitments: .churnRate
      case .renewals: .renewalRate
      case .trials: .conversionRate
      case .refunds: .refundRate
      case .proceeds: .netProceeds
      default: nil
      }
    guard let needed else { return nil }
    if let why = reason([needed], source, of: name) { return why }
    // An empty snapshot counts 0 subscriptions; without one the cells are empty.
    guard table == .movement, source == .events, states[.subscription]?.contains(.empty) == true
    else { return nil }
    return reason([.active], source, of: name)
  }

  /// Returns whether the reports that a number is made from have no rows in the month, or nearly none.
  func isEmpty(_ headline: Headline, _ source: Source) -> Bool {
    guard let kind = Self.kind(of: headline, source) else { return false }
    if states[kind] != nil { return true }
    // Snapshots count active subscriptions, also in a month without events.
    return kind != .subscription && sources.contains(source)
  }

  /// Returns the kind of report that a number of a source is made from; `nil` for receipts.
  private static func kind(of headline: Headline, _ source: Source) -> ReportKind? {
    switch source {
    case .subscribers: .subscriber
    case .sales: .sales
    case .events:
      headline == .active || headline == .netChange ? .subscription : .subscriptionEvent
    case .receipts: nil
    }
  }
}

extension DayCoverage {
  /// Returns the kinds of report without rows in a month, and the sources that are compared with nothing.
  func emptyReports(in month: Month) -> EmptyReports {
    let near = months.firstDay(of: month - 1)...months.lastDay(of: month)
    let entries = entries.filter { near.contains($0.day) }
    var empty = EmptyReports()
    for kind in [ReportKind.subscriber, .subscriptionEvent, .subscription, .sales] {
      let found = states(of: kind, in: month, entries)
      if !found.isEmpty, found.isDisjoint(with: [.present, .covered]) {
        empty.states[kind] = found
      }
    }
    let kinds: [(ReportKind, Source)] = [
      (.subscriber, .subscribers), (.subscriptionEvent, .events), (.sales, .sales),
    ]
    for (kind, source) in kinds {
      let (days, length) = emptyDays(of: kind, in: month, entries)
      guard 10 * days >= 9 * length else { continue }
      let before = emptyDays(of: kind, in: month - 1, entries)
      if days == length || 10 * before.days < 9 * before.length { empty.sources.insert(source) }
    }
    return empty
  }

  private func states(of kind: ReportKind, in month: Month, _ entries: [Entry]) -> Set<State> {
    let days = months.firstDay(of: month)...months.lastDay(of: month)
    let own = entries.filter { $0.kind == kind.rawValue && days.contains($0.day) }
    return Set(own.map { $0.state == .pending ? .missing : $0.state })
  }

  /// Returns the number of a month's days on which no vendor's report has rows and one is empty, and that of all days.
  private func emptyDays(
    of kind: ReportKind, in month: Month, _ entries: [Entry]
  ) -> (days: Int, length: Int) {
    let (first, last) = (months.firstDay(of: month), months.lastDay(of: month))
    let own = entries.filter { $0.kind == kind.rawValue && (first...last).contains($0.day) }
    let days = { (state: State) in Set(own.filter { $0.state == state }.map(\.day)) }
    let others = days(.present).union(days(.covered))
    return (days(.empty).subtracting(others).count, last - first + 1)
  }
}

extension ReportKind {
  /// The report's name in sentences, as in App Store Connect: `Subscription Event`.
  var nameInSentences: String {
    switch self {
    case .sales: "Sales"
    case .subscriber: "Subscriber"
    case .subscriptionEvent: "Subscription Event"
    case .subscription: "Subscription"
    default: displayName
    }
  }
}

extension RunResult {
  /// The kinds of report whose files of the last complete month are all empty: `no rows in September 2026: sales`.
  package var kindsWithoutRows: String? {
    guard let month = lastCompleteMonth() else { return nil }
    let states = days.emptyReports(in: month).states
    let kinds = states.filter { $0.value.contains(.empty) }.keys.map(\.rawValue).sorted()
    guard !kinds.isEmpty else { return nil }
    return "no rows in \(month.longName(plan.monthSystem)): \(kinds.joined(separator: ", "))"
  }

  /// Returns which rows of a table are made from reports without rows, a sentence for each source and month.
  ///
  /// Such as `all Subscriber reports of September 2026 are empty: its numbers of subscribers are no measurement`.
  package func rowsWithoutMeasurement(
    _ kind: TableKind, _ sources: Set<Source>, in shown: ClosedRange<Month>
  ) -> [String] {
    guard let data = monthsOfData(for: kind), shown.overlaps(data) else { return [] }
    let (first, last) = (
      max(shown.lowerBound, data.lowerBound), min(shown.upperBound, data.upperBound)
    )
    let days = days
    return (0...(last - first)).flatMap { distance -> [String] in
      let month = first + distance
      let empty = days.emptyReports(in: month)
      let name = month.longName(plan.monthSystem)
      return sources.sorted().compactMap { source in
        let hasNoFile = isWithoutFiles(source, month)
        return empty.reason(kind, source, of: name).map {
          hasNoFile
            ? "\($0): no number of \(source.rawValue)"
            : "\($0): its numbers of \(source.rawValue) are no measurement"
        }
      }
    }
  }

  /// Returns whether no file of a source covers a day of a month.
  package func isWithoutFiles(_ source: Source, _ month: Month) -> Bool {
    sources.first { $0.source == source }?.completeness.isWithoutFiles(month) ?? false
  }

  /// Returns a table of months without the rows of months without files, whose cells are empty.
  func withoutMonthsWithoutFiles(_ table: ReportTable) -> ReportTable {
    var shown = table
    let isShown = table.namedRows.map { row in
      guard let month = plan.monthSystem.month(named: row.text("month")),
        let source = Source(rawValue: row.source)
      else { return true }
      return !isWithoutFiles(source, month)
    }
    shown.rows = zip(table.rows, isShown).filter(\.1).map(\.0)
    return shown
  }

  /// Returns a table for readers without numbers that are no measurement.
  ///
  /// In a month whose reports are all empty, rates, their intervals and counts of 0 would look like a month without losses.
  /// `no data` stands in place of the table's main number. A month without files has no row. CSV files keep the numbers that
  /// METRICS.md defines.
  package func withoutUnmeasured(_ table: ReportTable) -> ReportTable {
    guard let kind = TableKind(rawValue: table.name) else { return table }
    let days = days
    var found: [Month: EmptyReports] = [:]
    let table = withoutMonthsWithoutFiles(table)
    var shown = table
    for (place, row) in table.namedRows.enumerated() {
      guard let month = plan.monthSystem.month(named: row.text("month")),
        let source = Source(rawValue: row.source)
      else { continue }
      let empty = found[month] ?? days.emptyReports(in: month)
      found[month] = empty
      guard empty.reason(kind, source, of: "") != nil else { continue }
      for (index, column) in table.columns.enumerated()
      where column.kind == .rate || column.name == "state" || shown.rows[place][index] == .count(0)
      {
        shown.rows[place][index] =
          column.name == table.mainColumn ? .text("no data") : .missing
      }
    }
    return shown
  }
}
