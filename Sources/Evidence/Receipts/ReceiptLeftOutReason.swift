import Counting
import Storage
import SubscriptionModel

/// What cells of receipts leave out, in words.
extension ReceiptReason: LeftOutWords {
  var isTrial: Bool { period.isTrial }
  var isInstalment: Bool { period.isPaid && period.plan == .commitment }
  var endDay: String { period.end.day.description }
  var lastDay: Day { contribution.asOf.day }
  var startUnknown: String { sentence(of: .firstSeen) }
  // Receipts do not replace the ids of customers.
  var idReset: String { startUnknown }
  var placeUnknown: String { sentence(of: CommitmentColumn.positionUnknown) }

  var whyOtherCurrency: String {
    period.currency == .blank
      ? "the receipts state no price of it" : "its price is in \(names.text(period.currency))"
  }

  var whyNotDue: String {
    if period.isRefunded {
      let what = period.refund == .full ? "a full refund" : "a refund of a part of the price"
      let day = (period.cancellation ?? period.end).day
      return period.isCutByRefund
        ? "\(what) ended it on \(day)" : "\(what) was given on \(day), after its end"
    }
    if period.isUpgraded { return "another product replaced it on \(endDay)" }
    if period.start == period.end { return "it was bought again at once, so it has no length" }
    return WhyNotDue.instalment
  }
}
