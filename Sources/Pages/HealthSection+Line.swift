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
    if let settlements = finance?.problemSentence { sentences.append(settlements) }
    return (sentences + ["More under Health of the data."]).joined(separator: " ")
  }

  /// Returns whether days of the headline month are missing, empty or restated, in sentences.
  private func daysOf(_ month: Month) -> [String] {
    let name = month.longName(result.plan.monthSystem)
    let missing = counts(.missing, month).map { "\(counted($0.days, "day")) of \($0.kind)" }.unique
    let empty = withoutRows(in: month, name)
    var sentences = empty
    if !missing.isEmpty {
      sentences.insert("**Missing in \(name): \(missing.joined(separator: ", ")).**", at: 0)
    } else if empty.isEmpty {
      sentences.append("No day of \(name) is missing.")
    }
    let states: [DayCoverage.State] = empty.isEmpty ? [.empty] : []
    let own = dayCounts(states) { $0 == month }
    if !own.isEmpty { sentences.append("In it: \(own.joined(separator: ", ")).") }
    return sentences
  }

  /// Returns which reports have no rows on at least nine tenths of a month's days, and what to do about it; none without
  /// any.
  private func withoutRows(in month: Month, _ name: String) -> [String] {
    let months = result.plan.monthSystem
    let length = months.lastDay(of: month) - months.firstDay(of: month) + 1
    let empty = counts(.empty, month).filter { 10 * $0.days >= 9 * length }
    guard !empty.isEmpty else { return [] }
    let whole = empty.filter { $0.days == length }.map(\.kind).unique
    var sentences: [String] = []
    if !whole.isEmpty {
      sentences.append(
        "**\(name.capitalizedFirst) has no rows in \(whole.joined(separator: ", ")): all \(length) daily files\(whole.count == 1 ? "" : " of each") are empty.**"
      )
    }
    for (kind, days) in empty where days < length {
      sentences.append(
        "**\(name.capitalizedFirst) has nearly no rows in \(kind): \(days) of \(length) daily files are empty.**"
      )
    }
    return sentences + [
      "If there were sales, download these files again: until then tables and figures show losses that did not happen."
    ]
  }

  /// Returns the reports of a month that have no rows.
  func emptyReports(in month: Month) -> EmptyReports {
    days.emptyReports(in: month, result.plan.monthSystem)
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

  /// Returns the number of days of a month in a state, by kind of report and vendor in Markdown; none where it is 0.
  private func counts(
    _ state: DayCoverage.State, _ month: Month
  ) -> [(kind: String, days: Int)] {
    days.groups(in: state).map { group in
      let vendor = group.vendor.isEmpty ? "" : " of vendor \(MarkdownText.escaped(group.vendor))"
      return (
        "`\(group.kind)`\(vendor)",
        group.days.count { result.plan.monthSystem.month(of: $0) == month }
      )
    }.filter { $0.days > 0 }
  }
}
