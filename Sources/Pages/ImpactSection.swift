import Counting
import Pipeline
import PriceImpact
import Rendering
import Storage
import SubscriptionModel
import Tables

/// The section on one price increase, or on several pooled.
struct ImpactSection: Sendable {
  let impact: PriceImpact
  let names: Names

  var comparison: ImpactComparison { impact.comparison }

  /// Returns the section; only an increase that enough subscribers met has one.
  func text() -> String {
    var parts = [
      "## \(title)", change, exposure, outcomes, "**Was it the increase?** \(verdict)",
    ]
    if let breakEven { parts.append(breakEven) }
    parts.append("**Money.** \(money)")
    parts.append("**How sure is this?** \(certainty)")
    parts.append(chart)
    return parts.joined(separator: "\n\n") + "\n\n"
  }

  /// One line about the increase, for a list.
  var headline: String {
    let rate = comparison.renewalRate.map { ", \(percent($0.rate)) of them renewed" } ?? ""
    let breakEven = comparedWithBreakEven.map { " \($0)" } ?? ""
    return "\(title): \(counted(impact.reached, "renewal")) reached\(rate). \(verdict)\(breakEven)"
  }

  // MARK: What changed, and for whom

  /// Such as `Pro Monthly, US: 9.99 → 11.99 USD from 2026-05-26`, in Markdown.
  var title: String {
    let product = MarkdownText.escaped(product)
    guard !impact.isPooled else {
      return "\(product), \(impact.changes.count) increases together from \(day)"
    }
    return
      "\(product), \(MarkdownText.escaped(places)): \(MarkdownText.escaped(prices)) from \(day)"
  }

  /// The product and how it is paid.
  var product: String {
    names.product(impact.product)
      + (impact.plan == .commitment ? " in monthly instalments" : "")
  }

  /// The day of the increase, such as `26 May 2026`.
  private var day: String { PageText.shortDay(impact.effective) }

  /// The country, or the number of countries that are added up.
  var places: String {
    let countries = Set(impact.changes.map(\.key.country))
    return impact.isPooled
      ? "\(PageText.counted(countries.count, "country", "countries")) together"
      : names.text(impact.changes[0].key.country)
  }

  /// The old and the new price of a single increase.
  var prices: String {
    let change = impact.changes[0]
    let currency = names.text(change.key.currency)
    let text = { (price: Int64?) in
      price.map { NumberStyle.amount(milliunits: Int128($0), currency: currency) } ?? "?"
    }
    return
      "\(text(change.oldPrice)) → \(text(change.newPrice)) \(currency)"
  }

  var change: String {
    guard !impact.isPooled else {
      let countries = Set<ExactText>(of: impact.changes.map { names.text($0.key.country) }).inOrder
      return """
        **What changed.** The price rose in \(PageText.counted(countries.count, "country", "countries")) between \
        \(day) and \(PageText.shortDay(impact.changes.last?.date ?? impact.effective)): \
        \(MarkdownText.escaped(countries.joined(separator: ", "))). They are added up here; money is not, \
        because of the currencies: where it is known, `price_impact.csv` has it for each country.
        """
    }
    let single = impact.changes[0]
    var text = "**What changed.** \(MarkdownText.escaped(prices))"
    if let old = single.oldPrice, let new = single.newPrice {
      text += ", \(NumberStyle.percentage(Int128(new - old), over: Int128(old))) more"
    }
    text += ", from \(day)"
    if impact.effectiveExisting != impact.effective {
      text +=
        " for new customers and from \(PageText.shortDay(impact.effectiveExisting)) for existing ones"
    }
    return text
      + (single.origin == .file ? ", as the list of price changes says." : ", as the charges show.")
  }

  var exposure: String {
    var text = """
      **Who met it.** \(counted(impact.exposed, "subscription")): \(NumberStyle.grouped(impact.reached)) have come to that \
      renewal, \(impact.count(.notReached)) not yet.
      """
    if impact.count(.preserved) > 0 {
      text += " \(impact.count(.preserved)) more keep the old price by your choice."
    }
    if impact.source == .receipts, impact.exposed > 0 {
      text += """
         Apple asked \(impact.count(.consentAsked)) for consent: \(impact.count(.consentGiven)) agreed, \
        \(impact.count(.consentPending)) did not answer so far; \(impact.count(.notified)) were only told.
        """
    }
    return text
  }

  // MARK: Renewals and lapses

  private var outcomes: String {
    "**What they did.**\(ofWhich)\n\n" + TableRenderer(.md).text(of: outcomeTable).dropLast()
  }

  /// The outcomes of the subscriptions that came to the renewal: one row for each that happened.
  var outcomeTable: ReportTable {
    let facts: [(String, ExposureFact)] = [
      ("renewed at the new price", .renewedNewPrice),
      ("renewed at the old price", .renewedOldPrice),
      ("renewed at another price", .renewedOtherPrice),
      ("changed the product or plan", .changedProduct),
      ("came back within 60 days", .recovered), ("left", .lapsed), ("not decided yet", .pending),
    ]
    return ReportTable(
      name: "outcomes", dimensions: [],
      columns: [
        .init("what they did", .text), .init("subscriptions", .count), .init("share", .rate),
      ],
      rows: facts.filter { impact.count($0.1) > 0 }.map { name, fact in
        [.text(name), .count(impact.count(fact)), .rate(impact.count(fact), of: impact.reached)]
      })
  }

  /// More about the outcomes, in sentences that begin with a space; blank without any.
  var ofWhich: String {
    var text = ""
    if impact.count(.changedToCheaper) > 0 {
      text += " \(impact.count(.changedToCheaper)) of those who changed pay less a day now."
    }
    if impact.count(.refundUndecided) == 0, impact.count(.refunded) > 0 {
      text += " \(impact.count(.refunded)) who renewed took their money back within 60 days."
    }
    if impact.source == .receipts, impact.count(.lapsed) > 0 {
      text += " Apple gives the price as the reason of \(impact.count(.lapsedPriceReason))"
      text += " of those who left, which is too few."
    }
    return text
  }

  func percent(_ fraction: Double) -> String { NumberStyle.percentage(fraction) ?? "?" }

  // MARK: Whether it was the increase: in the same words in sentences, tables and captions

  /// The answer without a reason: `yes`, `no`, `not proven`, `cannot be said` or `too few to tell`.
  var answer: String {
    switch comparison.verdict {
    case .tooFew: "too few to tell"
    case .noControl, .pretrend: "cannot be said"
    case .undecided: comparison.excessChurn == nil ? "cannot be said" : "not proven"
    case .moreChurn: "yes"
    case .lessChurn: "no"
    }
  }

  /// The answer and its reason in a few words, for a table.
  var shortVerdict: String {
    switch comparison.verdict {
    case .tooFew: answer
    case .noControl: "\(answer): no one to compare with"
    case .pretrend: "\(answer): \(wasSoBefore ? "already so" : "moved apart") before the increase"
    case .undecided:
      comparison.excessChurn == nil
        ? "\(answer): no one of the same age to compare with" : "\(answer): may be chance"
    case .moreChurn: "\(answer): renewals were lost"
    case .lessChurn: "\(answer): more renewed than elsewhere"
    }
  }

  /// Who renewed at the new price, such as `9 of 9 renewed at the new price`.
  var renewed: String {
    let reached = NumberStyle.grouped(impact.reached)
    return impact.reached == 0
      ? "no renewal so far"
      : "\(NumberStyle.grouped(impact.count(.renewedNewPrice))) of \(reached) renewed at the new price"
  }

  /// The answer and its reason in sentences.
  var verdict: String {
    switch comparison.verdict {
    case .tooFew:
      return "Too few to tell: \(impact.reached) renewals met the new price, 30 are needed."
    case .noControl:
      return """
        Cannot be said: there is no one to compare with, because other storefronts and products changed \
        their prices too or are too small. No loss is put down to the increase.
        """
    case .pretrend:
      return "Cannot be said. \(pretrend) The difference is \(lost)."
    case .undecided where comparison.excessChurn == nil:
      return """
        Cannot be said: no one in the control has been subscribed for as long as those who met the price.
        """
    case .undecided:
      return
        "Not proven: it may be chance. The loss is \(lost), and 0 is between: neither a loss nor its absence is proven."
    case .moreChurn: return "Yes: renewals were lost, \(lost)."
    case .lessChurn: return "No: more renewed than elsewhere. The loss is below 0, \(lost)."
    }
  }

  /// Whether the comparison shows an effect of the increase, so that money can be put down to it.
  var isCauseShown: Bool { [.moreChurn, .lessChurn].contains(comparison.verdict) }

  /// Why a difference may not be the increase's, where the two groups moved apart before it.
  private var pretrend: String {
    let direction = (comparison.excessChurn?.value ?? 0) > 0 ? "fell more" : "did better"
    let before =
      wasSoBefore
      ? "they had done so already before the increase"
      : "the two had moved apart already before the increase"
    return
      "Renewals \(direction) than those of the control, but \(before), so it may not be the cause."
  }

  /// Whether the rates moved in the same direction from month -3 to month -1 as with the increase.
  private var wasSoBefore: Bool {
    guard let loss = comparison.excessChurn, let first = apart(-3), let last = apart(-1) else {
      return false
    }
    return (first - last > 0) == (loss.value > 0)
  }

  /// Returns how much higher the renewal rate of the increased price is than that of the control, from -1 to 1, in a
  /// month of 30 days: -1 ends on the day before the increase.
  private func apart(_ month: Int) -> Double? {
    let rate = { (months: [ImpactMonth]) -> Double? in
      months.first { $0.month == month && $0.due > 0 }
        .map { Double($0.renewed) / Double($0.due) }
    }
    guard let own = rate(impact.treatedMonths), let other = rate(impact.controlMonths) else {
      return nil
    }
    return own - other
  }

  private var lost: String {
    guard let loss = comparison.excessChurn else { return "nothing" }
    return
      "\(percent(loss.value)) of the renewals that were due (\(bounds(loss)))"
  }

  // MARK: Break-even: both losses are shares of the renewals that would have come; that in ``verdict`` of all due

  /// The break-even in sentences; `nil` where there is none.
  var breakEven: String? {
    guard let prices = impact.breakEven, let compared = comparedWithBreakEven else { return nil }
    var text = "**Break-even.** \(compared)"
    if let baseline = comparison.baselineRate, let churn = prices.churn {
      text += """
         Over a lifetime the new price makes up for a churn of \(percent(churn)) a period instead of \
        \(percent(1 - baseline.rate)).
        """
    }
    return text
  }

  /// The break-even, the loss beside it, and whether the increase paid, in sentences; `nil` where there is none.
  var comparedWithBreakEven: String? {
    guard let prices = impact.breakEven else { return nil }
    let most = """
      The new price makes up for a loss of \(percent(prices.loss)) of the renewals that would have come \
      without the increase.
      """
    guard let observed = comparison.observedLoss, let loss = comparison.excessChurn else {
      return "\(most) How many of these were lost is not known, so whether it paid cannot be said."
    }
    let text = "\(most) Lost were \(percent(observed.value)) of these (\(bounds(observed)))\(paid)."
    guard percent(observed.value) != percent(loss.value) else { return text }
    return """
      \(text) The \(percent(loss.value)) named before are of all renewals that were due: do not compare them \
      with the break-even.
      """
  }

  /// Whether the increase paid at one renewal, as the end of a sentence about the loss.
  private var paid: String {
    guard let verdict = impact.breakEven?.verdict else { return "" }
    // Renewals that moved before the change are no measure of its effect.
    guard comparison.verdict != .pretrend else {
      return ", but the increase may not be the cause, so whether it paid cannot be said"
    }
    return switch verdict {
    case .below: ": less, so it paid at that renewal"
    case .above: ": more, so it did not pay at that renewal"
    case .undecided: ", which may be less or more, so whether it paid cannot be told"
    }
  }

  /// Whether the increase paid at one renewal, for a table; `nil` where the loss is not known.
  var shortPaid: String? {
    guard let verdict = impact.breakEven?.verdict else { return nil }
    guard comparison.verdict != .pretrend else { return "cannot be said" }
    return switch verdict {
    case .below: "yes"
    case .above: "no"
    case .undecided: "cannot be told"
    }
  }

  /// The loss to compare with the break-even, with its interval, for a table; `nil` without a break-even.
  var shortObserved: String? {
    guard impact.breakEven != nil, let observed = comparison.observedLoss else { return nil }
    return "\(percent(observed.value)) (\(bounds(observed)))"
  }

  /// Returns the interval of a difference, such as `95 %: -18.30% to 19.66%`.
  private func bounds(_ difference: RateDifference) -> String {
    "95 %: \(percent(difference.low)) to \(percent(difference.high))"
  }

  // MARK: Money

  var money: String {
    guard let money = impact.money else {
      if impact.isPooled {
        return "Where it is known, in the rows of single countries of `price_impact.csv`."
      }
      if impact.source == .receipts { return "Not known: receipts do not say what you are paid." }
      return comparison.control == nil || comparison.excessChurn == nil
        ? "Not known: without a comparison nobody can say what would have been paid."
        : "Not known: there are no proceeds, or they are in several currencies."
    }
    let code = names.text(money.currency)
    let amount = { (milliunits: Int128) in Self.amount(milliunits, currency: code) }
    let made = isCauseShown ? "The increase itself made" : "If it was the increase, it made"
    let currency = MarkdownText.escaped(code)
    return """
      At that renewal you received \(amount(money.actual)) \(currency). Without the increase it would have \
      been \(amount(money.counterfactual)). \(made) \(amount(money.netEffect)): \
      \(amount(money.priceEffect)) from those who renewed at a new price, \(amount(money.volumeEffect)) by \
      those who were lost, \(amount(money.mixEffect)) by changes to other products. Apple's lower share \
      after a year, \(amount(money.shareEffect)), would have come anyway and is left out.
      """
  }

  /// Returns an amount rounded to its currency's decimals, such as `12.09` for 12,088 milliunits of USD.
  static func amount(_ milliunits: Int128, currency: String) -> String {
    NumberStyle.amount(milliunits: rounded(milliunits, currency: currency), currency: currency)
  }

  /// Returns an amount rounded to its currency's decimals, half to even.
  static func rounded(_ milliunits: Int128, currency: String) -> Int128 {
    let units: [Int128] = [1_000, 100, 10, 1]
    let unit = units[CurrencyDecimals.of(currency)]
    return milliunits.dividedHalfToEven(by: unit) * unit
  }

  // MARK: How sure

  var certainty: String {
    var text = "\(counted(impact.reached, "renewal")) after the increase"
    if let rate = comparison.renewalRate {
      let bounds = Statistics.wilson(rate)
      text +=
        ", of which \(percent(rate.rate)) continued (\(percent(bounds.low)) to \(percent(bounds.high)))"
    }
    if let rate = comparison.baselineRate {
      text +=
        "; \(NumberStyle.grouped(comparison.baselineDue)) in the 90 days before it, \(percent(rate.rate)) for the same ages"
    }
    if let control = comparison.control, let before = comparison.controlBeforeRate,
      let after = comparison.controlAfterRate
    {
      let whom = control == .storefronts ? "other countries" : "other products of the country"
      text += """
        ; in \(whom) \(percent(before.rate)) of \(NumberStyle.grouped(comparison.controlBeforeDue)) before and \
        \(percent(after.rate)) of \(NumberStyle.grouped(comparison.controlAfterDue)) after
        """
    }
    text += "."
    if let loss = comparison.excessChurn {
      text +=
        " So many could have shown a loss of about \(percent(loss.detectable)) of the renewals or more."
    }
    if comparison.unmatched > 0 {
      text += " \(comparison.unmatched) of an age without a counterpart are not compared."
    }
    switch impact.stateName {
    case "partial": text += " Days of the data are missing."
    case "provisional": text += " Provisional: some renewals or refunds are still to come."
    default: break
    }
    return text
  }
}
