import Counting
import SubscriptionModel

/// Facts of receipts that were known on an earlier day and are others today, in words.
extension ReceiptReason {
  /// The name of the fact as it was known then.
  var factNameThen: String {
    switch contribution.found.counted {
    case .fact(.lapseOpenProvisional): "lapse open provisional"
    case .fact(.dueRenewed): "renewal"
    case .fact(.trialPending): "trial pending"
    default: "due"
    }
  }

  /// Returns the outcome of the period as of a day, and the later one.
  func sentence(on day: Day) -> String {
    let end = period.end.day
    let refund = period.cancellation.map { "; the refund came on \($0.day)" } ?? ""
    let charge = next.map { "; the next charge came on \($0.start.day)" } ?? ""
    return switch contribution.found.counted {
    case .fact(.dueRenewed): "renewed on \(end), and not refunded by \(day)\(refund)"
    case .fact(.trialPending): "no charge by \(day) after the trial that ends on \(end)\(charge)"
    case .fact(.duePending):
      period.isRefunded
        ? "due on \(end), and not refunded by \(day)\(refund)"
        : "due on \(end), and not renewed by \(day)\(charge)"
    default: "no charge by \(day) since \(end)\(charge)"
    }
  }
}
