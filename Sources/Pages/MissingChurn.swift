import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

extension RunResult {
  /// Returns why a month has no churn rate, and which files to add, as a sentence in Markdown.
  ///
  /// Such as: Sales reports do not say who stayed; add Subscriber reports.
  ///
  /// - Parameters:
  ///   - values: The headline numbers of the month.
  ///   - month: The month; `nil` without any source.
  /// - Returns: The sentence; blank when there is a churn rate.
  func missingChurn(_ values: [HeadlineValue], _ month: Month?) -> String {
    guard !values.contains(where: { $0.headline == .churnRate }) else { return "" }
    return "**No churn rate:** \(reasonWithoutChurn(month))"
  }

  /// Returns whether days of a month have no file of a source; days before its first file are not meant.
  func hasMissingDays(_ source: Source, in month: Month) -> Bool {
    let days = sources.first { $0.source == source }?.completeness.missingDays ?? []
    return stopDay(source, in: month) != nil
      || days.contains { plan.monthSystem.month(of: $0) == month }
  }

  /// Returns the day of a month on which the reports of a source stop although other reports go on; `nil` where they do
  /// not.
  func stopDay(_ source: Source, in month: Month) -> Day? {
    guard let days = sources.first(where: { $0.source == source })?.completeness,
      days.hasStopped, month == days.lastMonth, !days.isOver(month)
    else { return nil }
    return days.asOf
  }

  private func reasonWithoutChurn(_ month: Month?) -> String {
    let own = Set(sources.map(\.source))
    let add =
      "add Subscriber reports, or Subscription Event with Subscription reports, or receipts."
    guard let month, !own.isEmpty else {
      return "settlements do not say who stayed; \(add)"
    }
    if own == [.sales] { return "Sales reports do not say who stayed; \(add)" }
    let before = plan.monthSystem.firstDay(of: month) - 1
    for report in sources where report.source != .sales && report.source != .receipts {
      guard let kind = PageContent.kinds(report.source).first?.nameInSentences else { continue }
      if isWithoutFiles(report.source, month) {
        return
          "no \(kind) report of \(month.longName(plan.monthSystem)) is there; download them (\(Self.keptDays))."
      }
      if report.isAfterMonthWithoutFiles(month) {
        return
          "no \(kind) report of \((month - 1).longName(plan.monthSystem)) is there, so who was active on \(before) is not known."
      }
    }
    let isOfEvents = own.contains(.events) && own.isDisjoint(with: [.subscribers, .receipts])
    if isOfEvents,
      sources.first(where: { $0.source == .events })?
        .tally.snapshotMonths.contains(month) == false
    {
      return
        "Subscription Event reports do not say how many subscriptions were active before the month; add the Subscription report of \(before), or Subscriber reports."
    }
    let first = sources.filter { $0.source != .sales }.map(\.completeness.firstDay).min()
    if let first, first > before {
      return
        "the data begin on \(first), so who was active before the month is not known; add the reports of the month before."
    }
    return "no subscription is known to have been active at the end of \(before)."
  }
}

/// The sentences where churn is not known, or is not that of the whole month.
extension HeadlineWords {
  // MARK: Without a churn rate

  /// The first source that counts who churned in the month, and its counts of the month and the month before, in words;
  /// `nil` where there is a rate, and on the page of an app.
  ///
  /// Such as `35 in September 2026, 29 in August 2026`.
  var countedAsChurned: (source: Source, text: String)? {
    guard !values.contains(where: { $0.headline == .churnRate }) else { return nil }
    for source in sourceOrder {
      let texts = [month, month - 1].map { month -> String? in
        guard let row = row(of: .churn, source, month), let churned = row["churned"] else {
          return nil
        }
        let state = row.text("state")
        let note = state == "final" ? "" : " (\(state))"
        return "\(NumberStyle.grouped(churned)) in \(name(month))\(note)"
      }
      guard texts[0] != nil else { continue }
      return (source, texts.compactMap(\.self).joined(separator: ", "))
    }
    return nil
  }

  /// How many churned and why, and how many renewed, where the share that churned is not known; `nil` where the count is
  /// not known either.
  var countOfChurned: String? {
    guard let counted = countedAsChurned else { return nil }
    let why = reasons(counted.source, since: nil).map { ": \($0)" } ?? ""
    let start = "Counted as churned: \(counted.text) (\(counted.source.rawValue))\(why)."
    guard let renewals = values.first(where: { $0.headline == .renewalRate }), isKnown(renewals),
      !lacksDays(renewals.source), case .text(let counts) = countsCell(renewals)
    else { return start }
    let interval = intervalText(renewals).map { " (\($0))" } ?? ""
    let before = comparison(renewals, renewals.before, explainsAge: true).map { ", \($0)" } ?? ""
    return
      "\(start) \(counts) renewed: \(text(renewals.value))\(interval)\(certainty(renewals))\(before)."
  }

  // MARK: Months that lack days

  /// Returns whether days of the month have no file of a source; days before its first file are not meant.
  func lacksDays(_ source: Source) -> Bool { result.hasMissingDays(source, in: month) }

  /// Returns how many subscriptions SUBSCRIBER reports count as active in a month that lacks days.
  ///
  /// The change and its parts are left out: they come from the missing days. Snapshots count without them.
  ///
  /// - Parameter count: The active subscriptions.
  /// - Returns: One or two sentences.
  func countedActive(_ count: Int) -> String {
    let end = result.isOver(month) ? "at the end of \(name(month))" : "so far in \(name(month))"
    let start = "\(counted(count, "subscription")) \(count == 1 ? "is" : "are") counted as active"
    let stop = result.stopDay(.subscribers, in: month).map {
      " on \($0), the last day of Subscriber reports."
    }
    var text =
      start + (stop ?? " \(end), likely too few: renewals on the missing days are not seen.")
    let snapshot = row(of: .movement, .events, month)?["close_observed"]
    if let snapshot, empty.reason([.active], .events, of: name(month)) == nil {
      let before = row(of: .movement, .events, month - 1)?["close_observed"]
      let change = before.map { snapshot - $0 } ?? 0
      let more =
        change == 0
        ? ""
        : ", \(NumberStyle.grouped(abs(change))) \(change > 0 ? "more" : "fewer") than a month before"
      text +=
        " Subscription reports (events) count \(NumberStyle.grouped(snapshot)) active \(end)\(more)."
    }
    return text
  }

  /// Returns how many subscriptions are counted as churned in a month that lacks days, and which way the number errs.
  ///
  /// It has no interval: an interval says what chance does, and not what the missing days do.
  ///
  /// - Parameters:
  ///   - churn: The churn rate.
  ///   - churned: Its numerator.
  ///   - active: Its denominator.
  /// - Returns: One or two sentences.
  func countedChurn(_ churn: HeadlineValue, _ churned: Int, of active: Int) -> String {
    let start =
      "\(NumberStyle.grouped(churned)) of \(NumberStyle.grouped(active)) \(churned == 1 ? "is" : "are") counted as churned (\(text(churn.value)))"
    if let stop = result.stopDay(churn.source, in: month) {
      return
        "\(start) up to \(stop), where the reports stop.\(churn.source == .subscribers ? countOfEvents : "")"
    }
    guard churn.source == .subscribers else {
      let why = reasons(churn).map { " \($0)." } ?? ""
      return "\(start), likely too few: losses on the missing days are not seen.\(why)"
    }
    guard churned > 0 else { return "\(start).\(countOfEvents)" }
    let open = row(of: .churn, churn.source, month)?["churned_provisional"] ?? 0
    let undecided =
      open == 0 ? "" : "; \(NumberStyle.grouped(open)) of them can still turn out renewed"
    return
      "\(start), likely too many: renewals on the missing days look like losses\(undecided).\(countOfEvents)"
  }

  /// How many events count as churned, with a blank before it; blank without events or their snapshot before the month.
  private var countOfEvents: String {
    guard empty.reason([.churnRate], .events, of: name(month)) == nil,
      !empty.isEmpty(.churnRate, .events), let row = row(of: .churn, .events, month),
      let churned = row["churned"], let active = row["active_start"]
    else { return "" }
    let lacking = lacksDays(.events) ? ", without those on the missing days" : ""
    return
      " Subscription Event reports (events) count \(NumberStyle.grouped(churned)) of \(NumberStyle.grouped(active))\(lacking)."
  }

  // MARK: Months without rows

  /// Returns the churn of the last month before this one whose reports have rows, with a blank before it.
  ///
  /// - Parameter source: The source whose reports have no rows in this month.
  /// - Returns: Such as ` The last month with rows is August 2026: 22 of 379 churned, 5.80% (3.86 to 8.63%). Rows of
  ///   September 2026 in CSV files are no measurement.`; without rows before, only the second sentence.
  func lastMonthWithRows(_ source: Source) -> String {
    guard !tables.isEmpty else { return "" }
    let (days, months) = (result.days, result.plan.monthSystem)
    let first = result.sources.first { $0.source == source }?.completeness.firstMonth ?? month
    let warning = " Rows of \(name(month)) in CSV files are no measurement."
    for distance in 1...max(1, month - first) {
      let earlier = month - distance
      guard !days.emptyReports(in: earlier, months).isEmpty(.churnRate, source),
        let row = row(of: .churn, source, earlier), let churned = row["churned"],
        let active = row["active_start"], row.cell("churn_rate") != .missing
      else { continue }
      let bounds = [row.cell("low"), row.cell("high")].map { text($0) }
      let state = row.text("state")
      let hasInterval = state != "partial" && !bounds.contains("")
      let interval = hasInterval ? " (\(bounds[0].dropLast()) to \(bounds[1]))" : ""
      let end = state == "final" ? "" : ", \(state)"
      return
        " The last month with rows is \(name(earlier)): \(NumberStyle.grouped(churned)) of \(NumberStyle.grouped(active)) churned, \(text(row.cell("churn_rate")))\(interval)\(end).\(warning)"
    }
    return warning
  }
}
