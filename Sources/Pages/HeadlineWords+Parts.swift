import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// What numbers in sentences are made of: the parts of the change of active subscriptions, and the reasons of churn.
extension HeadlineWords {
  /// A product or country, and its part of the change of active subscriptions; without a name where it is unknown.
  typealias ObservedPart = (name: String, change: Int)

  // MARK: Active subscriptions

  /// The parts of the net change by product, else by country, the largest first; parts of 0 are left out.
  ///
  /// They are counted as active subscriptions are: `close_observed` minus `open` of movement. `nil` where a count is not
  /// known, or the parts do not add up to the net change.
  var observedParts: [ObservedPart]? {
    guard let change = values.first(where: { $0.headline == .netChange }),
      case .count(let gained) = change.value
    else { return nil }
    for dimension in [Dimension.product, .country] {
      guard let parts = changes(by: dimension, change.source) else { continue }
      if parts.reduce(0, { $0 + $1.change }) == gained { return parts }
    }
    return nil
  }

  private func changes(by dimension: Dimension, _ source: Source) -> [ObservedPart]? {
    let name = result.plan.monthSystem.name(month)
    let table = tables[.movement]?.first { $0.dimensions == [dimension.rawValue] }
    let ofMonth = table?.filtered("month") { $0 == name }
      .filtered("source") { $0 == source.rawValue }
    guard let rows = ofMonth?.namedRows, !rows.isEmpty else { return nil }
    var parts: [ObservedPart] = []
    for row in rows {
      guard let open = row["open"], let close = row["close_observed"] else { return nil }
      let value = row.text(dimension.rawValue)
      parts.append((name: value, change: close - open))
    }
    return parts.filter { $0.change != 0 }.sorted { left, right in
      left.change.magnitude != right.change.magnitude
        ? left.change.magnitude > right.change.magnitude
        : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
  }

  /// Returns the end of the sentence about active subscriptions: the largest parts of the change.
  ///
  /// - Parameters:
  ///   - active: The active subscriptions.
  ///   - isAfterState: Whether words about the state stand before, so that a colon would not refer to the change.
  ///   - escaped: Makes words of the data safe for the page.
  /// - Returns: Such as `: Pro Monthly +5, Plus Weekly -2`; blank without parts.
  func parts(
    _ active: HeadlineValue, isAfterState: Bool, _ escaped: (String) -> String
  ) -> String {
    guard let observed = observedParts else { return driverParts(active, escaped) }
    guard !observed.isEmpty else { return "" }
    let named = Self.named(observed)
    guard !named.isEmpty else { return "" }
    var words = named.map {
      "\(escaped($0.name)) \(HeadlineFigures.signed(.count($0.change)))"
    }
    if observed.count > named.count {
      let rest = (observed.map(\.change) + named.map { -$0.change }).reduce(0, +)
      words.append("the others \(HeadlineFigures.signed(.count(rest)))")
    }
    return (isAfterState ? "; the change: " : ": ") + words.joined(separator: ", ")
  }

  /// Returns the parts to name: those in the direction of the change first, then the largest of the others.
  ///
  /// Such as of a fall by 7: two products that fell most, and the one that rose most. What is unknown has no name.
  ///
  /// - Parameter parts: All parts, the largest first.
  /// - Returns: At most three, or four if there are only four.
  static func named(_ parts: [ObservedPart]) -> [ObservedPart] {
    let change = parts.reduce(0) { $0 + $1.change }
    let known = parts.filter { !$0.name.isEmpty }
    // One more name takes no more room than the sum of the others.
    let count = parts.count == shownParts + 1 ? parts.count : shownParts
    let along = known.filter { $0.change.signum() == change.signum() }.prefix(count - 1)
    let others = known.filter { part in !along.contains { $0.name == part.name } }
    return Array(along) + others.prefix(count - along.count)
  }

  /// Returns the largest drivers of active subscriptions, which are changes of `close`; blank without any.
  private func driverParts(_ active: HeadlineValue, _ escaped: (String) -> String) -> String {
    let parts = contributions(.active, by: .product).filter(\.isNamed).prefix(Self.shownParts)
    guard !parts.isEmpty else { return "" }
    let shown = parts.map { Self.text($0, escaped) }.joined(separator: ", ")
    let total = otherTotal.map {
      "counted from \(active.source.rawValue) (close of movement) the change is \(HeadlineFigures.signed($0)), "
    }
    return "; \(total ?? "")the largest parts: \(shown)"
  }

  /// Returns a sentence on subscriptions that are only new to the data, with a blank before it; blank without any.
  func firstSeen(_ active: HeadlineValue) -> String {
    guard active.source.hasLeftEdge,
      let report = result.sources.first(where: { $0.source == active.source }),
      let count = row(of: .movement, active.source, month)?["first_seen"], count > 0
    else { return "" }
    return
      " The change contains \(counted(count, "subscription")) from before the files begin (\(report.completeness.firstDay)), seen only now: the growth is not known."
  }

  // MARK: Churn

  /// The reasons of churn: a column, and its words for one and for several subscriptions.
  private static let reasonWords: [(column: String, one: String, several: String)] = [
    ("churned_voluntary", "canceled by the customer", "canceled by the customer"),
    ("churned_billing", "payment failed", "payment failed"),
    ("churned_price", "price increase not accepted", "price increase not accepted"),
    ("churned_refund", "refunded", "refunded"),
    ("churned_removed", "removed from sale", "removed from sale"),
    ("churned_other", "other reason", "other reasons"),
    (unknownReason, "without a reason", "without a reason"),
  ]
  private static let unknownReason = "churned_unknown"

  /// Returns why subscriptions churned, such as `25 canceled by the customer (9 in August 2026), 5 other reasons (2)`.
  ///
  /// - Parameter churn: The churn rate.
  /// - Returns: The reasons without a full stop; `nil` where the source has none.
  func reasons(_ churn: HeadlineValue) -> String? {
    guard churn.source.hasReasons, !empty.sources.contains(churn.source),
      let now = row(of: .churn, churn.source, month)
    else { return nil }
    let isKnown = Self.reasonWords.contains {
      $0.column != Self.unknownReason && (now[$0.column] ?? 0) > 0
    }
    guard isKnown else { return nil }
    // Events keep their day and reason, so that today's counts are those at the same age. Other sources have no reasons
    // of an earlier day.
    let isComparable =
      churn.source == .events && churn.before.today != .missing
      && churn.before.today == churn.before.atSameAge
    let before = isComparable ? row(of: .churn, churn.source, churn.before.month) : nil
    var texts: [String] = []
    for reason in Self.reasonWords {
      let count = now[reason.column] ?? 0
      let earlier = before.map { $0[reason.column] ?? 0 }
      guard count > 0 || (earlier ?? 0) > 0 else { continue }
      var text = "\(NumberStyle.grouped(count)) \(count == 1 ? reason.one : reason.several)"
      if let earlier {
        let month = texts.isEmpty ? " in \(name(churn.before.month))" : ""
        text += " (\(NumberStyle.grouped(earlier))\(month))"
      }
      texts.append(text)
    }
    return texts.joined(separator: ", ")
  }

  /// Returns the row of the whole population in a month; `nil` without the table or the row.
  func row(
    of kind: TableKind, _ source: Source, _ month: Month
  ) -> ReportTable.NamedRow? {
    let name = result.plan.monthSystem.name(month)
    return tables[kind]?.first(where: \.dimensions.isEmpty)?.filtered("month") { $0 == name }
      .filtered("source") { $0 == source.rawValue }.namedRows.first
  }

  // MARK: Months that lack days

  /// Returns whether days of the month have no file of a source; days before its first file are not meant.
  func lacksDays(_ source: Source) -> Bool {
    let days = result.sources.first { $0.source == source }?.completeness.missingDays ?? []
    return days.contains { result.plan.monthSystem.month(of: $0) == month }
  }

  /// Returns how many subscriptions SUBSCRIBER reports count as active in a month that lacks days.
  ///
  /// The change and its parts are left out: they come from the missing days. Snapshots count without them.
  ///
  /// - Parameter count: The active subscriptions.
  /// - Returns: One or two sentences.
  func countedActive(_ count: Int) -> String {
    let end = result.isOver(month) ? "at the end of \(name(month))" : "so far in \(name(month))"
    var text =
      "\(counted(count, "subscription")) \(count == 1 ? "is" : "are") counted as active \(end), likely too few: renewals on the missing days are not seen."
    let snapshot = row(of: .movement, .events, month)?["close_observed"]
    if let snapshot, empty.reason([.active], .events, of: name(month)) == nil {
      text += " Subscription reports (events) count \(NumberStyle.grouped(snapshot)) active \(end)."
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
    guard churn.source == .subscribers else {
      let why = reasons(churn).map { " \($0)." } ?? ""
      return "\(start), likely too few: losses on the missing days are not seen.\(why)"
    }
    let open = row(of: .churn, churn.source, month)?["churned_provisional"] ?? 0
    let undecided =
      open == 0 ? "" : "; \(NumberStyle.grouped(open)) of them can still turn out renewed"
    return "\(start), likely too many: renewals on the missing days look like losses\(undecided)."
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
