import Counting
import Rendering
import Storage
import SubscriptionModel

/// What a cell leaves out, in words.
extension Reason {
  /// Returns the sentence that says why the cell does not count the contribution.
  func sentence(_ rule: LeftOutRule) -> String {
    switch rule {
    case .free:
      "\(period?.isTrial == true ? "a free trial" : "a free offer"); only paid periods count"
    case .noTrial: "a free offer, no introductory trial"
    case .running: "it runs until \(period.map { "\($0.end.day)" } ?? ""); \(endOfData)"
    case .notDue: "no renewal was due: \(whyNotDue)"
    case .other: "\(factName): \(sentence)"
    case .continuing: "it continues a paid period"
    case .otherCurrency: whyOtherCurrency
    case .notAtRisk(let rule): sentence(rule)
    case .shared: "it is shared by family; only the purchase of the customer who paid counts"
    case .upgrade: "the cancellation belongs to a change of product, so it is no refund"
    case .revoked: "the customer lost the access of a family, which is no refund"
    case .laterInstalment: "\(instalmentName), which is not the first of its term"
    case .placeUnknown: placeUnknown
    case .otherEnvironment:
      "its receipts are of another environment than the run counts; there it counts as \(factName): \(sentence)"
    case .otherPeriod: "the subscription counts once, with another of its paid periods"
    }
  }

  /// That the place of an instalment in its term is not known.
  var placeUnknown: String {
    let day = period.map { "\($0.start.day)" } ?? ""
    return data.isOfReceipts
      ? "the place of the term's first instalment in the receipts is unknown: the term may have begun before them; the newest instalment is of \(day)"
      : "the position of the instalment of \(day) in its term is unknown: the term may have begun before the data, which begin on \(firstDay)"
  }

  private var whyOtherCurrency: String {
    if !data.isOfReceipts { return "its proceeds are in \(data.names.text(currency))" }
    return period?.currency == .blank
      ? "the receipts state no price of it" : "its price is in \(data.names.text(currency))"
  }

  private var whyNotDue: String {
    guard let period else { return "" }
    let end = period.end.day
    if period.isTransferred { return "\(Period.movedAway), on \(end)" }
    if period.isRefunded {
      let day = (period.cancellation ?? period.end).day
      return period.isCutByRefund
        ? "\(nameOfRefund(period)) ended it on \(day)"
        : "\(nameOfRefund(period)) was given on \(day), after its end"
    }
    if period.ending == .changedProduct { return "\(whatChanged) was bought on \(end)" }
    if period.isUpgraded { return "another product replaced it on \(end)" }
    if period.ending == .boughtAgainSameDay {
      return "it was bought again on the same day, so it has no length"
    }
    if data.isOfReceipts, period.start == period.end {
      return "it was bought again at once, so it has no length"
    }
    return "it is an instalment before the last of its term, or of an unknown place in it"
  }

  // MARK: Retention

  /// Returns the sentence that says why a chain is not at risk at k.
  private func sentence(_ rule: NotAtRisk) -> String {
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

  /// The first charge under a new subscriber id; receipts do not replace the ids of customers.
  private var idReset: String {
    let day = period.map { ", on \($0.start.day)" } ?? ""
    return
      "its first charge is the first under a new subscriber id\(day): the customer came back after 180 days or more"
  }

  private func undecided(_ k: Int, _ end: Day) -> String {
    if period?.isInstalment == true {
      return
        "paid period \(k) is a term of instalments, which counts \(ChainBuilder.instalmentRetryDays) days after its scheduled end on \(end); \(endOfData)"
    }
    return end > asOf
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
