import Counting
import Rendering
import SubscriptionModel

/// The fact of a contribution of receipts, and the sentence that says why a cell counts it.
///
/// Its words come from the fact, and from the fate and the dates that the fold has given the period; no rule is applied
/// again.
struct ReceiptReason {
  let contribution: ReceiptContribution
  let names: Names
  let months: MonthSystem
  /// The month of the row.
  let month: Month
  /// The last day of the data.
  let lastDayOfData: Day
  /// Seconds by which a renewal may be late.
  let toleranceSeconds: Int

  var period: ExplainedPeriod { contribution.period }
  var next: ExplainedPeriod? { contribution.next }

  /// The name of the fact: METRICS.md section 4.
  var factName: String {
    if case .commitment(let column) = contribution.found.counted {
      return column.factName(contribution.found.outcome)
    }
    if contribution.found.knownOn != nil { return factNameThen }
    return contribution.found.counted.factName ?? period.factName
  }

  var sentence: String {
    if let day = contribution.found.knownOn { return sentence(on: day) }
    return switch contribution.found.counted {
    case .fact(let fact): sentence(of: fact)
    case .activeBefore: active(on: months.firstDay(of: month) - 1)
    case .activeAtEnd: active(on: months.lastDay(of: month))
    case .charge: "a paid charge of \(period.start.day)"
    case .atRisk, .kept, .lost: whatFollowed
    case .notAtRisk, .instalment: ""
    case .commitment(let column): sentence(of: column)
    case .refund(let isFull): refund(isFull: isFull)
    }
  }

  func sentence(of fact: Fact) -> String {
    let day = period.start.day
    switch fact {
    case .started: return "the first charge of the subscription, on \(day), is paid"
    case .firstSeen:
      return
        "the first purchase of the subscription in the receipts is of \(day); it may have begun before"
    case .converted:
      let free = contribution.before.map { " that ended on \($0.end.day)" } ?? ""
      return "paid on \(day) after a free period\(free)"
    case .reactivated, .recovered: return paidAgain(fact)
    case .switchedIn: return change(to: period, from: contribution.before)
    case .switchedOut: return change(to: next, from: period)
    case .trialConverted, .trialNotConverted, .trialPending: return trial(fact)
    case .dueRenewed, .dueRecovered, .dueLapsed, .duePending: return whatFollowed
    default: return whatFollowed + reason
    }
  }

  // MARK: Arrivals and changes

  private func paidAgain(_ fact: Fact) -> String {
    let day = period.start.day
    guard let before = contribution.before else { return "paid again on \(day)" }
    let end = before.end.day
    if fact == .recovered {
      return "paid again on \(day), within \(before.retryDays) days of the lapse on \(end)"
    }
    return before.isPaid
      ? "paid again on \(day), more than \(before.retryDays) days after \(end)"
      : "paid on \(day), more than \(before.retryDays) days after the free period that ended on \(end)"
  }

  private func change(to new: ExplainedPeriod?, from old: ExplainedPeriod?) -> String {
    guard let old else { return "bought on \(period.start.day)" }
    guard let new else {
      return old.isUpgraded
        ? replacement
        : "the period ended on \(old.end.day); \(endOfData), so it is neither renewed nor lapsed"
    }
    // An older period represents the subscription again when a newer one ends.
    let isOlder = new.start < old.start
    let day = isOlder ? old.end.day : new.start.day
    if !new.isPaid { return "went on with a free offer on \(day)" }
    if new.product != old.product {
      let products = "from \(names.product(old.product)) to \(names.product(new.product))"
      return isOlder
        ? "went back \(products), which was still running on \(day)"
        : "changed \(products) on \(day)"
    }
    if new.plan != old.plan { return "changed its billing plan on \(day)" }
    return isOlder
      ? "the charge of \(new.start.day), still running on \(day), is in another row of the table"
      : "the charge of \(day) is in another row of the table than the one before it"
  }

  private func trial(_ fact: Fact) -> String {
    let (end, days) = (period.end.day, ReceiptSettings.retrySeconds / 86_400)
    guard let next else {
      return fact == .trialPending
        ? "no charge so far after the trial, which ends on \(end); \(endOfData)"
        : "no charge within \(days) days of \(end); \(endOfData)"
    }
    if fact == .trialConverted {
      return "paid on \(next.start.day), within \(days) days of the trial's end on \(end)"
    }
    return next.isPaid
      ? "paid on \(next.start.day), more than \(days) days after the trial's end on \(end)"
      : "followed by another free period on \(next.start.day)"
  }

  // MARK: Ends of periods

  /// What followed a paid period.
  var whatFollowed: String {
    let (end, days) = (period.end.day, period.retryDays)
    if period.isRefunded, period.fate != .renewed, period.fate != .upgraded { return refundEnded }
    switch period.fate {
    case .renewed: return renewal
    case .upgraded: return replacement
    case .recovered:
      return "the next charge came \(onNext), within \(days) days of \(end)"
    case .reactivated:
      return "the next charge came \(onNext), more than \(days) days after \(end)"
    case .openFinal: return "no charge within \(days) days of \(end); \(endOfData)"
    case .openProvisional:
      return
        "no charge so far since \(end), less than \(days) days before the data of the subscription end on \(contribution.asOf.day)"
    case .current, .none:
      return
        "no charge so far; the period ended on \(end), at most \(tolerance) before the data of the subscription end on \(contribution.asOf.day)"
    }
  }

  /// That another product replaced the period, and whether its purchase is in the data.
  private var replacement: String {
    let day = period.end.day
    return next == nil
      ? "marked as upgraded; the data have no purchase of another product at its end on \(day)"
      : "replaced by another product on \(day)"
  }

  private var onNext: String { next.map { "on \($0.start.day)" } ?? "later" }

  /// The longest time by which a renewal may be late.
  var tolerance: String {
    toleranceSeconds % 3_600 == 0
      ? counted(toleranceSeconds / 3_600, "hour") : counted(toleranceSeconds / 60, "minute")
  }

  private var renewal: String {
    guard let next else { return "another period continued it on \(period.end.day)" }
    if next.start < period.start {
      return
        "the charge of \(next.start.day) runs until \(next.end.day), beyond the end on \(period.end.day)"
    }
    let day = next.start.day
    if next.start == period.end { return "charged again on \(day), when it ended" }
    return period.end < next.start
      ? "charged again on \(day), at most \(tolerance) after its end on \(period.end.day)"
      : "charged again on \(day), before its end on \(period.end.day)"
  }

  private var refundEnded: String {
    let what = period.refund == .full ? "a full refund" : "a refund of a part of the price"
    let day = (period.cancellation ?? period.end).day
    let ended =
      period.isCutByRefund
      ? "\(what) ended the period on \(day)"
      : "\(what) on \(day), after the period's end on \(period.end.day)"
    switch period.fate {
    case .recovered: return "\(ended); the next charge came \(onNext)"
    case .reactivated: return "\(ended); the next charge came \(onNext)"
    default: return "\(ended); no charge followed; \(endOfData)"
    }
  }

  /// The reason of a lapse that was not recovered, as the renewal info has it.
  private var reason: String {
    switch (period.fate, period.reason) {
    case (.recovered, _), (_, .refund), (_, nil): ""
    case (_, .voluntary): "; the renewal info says that the customer turned it off"
    case (_, .billing): "; the renewal info says that billing failed"
    case (_, .price): "; the renewal info says that the customer did not accept a price"
    case (_, .removed): "; the renewal info says that the product was not available"
    case (_, .other): "; the renewal info gives another reason"
    case (_, .unknown): "; no renewal info gives a reason"
    }
  }

  private func active(on day: Day) -> String {
    let paid = "active at the end of \(day): paid from \(period.start.day) to \(period.end.day)"
    if day < period.end.day { return paid }
    if let next, period.fate == .renewed, next.start > period.start {
      return "\(paid), and charged again on \(next.start.day)"
    }
    return "\(paid); \(endOfData)"
  }

  private func refund(isFull: Bool) -> String {
    let what = isFull ? "the whole price" : "a part of the price"
    let day = period.cancellation.map { " on \($0.day)" } ?? ""
    return "\(what) of the charge of \(period.start.day) was given back\(day)"
  }

  var endOfData: String {
    "the data of the subscription end on \(contribution.asOf.day)"
  }
}
