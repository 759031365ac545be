import Storage
package import SubscriptionModel

/// A period as a sentence needs it, of reports or of receipts; days of reports are instants at midnight.
struct ExplainedPeriod: Sendable {
  let start: Instant
  /// The actual end; that of a period whose end is not known is its start.
  let end: Instant
  let isPaid: Bool
  let isTrial: Bool
  let isInstalment: Bool
  let product: Symbol
  /// The currency of the price; blank without one.
  let currency: Symbol
  let plan: BillingPlan
  /// The place in its term, of an instalment.
  let position: InstalmentPosition?
  let fate: Period.Fate
  /// Why it ended, in reports.
  let ending: Period.Ending?
  /// The first day after its full duration, in reports.
  let fullEnd: Day?
  /// Why it lapsed, in receipts.
  let reason: LapseReason?
  /// Whether another product replaced it, in receipts.
  let isUpgraded: Bool
  /// Whether nothing but this replacement followed it.
  let isReplaced: Bool
  let refund: ReceiptPeriod.Refund?
  /// Whether the refund ended the period.
  let isCutByRefund: Bool
  let cancellation: Instant?
  /// The days for which Apple retries billing after the period.
  let retryDays: Int

  /// Creates a period of reports.
  init(_ period: Period, _ terms: ChargeTerms) {
    start = Instant(startOf: period.start) ?? Instant(seconds: 0)
    end = Instant(startOf: period.end) ?? start
    isPaid = terms.isPaid
    isTrial = terms.kind == .trial
    isInstalment = period.instalment != .none
    product = terms.attributes.product
    currency = terms.proceeds.currency
    plan = terms.plan
    position = period.instalment.position
    fate = period.fate
    ending = period.ending
    fullEnd = period.fullEnd
    (reason, isUpgraded, isReplaced) = (nil, false, false)
    isCutByRefund = period.ending == .refunded
    refund = isCutByRefund ? .full : nil
    cancellation = nil
    retryDays = period.retryDays
  }

  /// Creates a period of receipts.
  init(_ period: ReceiptPeriod) {
    start = period.start
    end = period.end ?? period.start
    isPaid = period.event.isPaid
    isTrial = period.event.kind == .trial
    isInstalment = period.event.isPaid && period.plan == .commitment
    currency = period.event.currency
    product = period.event.product
    plan = period.plan
    position = period.position
    fate =
      switch period.fate {
      case .renewed, .upgraded: .continued
      case .recovered: .recovered
      case .reactivated: .reactivated
      case .openFinal: .openFinal
      case .openProvisional: .openProvisional
      case .current, .none: .running
      }
    (ending, fullEnd) = (nil, nil)
    reason = period.reason
    isUpgraded = period.isUpgraded
    isReplaced = period.fate == .upgraded
    refund = period.refund
    isCutByRefund = period.cut == .refund
    cancellation = period.event.cancellation
    retryDays = period.retrySeconds / 86_400
  }

  /// Whether the charge was refunded, fully or in part; a refund that ended the period, in reports.
  var isRefunded: Bool { refund == .full || refund == .partial }

  /// Whether the subscription lapsed at its end.
  var isLapse: Bool { fate != .continued && fate != .running }

  /// Whether its app moved to another account.
  var isTransferred: Bool { ending == .transferred }

  /// The name of what followed: a charge that continues a period is a renewal only if the period ran to its end.
  var factName: String {
    guard fate == .continued else { return isTransferred ? "transfer" : fate.name }
    return switch ending {
    case nil: isUpgraded || isReplaced ? "change" : fate.name
    case .fullEnd, .oldBillingDay: fate.name
    case .changedProduct: "change"
    case .boughtAgainSameDay: "second purchase"
    case .refunded: "refund"
    case .transferred: "transfer"
    }
  }
}

extension Period {
  /// What ended a period whose app moved to another account.
  package static let movedAway =
    "its app moved to another account, where Apple gave its subscribers new ids"
}

extension Period.Fate {
  /// The fate's name in explanations.
  package var name: String {
    switch self {
    case .continued: "renewal"
    case .recovered: "lapse recovered"
    case .reactivated: "lapse reactivated"
    case .openFinal: "lapse open final"
    case .openProvisional: "lapse open provisional"
    case .running: "running"
    }
  }
}
