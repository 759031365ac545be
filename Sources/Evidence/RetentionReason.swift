import Counting
import Rendering
import SubscriptionModel

/// Chains that retention does not count at k, in words.
extension LeftOutWords {
  /// Returns the sentence that says why a chain is not at risk at k.
  func sentence(_ rule: NotAtRisk) -> String {
    switch rule {
    case .startUnknown: startUnknown
    case .idReset: idReset
    case .lost(let k): "lost at paid period \(k): \(whatFollowed)"
    case .undecided(let k, let end): undecided(k, end)
    case .transferred(let k, let end):
      "paid period \(k) ended on \(end), less than \(ChainBuilder.retryDays) days before the app moved to another account"
    case .fewer(let count, let cutShort): fewer(count, cutShort)
    case .placeUnknown:
      "the place of an instalment in its term is unknown, and no paid period counts from there on"
    }
  }

  private func undecided(_ k: Int, _ end: Day) -> String {
    if isInstalment {
      return
        "paid period \(k) is a term of instalments, which counts \(ChainBuilder.instalmentRetryDays) days after its scheduled end on \(end); \(endOfData)"
    }
    return end > lastDay
      ? "paid period \(k) runs until \(end); \(endOfData)"
      : "paid period \(k) ended on \(end), less than \(ChainBuilder.retryDays) days before \(endOfData)"
  }

  private func fewer(_ count: Int, _ cutShort: Int) -> String {
    let periods =
      count == 0 ? "it has no paid period" : "it has only \(counted(count, "paid period"))"
    guard cutShort > 0 else { return periods }
    return
      "\(periods) that count\(count > 1 ? "" : "s"); a change of product or billing plan cut \(cutShort) short"
  }
}

extension Contribution {
  /// Whether retention lost the chain at an earlier paid period.
  var isLostBefore: Bool {
    if case .notAtRisk(.lost) = leftOut { true } else { false }
  }
}
