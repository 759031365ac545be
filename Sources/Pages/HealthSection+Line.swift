import AppStoreReports
import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// The health of the data in one line, at the top of the pages.
extension HealthSection {
  /// The health in one line, in Markdown: the days of the headline month, those of other months, and how many files, rows
  /// and events are in no number; details are in the section.
  package var line: String {
    guard problems.contains(where: { !$0.kind.isEmpty }) else { return allIsWell }
    let month = days.entries.isEmpty ? nil : result.lastCompleteMonth()
    var sentences = month.map(daysOf) ?? []
    let others = dayCounts { month == nil || $0 != month }
    if !others.isEmpty {
      let place = month == nil ? "Days of the data" : "In other months"
      sentences.append("\(place): \(others.joined(separator: ", ")).")
    }
    let counts = notCounted
    if !counts.isEmpty { sentences.append("In no number: \(counts.joined(separator: ", ")).") }
    let failed = checks.all.count { !$0.holds }
    if failed > 0 { sentences.append("\(counted(failed, "check")) failed.") }
    let verdicts = (finance?.problems ?? []).map { $0.kind.lowercased() }.unique
    if !verdicts.isEmpty { sentences.append("Settlements: \(verdicts.joined(separator: ", ")).") }
    return (sentences + ["More under Health of the data."]).joined(separator: " ")
  }

  /// Returns whether days of the headline month are missing, empty or restated, in sentences.
  private func daysOf(_ month: Month) -> [String] {
    let name = month.longName(result.plan.monthSystem)
    let missing = counts(.missing, month).map { "\(counted($0.days, "day")) of `\($0.kind)`" }
      .unique
    var sentences = [
      missing.isEmpty
        ? "No day of \(name) is missing."
        : "**Missing in \(name): \(missing.joined(separator: ", ")).**"
    ]
    let length = dayCount(of: month)
    let empty = nearlyEmpty(month).map {
      "\($0.days) of \(counted(length, "day")) of `\($0.kind)`"
    }.unique
    if !empty.isEmpty {
      sentences.append(
        "**Empty in \(name): \(empty.joined(separator: ", ")).** If there were sales, download these files again: otherwise the month shows losses that did not happen."
      )
    }
    let states: [DayCoverage.State] = empty.isEmpty ? [.empty] : []
    let own = dayCounts(states) { $0 == month }
    if !own.isEmpty { sentences.append("In it: \(own.joined(separator: ", ")).") }
    return sentences
  }

  /// Returns the kinds of report of which at least nine tenths of a month's days have no rows.
  private func nearlyEmpty(_ month: Month) -> [(kind: String, days: Int)] {
    let length = dayCount(of: month)
    return counts(.empty, month).filter { 10 * $0.days >= 9 * length }
  }

  private func dayCount(of month: Month) -> Int {
    let months = result.plan.monthSystem
    return months.lastDay(of: month) - months.firstDay(of: month) + 1
  }

  /// Returns the sources without rows on all days of a month, or on nearly all if the month before had more.
  ///
  /// Their losses may not have happened.
  ///
  /// - Parameter month: The month.
  /// - Returns: The sources; not those of an app that seldom sells.
  func emptySources(in month: Month) -> Set<Source> {
    let sources: [String: Source] = [
      ReportKind.subscriber.rawValue: .subscribers,
      ReportKind.subscriptionEvent.rawValue: .events, ReportKind.sales.rawValue: .sales,
    ]
    let before = Set(nearlyEmpty(month - 1).map(\.kind))
    let length = dayCount(of: month)
    let empty = nearlyEmpty(month).filter { $0.days == length || !before.contains($0.kind) }
    return Set(empty.compactMap { sources[$0.kind] })
  }

  /// Returns the numbers of days that are missing, empty or restated, such as `1 missing day (2026-02-26)`.
  ///
  /// - Parameters:
  ///   - states: The states to count besides restated days.
  ///   - isCounted: Whether days of a month count.
  /// - Returns: The numbers above 0; a single day is named.
  private func dayCounts(
    _ states: [DayCoverage.State] = [.missing, .empty], in isCounted: (Month) -> Bool
  ) -> [String] {
    let own = days.entries.filter { isCounted(result.plan.monthSystem.month(of: $0.day)) }
    let found =
      states.map { state in (state.rawValue, own.filter { $0.state == state }) }
      + [("restated", own.filter(\.isRestated))]
    return found.compactMap { word, entries in
      let days = Set(entries.map(\.day)).sorted()
      guard let first = days.first else { return nil }
      return counted(days.count, "\(word) day") + (days.count == 1 ? " (\(first))" : "")
    }
  }

  /// The files, rows and events that are in no number; none where there are none.
  private var notCounted: [String] {
    let files = result.files.count { $0.problem != nil } + result.inputErrors.count
    let unknown = result.sources.first { $0.source == .events }?.tally.unknownEvents ?? [:]
    let counts = [
      (number: files, noun: "unusable file"), (number: result.rejectedRows, noun: "rejected row"),
      (number: unknown.values.reduce(0, +), noun: "unknown event"),
    ]
    return counts.filter { $0.number > 0 }.map { counted($0.number, $0.noun) }
  }

  /// Returns the number of days of a month in a state, by kind of report and vendor; none where it is 0.
  private func counts(
    _ state: DayCoverage.State, _ month: Month
  ) -> [(kind: String, days: Int)] {
    days.groups(in: state).map { group in
      (group.kind, group.days.count { result.plan.monthSystem.month(of: $0) == month })
    }.filter { $0.days > 0 }
  }
}
