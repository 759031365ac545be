import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// What numbers in sentences are made of: the parts of the change of active subscriptions, and the reasons of churn.
extension HeadlineWords {
  /// A product or country, and its part of the change of active subscriptions; without a name where it is unknown.
  package typealias ObservedPart = (name: String, change: Int)

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
        : left.name.precedes(right.name)
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
  /// Such as of a fall by 7: the two products that fell most, then the largest of the rest, whether it fell or rose. An
  /// unknown part has no name.
  ///
  /// - Parameter parts: All parts, the largest first.
  /// - Returns: At most three, or four if there are only four.
  package static func named(_ parts: [ObservedPart]) -> [ObservedPart] {
    let change = parts.reduce(0) { $0 + $1.change }
    let known = parts.filter { !$0.name.isEmpty }
    // One more name takes no more room than the sum of the others.
    let count = parts.count == shownParts + 1 ? parts.count : shownParts
    let along = known.filter { $0.change.signum() == change.signum() }.prefix(count - 1)
    let others = known.filter { part in !along.contains { $0.name.isSame(as: part.name) } }
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

  /// Returns why subscriptions churned, such as `25 canceled by the customer (9 in August 2026), 5 other reasons (2)`.
  ///
  /// - Parameter churn: The churn rate.
  /// - Returns: The reasons without a full stop; `nil` where the source has none.
  func reasons(_ churn: HeadlineValue) -> String? {
    // Later events do not change the reasons of an earlier month, so both months compare as they are. Other sources
    // have no reasons of an earlier day.
    let isComparable =
      churn.source == .events && churn.before.today != .missing
      && churn.before.today == churn.before.atSameAge
    return reasons(churn.source, since: isComparable ? churn.before.month : nil)
  }

  /// Returns why subscriptions churned in the month, and how many did so for each reason in an earlier one.
  func reasons(_ source: Source, since earlier: Month?) -> String? {
    guard source.hasReasons, !empty.sources.contains(source),
      let now = row(of: .churn, source, month)
    else { return nil }
    let isKnown = ChurnReason.allCases.contains {
      $0 != .unknown && (now[$0.column] ?? 0) > 0
    }
    guard isKnown else { return nil }
    let before = earlier.flatMap { row(of: .churn, source, $0) }
    var texts: [String] = []
    for reason in ChurnReason.allCases {
      let count = (now: now[reason.column] ?? 0, before: before.map { $0[reason.column] ?? 0 })
      guard count.now > 0 || (count.before ?? 0) > 0 else { continue }
      var text = "\(NumberStyle.grouped(count.now)) \(reason.words(count.now))"
      if let count = count.before {
        let place = texts.isEmpty ? earlier.map { " in \(name($0))" } ?? "" : ""
        text += " (\(NumberStyle.grouped(count))\(place))"
      }
      texts.append(text)
    }
    return texts.joined(separator: ", ")
  }

  /// Returns such as `77 of the 87`.
  private static func part(_ count: Int, of churned: Int) -> String {
    "\(NumberStyle.grouped(count)) of the \(NumberStyle.grouped(churned))"
  }

  /// Says that a source has no reasons, how many ended by a refund, and which data have reasons.
  ///
  /// - Parameters:
  ///   - churn: The churn rate.
  ///   - churned: Its numerator.
  /// - Returns: Without a full stop; `nil` for a source with reasons, and where each has one.
  func withoutReasons(_ churn: HeadlineValue, _ churned: Int) -> String? {
    guard !churn.source.hasReasons, let row = row(of: .churn, churn.source, month),
      row[ChurnReason.unknown.column] ?? 0 > 0
    else { return nil }
    let known =
      [Source.events, .receipts].lazy.compactMap { other in
        reasons(other, since: nil).map { "the source \(other.rawValue) counts \($0)" }
      }.first ?? "Subscription Event reports and receipts have reasons"
    let refunded = row["churned_refund"] ?? 0
    let end = "is not known: \(known)"
    guard refunded > 0 else { return "Why they left \(end)" }
    return
      "\(Self.part(refunded, of: churned)) ended by a refund; why the others left \(end)"
  }

  /// Returns how many that are counted as churned may still come back, and until when.
  ///
  /// A charge within 60 days of a period's end is a return, of an instalment's within 90 days. The day is that of a
  /// period that ended on the month's last day: nothing changes after it.
  ///
  /// - Parameters:
  ///   - churn: The churn rate.
  ///   - churned: Its numerator.
  /// - Returns: Such as `77 of the 87 may still come back (until 2026-11-29 at the latest)`; `nil` where none may, or the
  ///   month is not over, and for a month that is not complete.
  func comingBack(_ churn: HeadlineValue, _ churned: Int) -> String? {
    guard churn.state == "provisional", result.isOver(month),
      let open = row(of: .churn, churn.source, month)?["churned_provisional"], open > 0
    else { return nil }
    let commitments = tables[.commitments]?.first(where: \.dimensions.isEmpty)?.namedRows ?? []
    let name = result.plan.monthSystem.name(month)
    let hasInstalment = commitments.contains { row in
      row.source == churn.source.rawValue && row.text("month") == name && row["pending"] ?? 0 > 0
    }
    let days = hasInstalment ? 90 : 60
    let last = result.plan.monthSystem.lastDay(of: month) + days
    return
      "\(Self.part(open, of: churned)) may still come back (until \(last) at the latest)"
  }

  /// Returns how many that churned had begun in the month itself, so that they are not among those active before it.
  ///
  /// - Parameters:
  ///   - churn: The churn rate.
  ///   - churned: Its numerator.
  /// - Returns: Such as `2 of the 16 had begun in the month`; `nil` without any, and without the view by start month.
  func startedInMonth(_ churn: HeadlineValue, _ churned: Int) -> String? {
    guard churn.source.isOfChains else { return nil }
    let name = result.plan.monthSystem.name(month)
    let view = tables[.churn]?.first { $0.dimensions == [Dimension.startMonth.rawValue] }
    let own = view?.namedRows.first {
      $0.source == churn.source.rawValue && $0.text("month") == name
        && $0.text(Dimension.startMonth.rawValue) == name
    }
    guard let begun = own?["churned"], begun > 0 else { return nil }
    return
      "\(Self.part(begun, of: churned)) had begun in the month"
  }

  /// Returns the row of the whole population in a month; `nil` without the table or the row.
  func row(
    of kind: TableKind, _ source: Source, _ month: Month
  ) -> ReportTable.NamedRow? {
    let name = result.plan.monthSystem.name(month)
    return tables[kind]?.first(where: \.dimensions.isEmpty)?.filtered("month") { $0 == name }
      .filtered("source") { $0 == source.rawValue }.namedRows.first
  }
}
