import Counting
import Pipeline
import Rendering
import Storage
package import SubscriptionModel
import Tables

/// The fact of a contribution, and the sentence that says why a cell counts it.
///
/// Its words come from the fact, and from the fate and the dates that the fold has given the period; no rule is applied
/// again. Example: `no charge within 60 days of 2026-08-14; the data end on 2026-09-30`.
struct Reason {
  /// What all reasons of a list have in common.
  struct Data {
    let names: Names
    let months: MonthSystem
    let month: Month
    let lastDay: Day
    /// The seconds by which a renewal may be late, in receipts; `nil` for reports.
    var toleranceSeconds: Int?

    var isOfReceipts: Bool { toleranceSeconds != nil }
  }

  let data: Data
  let fact: Counted
  let count: Int
  /// The amount that it adds to money, in milliunits.
  let price: Int64
  /// Returns what a charge is worth a month, in lists of such values.
  var monthly: (@Sendable (ChargeValue) -> MonthlyValue)?
  /// What followed an instalment.
  let outcome: InstalmentOutcome?
  /// The day on which the table knew something else than today.
  var knownOn: Day?
  /// The period; `nil` for a refund whose charge is not in the input.
  let period: ExplainedPeriod?
  /// The period that it follows.
  let before: ExplainedPeriod?
  /// The next charge, or what replaced the period.
  let next: ExplainedPeriod?
  /// The beginning of the next charge of the chain.
  let nextStart: Instant?
  let refundDay: Day?
  /// The currency of its money; for reports also that of a refund without its charge.
  let currency: Symbol
  /// The day on which the data of the subscription end, and the first day of all data.
  let asOf: Day
  let firstDay: Day
  /// The day on which its app came from another account, if the history begins there.
  let receivedOn: Day?

  /// The name of the fact: METRICS.md section 4 and rules 2.4 and 2.5.
  var factName: String {
    if case .commitment(let column) = fact { return column.factName(outcome) }
    if knownOn != nil { return nameThen }
    if fact == .fact(.switchedOut), period?.isTransferred == true { return "transfer" }
    return fact.factName ?? period?.factName ?? ""
  }

  var sentence: String {
    if let knownOn { return sentence(on: knownOn) }
    return switch fact {
    case .fact(let fact): sentence(of: fact)
    case .activeBefore: active(on: data.months.firstDay(of: data.month) - 1)
    case .activeAtEnd: active(on: data.months.lastDay(of: data.month))
    case .charge: period.map { "a paid charge of \($0.start.day)" } ?? ""
    case .atRisk, .kept, .lost: whatFollowed
    case .notAtRisk, .instalment, .notInLifetime: ""
    case .lifetime(let kind): sentence(of: kind)
    case .other(let fact): sentence(of: fact) + (price == 0 ? "" : monthlyWords())
    case .changedProduct: sentence(of: Fact.switchedIn)
    case .status(let column): sentence(of: column)
    case .recurring(let column): sentence(of: column) + monthlyWords(of: column)
    case .commitment(let column): period.map { sentence(of: column, $0) } ?? ""
    case .refund(let isFull): refund(isFull: isFull)
    }
  }

  func sentence(of fact: Fact) -> String {
    guard let period else { return "" }
    let day = period.start.day
    switch fact {
    case .started: return "the first charge of the subscription, on \(day), is paid"
    case .firstSeen: return startUnknown
    case .converted:
      let free = before.map { " that ended on \($0.end.day)" } ?? ""
      return "paid on \(day) after a free period\(free)"
    case .reactivated, .recovered: return paidAgain(fact, period)
    case .switchedIn:
      return data.isOfReceipts
        ? change(to: period, from: before) : change(to: period, from: before, on: period.start)
    case .switchedOut:
      if period.isTransferred { return whatFollowed }
      return data.isOfReceipts
        ? change(to: next, from: period) : change(to: next, from: period, on: nextStart)
    case .trialConverted, .trialNotConverted, .trialPending: return trial(fact, period)
    case .dueRenewed, .dueRecovered, .dueLapsed, .duePending: return whatFollowed
    default: return whatFollowed + lapseReason(period)
    }
  }

  // MARK: The ends of the data

  /// Such as `the data end on 2026-09-30`; in receipts each subscription has an end of its own.
  var endOfData: String {
    "the data \(data.isOfReceipts ? "of the subscription " : "")end on \(asOf)"
  }

  /// The longest time by which a renewal may be late.
  var tolerance: String {
    guard let seconds = data.toleranceSeconds else { return "\(ChainBuilder.toleranceDays) days" }
    return seconds % 3_600 == 0
      ? counted(seconds / 3_600, "hour") : counted(seconds / 60, "minute")
  }

  /// That the subscription may have begun before the data.
  var startUnknown: String {
    guard let day = period?.start.day else { return "" }
    if data.isOfReceipts {
      return
        "the first purchase of the subscription in the receipts is of \(day); it may have begun before"
    }
    let edge =
      receivedOn.map { "\($0), when its app came from another account" }
      ?? "the data, which begin on \(firstDay)"
    return "the first row of the subscription is of \(day); it may have begun before \(edge)"
  }

  private var onNext: String { nextStart.map { "on \($0.day)" } ?? "later" }

  // MARK: Arrivals and changes

  private func paidAgain(_ fact: Fact, _ period: ExplainedPeriod) -> String {
    let day = period.start.day
    guard let before else {
      return data.isOfReceipts
        ? "paid again on \(day)"
        : "the first charge under a new subscriber id, on \(day): the customer came back after 180 days or more"
    }
    let (end, days) = (before.end.day, before.retryDays)
    if fact == .recovered {
      return "paid again on \(day), within \(days) days of the lapse on \(end)"
    }
    return before.isPaid
      ? "paid again on \(day), more than \(days) days after \(end)"
      : "paid on \(day), more than \(days) days after the free period that ended on \(end)"
  }

  /// Returns the sentence for a change in receipts, where an older period may represent the subscription again.
  private func change(to new: ExplainedPeriod?, from old: ExplainedPeriod?) -> String {
    guard let old else { return period.map { "bought on \($0.start.day)" } ?? "" }
    guard let new else {
      return old.isUpgraded
        ? replacement
        : "the period ended on \(old.end.day); \(endOfData), so it is neither renewed nor lapsed"
    }
    guard new.start < old.start else { return change(to: new, from: old, on: new.start) }
    let day = old.end.day
    if !new.isPaid || new.product == old.product && new.plan != old.plan {
      return change(to: new, from: old, on: old.end)
    }
    return new.product == old.product
      ? "the charge of \(new.start.day), still running on \(day), is in another row of the table"
      : "went back \(products(old, new)), which was still running on \(day)"
  }

  private func change(
    to new: ExplainedPeriod?, from old: ExplainedPeriod?, on instant: Instant?
  ) -> String {
    guard let new, let old, let day = instant?.day else { return "" }
    if !new.isPaid { return "went on with a free offer on \(day)" }
    if new.product != old.product { return "changed \(products(old, new)) on \(day)" }
    if new.plan != old.plan { return "changed its billing plan on \(day)" }
    return "the charge of \(day) is in another row of the table than the one before it"
  }

  private func products(_ old: ExplainedPeriod, _ new: ExplainedPeriod) -> String {
    "from \(data.names.product(old.product)) to \(data.names.product(new.product))"
  }

  private func trial(_ fact: Fact, _ period: ExplainedPeriod) -> String {
    let (end, days) = (period.end.day, ChainBuilder.retryDays)
    guard let next = nextStart?.day else {
      if period.isTransferred { return whatFollowed }
      return fact == .trialPending
        ? "no charge so far after the trial, which ends on \(end); \(endOfData)"
        : "no charge within \(days) days of \(end); \(endOfData)"
    }
    if fact == .trialConverted {
      return "paid on \(next), within \(days) days of the trial's end on \(end)"
    }
    return self.next?.isPaid == true
      ? "paid on \(next), more than \(days) days after the trial's end on \(end)"
      : "followed by another free period on \(next)"
  }

  // MARK: Ends of periods

  /// What followed the period.
  var whatFollowed: String {
    guard let period else { return "" }
    let (end, days) = (period.end.day, period.retryDays)
    if period.isTransferred { return "on \(end) \(Period.movedAway)" }
    if endsByRefund(period) { return refundEnded(period) }
    switch period.fate {
    case .continued: return period.isReplaced ? replacement : renewal(period)
    case .recovered: return "the next charge came \(onNext), within \(days) days of \(end)"
    case .reactivated: return "the next charge came \(onNext), more than \(days) days after \(end)"
    case .openFinal: return "no charge within \(days) days of \(end); \(endOfData)"
    case .openProvisional:
      return "no charge so far since \(end), less than \(days) days before \(endOfData)"
    case .running:
      return
        "no charge so far; the period ended on \(end), at most \(tolerance) before \(endOfData)"
    }
  }

  private func endsByRefund(_ period: ExplainedPeriod) -> Bool {
    data.isOfReceipts ? period.isRefunded && period.fate != .continued : period.isCutByRefund
  }

  private func refundEnded(_ period: ExplainedPeriod) -> String {
    let day = (period.cancellation ?? period.end).day
    let ended =
      period.isCutByRefund
      ? "\(nameOfRefund(period)) ended the period on \(day)"
      : "\(nameOfRefund(period)) on \(day), after the period's end on \(period.end.day)"
    let isPaidAgain = period.fate == .recovered || period.fate == .reactivated
    guard data.isOfReceipts ? isPaidAgain : nextStart != nil else {
      return "\(ended); no charge followed; \(endOfData)"
    }
    let when =
      switch period.fate {
      case .recovered where !data.isOfReceipts: ", within \(period.retryDays) days"
      case .reactivated where !data.isOfReceipts: ", more than \(period.retryDays) days later"
      default: ""
      }
    return "\(ended); the next charge came \(onNext)\(when)"
  }

  func nameOfRefund(_ period: ExplainedPeriod) -> String {
    period.refund == .full ? "a full refund" : "a refund of a part of the price"
  }

  /// That another product replaced the period, and whether its purchase is in the data.
  private var replacement: String {
    let day = period.map { "\($0.end.day)" } ?? ""
    return next == nil
      ? "marked as upgraded; the data have no purchase of another product at its end on \(day)"
      : "replaced by another product on \(day)"
  }

  private func renewal(_ period: ExplainedPeriod) -> String {
    let end = period.end.day
    guard let start = nextStart, let ending = period.ending, let fullEnd = period.fullEnd else {
      return renewalOfReceipts(period)
    }
    let next = start.day
    switch ending {
    case .oldBillingDay:
      return
        "charged again on \(next), the old billing day; the period would have ended on \(fullEnd)"
    case .changedProduct:
      return "\(whatChanged) was bought on \(next); the period would have ended on \(fullEnd)"
    default:
      if next == end { return "charged again on \(next), the day it ended" }
      return next - end > ChainBuilder.toleranceDays
        ? "charged again on \(next), its billing day at the month's end; the period ended on \(end)"
        : "charged again on \(next), within \(tolerance) of its end on \(end)"
    }
  }

  private func renewalOfReceipts(_ period: ExplainedPeriod) -> String {
    let end = period.end.day
    guard let next else { return "another period continued it on \(end)" }
    if next.start < period.start {
      return "the charge of \(next.start.day) runs until \(next.end.day), beyond the end on \(end)"
    }
    let day = next.start.day
    if next.start == period.end { return "charged again on \(day), when it ended" }
    return period.end < next.start
      ? "charged again on \(day), at most \(tolerance) after its end on \(end)"
      : "charged again on \(day), before its end on \(end)"
  }

  /// What the next charge changed, if it cut the period short: another billing plan counts like another product.
  var whatChanged: String {
    guard let next, next.product == period?.product else { return "another product" }
    return "another billing plan"
  }

  /// The reason of a lapse that was not recovered, as the renewal info of receipts has it.
  private func lapseReason(_ period: ExplainedPeriod) -> String {
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
    guard let period else { return "" }
    let (start, end) = (period.start.day, period.end.day)
    if data.isOfReceipts {
      let paid = "active at the end of \(day): paid from \(start) to \(end)"
      if day < end { return paid }
      if let next, period.fate == .continued, !period.isReplaced, next.start > period.start {
        return "\(paid), and charged again on \(next.start.day)"
      }
      return "\(paid); \(endOfData)"
    }
    if day < end { return "active on \(day): paid from \(start) to \(end)" }
    if let nextStart, period.fate == .continued {
      return "active on \(day): paid until \(end) and charged again on \(nextStart.day)"
    }
    return "active on \(day): paid until \(end); a charge may still follow, because \(endOfData)"
  }

  private func refund(isFull: Bool) -> String {
    let what = isFull ? "the whole price" : "a part of the price"
    let day = refundDay.map { " on \($0)" } ?? ""
    return period.map { "\(what) of the charge of \($0.start.day) was given back\(day)" }
      ?? "\(what) was given back\(day); no charge in the input is the one refunded"
  }

  // MARK: The state on an earlier day

  private var nameThen: String {
    switch fact {
    case .fact(.lapseOpenProvisional): "lapse open provisional"
    case .fact(.dueRenewed): "renewal"
    case .fact(.trialPending): "trial pending"
    default: "due"
    }
  }

  /// Returns the outcome of the period as of a day, and the later one.
  private func sentence(on day: Day) -> String {
    guard let period else { return "" }
    let end = period.end.day
    let refund = period.cancellation.map { "; the refund came on \($0.day)" } ?? ""
    let charge = nextStart.map { "; the next charge came on \($0.day)" } ?? ""
    return switch fact {
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

extension Counted {
  /// The name of the fact; `nil` for one that has the name of its period's outcome, and for instalments.
  var factName: String? {
    switch self {
    case .fact(.started): "start"
    case .fact(.firstSeen): "first seen"
    case .fact(.converted): "conversion"
    case .fact(.reactivated): "reactivation"
    case .fact(.recovered): "recovery"
    case .fact(.switchedIn), .fact(.switchedOut): "change"
    case .fact(.trialConverted): "trial converted"
    case .fact(.trialNotConverted): "trial not converted"
    case .fact(.trialPending): "trial pending"
    case .activeBefore, .activeAtEnd: "active"
    case .charge: "charge"
    case .atRisk: "at risk"
    case .kept: "kept"
    case .lost: "lost"
    case .notAtRisk: "not at risk"
    case .recurring(let column): column.factName
    case .lifetime(let kind): kind.factName
    case .other(let fact): fact.words
    case .changedProduct: "change"
    case .status(let column): column.factName
    case .fact, .commitment, .instalment, .notInLifetime: nil
    case .refund(let isFull): isFull ? "refund" : "refund partial"
    }
  }
}

/// A period as a sentence needs it, of reports or of receipts; days of reports are instants at midnight.
struct ExplainedPeriod: Sendable {
  let start: Instant
  /// The actual end; that of a period whose end is not known is its start.
  let end: Instant
  let isPaid: Bool
  let isTrial: Bool
  let isInstalment: Bool
  let product: Symbol
  /// The amounts, and the term that they pay for.
  let value: ChargeValue
  /// How an offer is paid; none for a standard charge, and where receipts do not say.
  let offerMode: OfferMode
  let isContingent: Bool
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

  init(_ period: Period, _ terms: ChargeTerms) {
    start = Instant(startOf: period.start) ?? Instant(seconds: 0)
    end = Instant(startOf: period.end) ?? start
    isPaid = terms.isPaid
    isTrial = terms.kind == .trial
    isInstalment = period.instalment != .none
    product = terms.attributes.product
    (value, offerMode, isContingent) = (terms.value, terms.offerMode, terms.isContingent)
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

  init(_ period: ReceiptPeriod) {
    start = period.start
    end = period.end ?? period.start
    isPaid = period.event.isPaid
    isTrial = period.event.kind == .trial
    isInstalment = period.event.isPaid && period.plan == .commitment
    value = period.value
    offerMode = period.event.flags.contains(.payAsYouGo) ? .payAsYouGo : .none
    isContingent = false
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
