import Counting
import Storage
import SubscriptionModel

/// A period of receipts as a sentence needs it.
struct ExplainedPeriod: Sendable {
  let start: Instant
  /// The actual end; that of a period whose end is not known is its start.
  let end: Instant
  let isPaid: Bool
  let isTrial: Bool
  let product: Symbol
  /// The currency of the price; blank without one.
  let currency: Symbol
  let plan: BillingPlan
  /// The place in its term, of an instalment.
  let position: InstalmentPosition?
  let fate: ReceiptPeriod.Fate
  let reason: LapseReason?
  let isUpgraded: Bool
  let refund: ReceiptPeriod.Refund?
  /// Whether the refund ended the period.
  let isCutByRefund: Bool
  let cancellation: Instant?
  /// The days for which Apple retries billing after the period.
  let retryDays: Int

  init(_ period: ReceiptPeriod) {
    start = period.start
    end = period.end ?? period.start
    isPaid = period.event.isPaid
    isTrial = period.event.kind == .trial
    currency = period.event.currency
    product = period.event.product
    plan = period.plan
    position = period.position
    fate = period.fate
    reason = period.reason
    isUpgraded = period.isUpgraded
    refund = period.refund
    isCutByRefund = period.cut == .refund
    cancellation = period.event.cancellation
    retryDays = period.retrySeconds / 86_400
  }

  /// Whether the charge was refunded, fully or in part.
  var isRefunded: Bool { refund == .full || refund == .partial }

  /// The name of what followed the period.
  var factName: String {
    switch fate {
    case .renewed: isUpgraded ? "change" : "renewal"
    case .upgraded: "change"
    case .recovered: "lapse recovered"
    case .reactivated: "lapse reactivated"
    case .openFinal: "lapse open final"
    case .openProvisional: "lapse open provisional"
    case .current, .none: "running"
    }
  }
}
