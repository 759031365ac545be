import PriceImpact
import Rendering
import Tables

/// Whether it was the increase: in the same words in sentences, tables and captions.
extension ImpactSection {
  /// The answer without a reason: `yes`, `no`, `not proven`, `cannot be said` or `too few to tell`.
  package var answer: String {
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
  package var verdict: String {
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
  package var isCauseShown: Bool { [.moreChurn, .lessChurn].contains(comparison.verdict) }

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

  /// Returns how much higher the renewal rate of the increased price is than that of the control.
  ///
  /// - Parameter month: A month of 30 days; -1 ends on the day before the increase.
  /// - Returns: From -1 to 1; `nil` where nothing was due.
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
      "\(percent(loss.value)) of the renewals that were due (95 %: \(percent(loss.low)) to \(percent(loss.high)))"
  }
}
