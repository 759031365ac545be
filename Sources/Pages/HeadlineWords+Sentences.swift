import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
package import Tables

/// The three sentences that come first: active subscriptions, churn and net proceeds.
extension HeadlineWords {
  /// Returns what happened in the month: active subscriptions, churn and net proceeds; those that are known.
  ///
  /// - Parameter escaped: Makes words of the data safe for the page.
  /// - Returns: One text each.
  package func sentences(escaped: (String) -> String = { $0 }) -> [String] {
    [activeSentence(escaped), churnSentence(escaped) ?? countOfChurned, proceedsSentence]
      .compactMap { $0 }
  }

  private func activeSentence(_ escaped: (String) -> String) -> String? {
    if let why = unknownSentence { return why }
    guard let active = values.first(where: { $0.headline == .active }),
      let change = values.first(where: { $0.headline == .netChange }),
      case .count(let count) = active.value, case .count(let gained) = change.value
    else { return nil }
    let end = result.isOver(month) ? "At the end of \(name(month))" : "So far in \(name(month))"
    let start =
      "\(end) there \(count == 1 ? "was" : "were") \(counted(count, "active subscription"))"
    // The losses may not have happened.
    if empty.isEmpty(.active, active.source) { return start + certainty(active) + "." }
    if active.source == .subscribers, lacksDays(active.source) { return countedActive(count) }
    let more =
      gained == 0
      ? "as many as" : "\(NumberStyle.grouped(abs(gained))) \(gained > 0 ? "more" : "fewer") than"
    let state = certainty(active)
    let parts = parts(active, isAfterState: !state.isEmpty, escaped)
    return "\(start), \(more) at its beginning\(state)\(parts).\(firstSeen(active))"
  }

  /// Why active subscriptions, churn or both are not known; `nil` where the reports of both have rows.
  private var unknownSentence: String? {
    let active = values.filter { $0.headline == .active || $0.headline == .netChange }
    let churn = values.filter { $0.headline == .churnRate }
    guard !active.isEmpty else { return nil }
    let end = "; if there were sales, these files are not complete."
    if let first = churn.first, let why = whyUnknown(active + churn) {
      return
        "How many subscriptions were active and how many churned is not known: \(why)\(end)\(lastMonthWithRows(first.source))"
    }
    return whyUnknown(active).map {
      "How many subscriptions were active is not known: \($0)\(end)"
    }
  }

  private func churnSentence(_ escaped: (String) -> String) -> String? {
    guard let churn = values.first(where: { $0.headline == .churnRate }),
      case .count(let churned) = churn.counts[0], case .count(let active) = churn.counts[1]
    else { return nil }
    if let why = whyUnknown([churn]) {
      let isSaid = values.contains { $0.headline == .active && !isKnown($0) }
      return isSaid
        ? nil
        : "How many subscriptions churned is not known: \(why).\(lastMonthWithRows(churn.source))"
    }
    if lacksDays(churn.source) { return countedChurn(churn, churned, of: active) }
    let start =
      "\(NumberStyle.grouped(churned)) of \(NumberStyle.grouped(active)) churned: \(text(churn.value))"
    // The losses may not have happened.
    if empty.isEmpty(.churnRate, churn.source) { return start + certainty(churn) + "." }
    let interval = intervalText(churn).map { " (\($0))" } ?? ""
    let comingBack = comingBack(churn, churned)
    var sentence = start + interval + (comingBack == nil ? certainty(churn) : "")
    let before = comparison(churn, churn.before, explainsAge: true)
    let year = comparison(churn, churn.yearBefore, explainsAge: before == nil)
    sentence += (before.map { ", \($0)" } ?? "") + (year.map { "; \($0)" } ?? "")
    let more = [
      comingBack, startedInMonth(churn, churned), reasons(churn) ?? withoutReasons(churn, churned),
      churnParts(churn, escaped),
    ]
    sentence += more.compactMap { $0.map { ". \($0)" } }.joined()
    return sentence + "."
  }

  private var proceedsSentence: String? {
    let proceeds = values.filter { $0.headline == .netProceeds }
    guard let first = proceeds.first else { return withoutProceeds }
    let amounts = proceeds.map { value in
      let change = HeadlineFigures.change(
        from: value.before.today, to: value.value, currency: value.currency)
      return "\(Self.text(value.value, currency: value.currency)) \(value.currency)"
        + (change == .missing ? "" : " (\(text(change)))")
    }
    let isCompared = proceeds.contains { $0.before.today != .missing }
    let against = isCompared ? ", in brackets the change from \(name(month - 1))" : ""
    let more =
      otherCurrencies > 0
      ? " and \(otherCurrencies) more \(otherCurrencies == 1 ? "currency" : "currencies")" : ""
    let converted = isConverted ? ", all currencies converted" : ""
    return
      "Net proceeds were \(amounts.joined(separator: ", "))\(more)\(converted)\(against)\(certaintyOfProceeds(first))."
  }

  /// Why net proceeds are not known where no source has any; `nil` where one has, and above a single table.
  private var withoutProceeds: String? {
    let own = Set(result.sources.map(\.source))
    guard !tables.isEmpty, !own.isEmpty else { return nil }
    let paid = own.intersection([.subscribers, .sales]).sorted()
    guard paid.isEmpty else {
      let reasons = paid.compactMap { empty.reason([.netProceeds], $0, of: name(month)) }
      return reasons.count < paid.count
        ? nil : "Net proceeds are not known: \(reasons.joined(separator: ", and "))."
    }
    let why =
      own.contains(.receipts)
      ? "receipts do not say what Apple pays" : "Subscription Event reports carry no amounts"
    let others =
      own.contains(.receipts)
      ? "" : " Trials and refunds are counted from Subscriber reports and receipts only."
    return "Net proceeds are not known: \(why); add Sales or Subscriber reports.\(others)"
  }

  /// Whether the sentences say what "at the same age" is.
  package var sentencesExplainAge: Bool {
    let hasChurn = values.contains { $0.headline == .churnRate }
    let spoken: Headline? = hasChurn ? .churnRate : countedAsChurned == nil ? nil : .renewalRate
    return values.contains { value in
      value.headline == spoken && !lacksDays(value.source)
        && [value.before, value.yearBefore].contains { comparison(value, $0) != nil }
    }
  }

  /// Returns how a rate compares with an earlier month at the same age.
  ///
  /// - Parameters:
  ///   - value: The rate.
  ///   - earlier: The earlier month.
  ///   - explainsAge: Whether to say when the earlier month was known so, as the first comparison on a page does.
  /// - Returns: Such as `2.50 points more than in August 2026 at the same age (as it was known 30 days after its end)`;
  ///   `nil` where the months cannot be compared.
  package func comparison(
    _ value: HeadlineValue, _ earlier: HeadlineValue.Earlier, explainsAge: Bool = false
  ) -> String? {
    guard case .ratio(let above, let below) = value.value.change(since: earlier.atSameAge)
    else { return nil }
    let known = "as it was known \(Self.text(age: age(value.source)))"
    let then = "\(name(earlier.month)) at the same age\(explainsAge ? " (\(known))" : "")"
    if above == 0 { return "as much as in \(then)" }
    let points = NumberStyle.percentage(Int128(above.magnitude), over: below).dropLast()
    // A difference that prints as zero is none for the reader.
    let isZero = !points.contains { ("1"..."9").contains($0) }
    let more = isZero ? "as much as" : "\(points) points \(above > 0 ? "more" : "less") than"
    let chance = earlier.difference.map {
      $0.spansZero ? ", within what chance explains" : ", more than chance explains"
    }
    return "\(more) in \(then)\(chance ?? "")"
  }

  // MARK: States

  /// The state of amounts without a missing day, whatever that of churn in their source.
  package static let complete = "complete"
  /// The same in a month that is not over.
  private static let soFar = "so far"
  /// Why the numbers of a source without rows say little.
  private static let withoutRows = "nearly all reports of the month have no rows"

  /// Returns what a number's state means for its reader, in the words of a tile; blank for a final one.
  ///
  /// Such as `provisional: can still change`. Sentences have the same words.
  package func meaning(of value: HeadlineValue) -> String {
    if let why = whyUnknown([value]) { return why }
    if empty.isEmpty(value.headline, value.source) { return Self.withoutRows }
    if let word = wordOfAmount(value) { return word }
    switch value.state {
    case "partial": return "partial: \(partialMeaning(of: value))"
    case "provisional": return "provisional: can still change"
    default: return ""
    }
  }

  /// Returns why a number is `partial`.
  ///
  /// Amounts have the state of the churn row, but only gaps in the days make them incomplete.
  private func partialMeaning(of value: HeadlineValue) -> String {
    guard value.headline == .netProceeds else {
      let looksLikeLapse = isRenewalUnseen(value)
      return "the data of the month are not complete"
        + (looksLikeLapse ? Self.unseenRenewal : "")
    }
    return gap(value.source)?.qualification ?? "data not complete"
  }

  /// Returns the state of an amount without a missing day whose churn row, whose state it has, is `partial`; `nil` for
  /// any other number.
  func wordOfAmount(_ value: HeadlineValue) -> String? {
    guard value.headline == .netProceeds, value.state == "partial", gap(value.source) == nil else {
      return nil
    }
    let days = result.sources.first { $0.source == value.source }?.completeness
    return days?.isOver(month) == true ? Self.complete : Self.soFar
  }

  /// Why days without a file make more churn than there was; it may be the first place of a page with the word lapse.
  private static let unseenRenewal =
    ": a renewal on a missing day looks like a lapse, a period that no charge followed in time"

  /// Returns whether a rate counts subscriptions as lapsed whose renewal may be in a file that is missing.
  ///
  /// Events say which subscriptions lapsed. In SUBSCRIBER reports a lapse is a charge that did not come.
  private func isRenewalUnseen(_ value: HeadlineValue) -> Bool {
    guard [.churnRate, .renewalRate].contains(value.headline), value.source == .subscribers,
      case .missingDays = gap(value.source), result.stopDay(value.source, in: month) == nil,
      let report = result.sources.first(where: { $0.source == value.source })
    else { return false }
    // Days before the first file hide no renewal of a period that is seen.
    return report.completeness.firstDay <= result.plan.monthSystem.firstDay(of: month)
  }

  /// Returns the end of a sentence about a number that is not final; blank for a final one.
  func certainty(_ value: HeadlineValue) -> String {
    if empty.isEmpty(value.headline, value.source) { return ", but \(Self.withoutRows)" }
    switch value.state {
    case "partial": return ", but \(partialMeaning(of: value)) (partial)"
    case "provisional": return ", which can still change"
    default: return ""
    }
  }

  /// Returns the end of the sentence about net proceeds; blank where the amounts are complete in every respect.
  private func certaintyOfProceeds(_ value: HeadlineValue) -> String {
    if empty.isEmpty(value.headline, value.source) { return certainty(value) }
    return gap(value.source).map { ", \($0.qualification)" } ?? ""
  }
}
