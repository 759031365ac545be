import PriceImpact
import Rendering
import Tables

/// The loss that the new price makes up for, beside the loss to compare with it.
///
/// Both are shares of the renewals that would have come without the increase. The loss in ``verdict`` is another number:
/// a share of all renewals that were due.
extension ImpactSection {
  /// The break-even in sentences; `nil` where there is none.
  package var breakEven: String? {
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
}
