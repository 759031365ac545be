import Counting
import SubscriptionModel

/// The sentence that says why a cell counts a contribution.
///
/// Its words come from the fact, and from the fate and the dates that the fold has given the period; no rule is applied
/// again. Example: `no charge within 60 days of 2026-08-14; the data end on 2026-09-30`.
struct Reason {
  let contribution: Contribution
  /// The terms that periods refer to by index.
  let terms: [ChargeTerms]
  let names: Names
  let completeness: Completeness
  /// The month of the row.
  let month: Month

  var sentence: String {
    switch contribution.counted {
    case .fact(let fact): sentence(of: fact)
    case .activeBefore: active(on: completeness.monthSystem.firstDay(of: month) - 1)
    case .activeAtEnd: active(on: completeness.monthSystem.lastDay(of: month))
    case .charge: contribution.period.map { "a paid charge of \($0.start)" } ?? ""
    case .atRisk, .kept, .lost: whatFollowed
    case .notAtRisk, .instalment: ""
    case .commitment(let column): sentence(of: column)
    case .refund(let isFull): refund(isFull: isFull)
    }
  }

  func sentence(of fact: Fact) -> String {
    guard let period = contribution.period else { return "" }
    switch fact {
    case .started: return "the first charge of the subscription, on \(period.start), is paid"
    case .firstSeen:
      return
        "the first row of the subscription is of \(period.start); it may have begun before \(leftEdge)"
    case .converted: return "paid on \(period.start) after \(afterBefore("a free period"))"
    case .reactivated, .recovered: return paidAgain(fact, period)
    case .switchedIn:
      return change(to: period.terms, from: contribution.before?.terms, on: period.start)
    case .switchedOut:
      if period.ending == .transferred { return whatFollowed(period) }
      return change(to: contribution.nextTerms, from: period.terms, on: period.nextStart)
    case .trialConverted, .trialNotConverted, .trialPending: return trial(fact, period)
    default: return whatFollowed(period)
    }
  }

  /// Where the history of the subscription begins in the data.
  private var leftEdge: String {
    let app = terms[Int(contribution.terms)].attributes.app
    if let received = completeness.transfers.transfer(of: app, to: contribution.rows.first) {
      return "\(received.day), when its app came from another account"
    }
    return "the data, which begin on \(completeness.firstDay)"
  }

  /// What followed the period.
  var whatFollowed: String { contribution.period.map(whatFollowed) ?? "" }

  private func whatFollowed(_ period: Period) -> String {
    WhatFollowed(period: period, change: whatChanged, asOf: completeness.asOf).sentence
  }

  /// What the next charge changed, if it cut the period short: another billing plan counts like another product.
  var whatChanged: String {
    guard let next = contribution.nextTerms else { return "another product" }
    let products = (
      terms[Int(contribution.terms)].attributes.product, terms[Int(next)].attributes.product
    )
    return products.0 == products.1 ? "another billing plan" : "another product"
  }

  /// Returns such as `a free period that ended on 2026-08-14`.
  private func afterBefore(_ what: String) -> String {
    contribution.before.map { "\(what) that ended on \($0.end)" } ?? what
  }

  private func paidAgain(_ fact: Fact, _ period: Period) -> String {
    guard let before = contribution.before else {
      return
        "the first charge under a new subscriber id, on \(period.start): the customer came back after 180 days or more"
    }
    let days = before.retryDays
    if fact == .recovered {
      return "paid again on \(period.start), within \(days) days of the lapse on \(before.end)"
    }
    return terms[Int(before.terms)].isPaid
      ? "paid again on \(period.start), more than \(days) days after \(before.end)"
      : "paid on \(period.start), more than \(days) days after the free period that ended on \(before.end)"
  }

  private func change(to new: UInt32?, from old: UInt32?, on day: Day?) -> String {
    guard let new, let old, let day else { return "" }
    let (own, other) = (terms[Int(old)], terms[Int(new)])
    if !other.isPaid { return "went on with a free offer on \(day)" }
    if own.attributes.product != other.attributes.product {
      return
        "changed from \(names.product(own.attributes.product)) to \(names.product(other.attributes.product)) on \(day)"
    }
    if own.plan != other.plan { return "changed its billing plan on \(day)" }
    return "the charge of \(day) is in another row of the table than the one before it"
  }

  private func trial(_ fact: Fact, _ period: Period) -> String {
    let days = ChainBuilder.retryDays
    guard let next = period.nextStart else {
      if period.ending == .transferred { return whatFollowed(period) }
      if fact == .trialPending {
        return
          "no charge so far after the trial, which ends on \(period.end); \(endOfData)"
      }
      return "no charge within \(days) days of \(period.end); \(endOfData)"
    }
    let isPaid = contribution.nextTerms.map { terms[Int($0)].isPaid } ?? false
    if fact == .trialConverted {
      return "paid on \(next), within \(days) days of the trial's end on \(period.end)"
    }
    return isPaid
      ? "paid on \(next), more than \(days) days after the trial's end on \(period.end)"
      : "followed by another free period on \(next)"
  }

  private func active(on day: Day) -> String {
    guard let period = contribution.period else { return "" }
    if day < period.end { return "active on \(day): paid from \(period.start) to \(period.end)" }
    if let next = period.nextStart, period.fate == .continued {
      return "active on \(day): paid until \(period.end) and charged again on \(next)"
    }
    return
      "active on \(day): paid until \(period.end); a charge may still follow, because \(endOfData)"
  }

  private func refund(isFull: Bool) -> String {
    let what = isFull ? "the whole price" : "a part of the price"
    let day = contribution.refundDay.map { " on \($0)" } ?? ""
    let sale = contribution.period.map { "of the charge of \($0.start)" }
    return sale.map { "\(what) \($0) was given back\(day)" }
      ?? "\(what) was given back\(day); no charge in the input is the one refunded"
  }

  var endOfData: String { "the data end on \(completeness.asOf)" }
}

/// What followed a paid period, in words.
private struct WhatFollowed {
  let period: Period
  /// What the next charge changed, such as `another product`.
  let change: String
  let asOf: Day

  var sentence: String {
    if period.ending == .transferred { return "on \(period.end) \(Period.movedAway)" }
    if period.ending == .refunded {
      return "a full refund ended the period on \(period.end)\(then)"
    }
    guard let next = period.nextStart else { return open }
    let days = period.retryDays
    switch period.fate {
    case .continued: return renewal(on: next)
    case .recovered: return "the next charge came on \(next), within \(days) days of \(period.end)"
    default: return "the next charge came on \(next), more than \(days) days after \(period.end)"
    }
  }

  /// What followed a refund.
  private var then: String {
    guard let next = period.nextStart else {
      return "; no charge followed; the data end on \(asOf)"
    }
    let when =
      switch period.fate {
      case .recovered: ", within \(period.retryDays) days"
      case .reactivated: ", more than \(period.retryDays) days later"
      default: ""
      }
    return "; the next charge came on \(next)\(when)"
  }

  private var open: String {
    let days = period.retryDays
    switch period.fate {
    case .openFinal:
      return "no charge within \(days) days of \(period.end); the data end on \(asOf)"
    case .openProvisional:
      return
        "no charge so far since \(period.end), less than \(days) days before the data end on \(asOf)"
    default:
      return
        "no charge so far; the period ended on \(period.end), at most \(ChainBuilder.toleranceDays) days before the data end on \(asOf)"
    }
  }

  private func renewal(on next: Day) -> String {
    switch period.ending {
    case .oldBillingDay:
      "charged again on \(next), the old billing day; the period would have ended on \(period.fullEnd)"
    case .changedProduct:
      "\(change) was bought on \(next); the period would have ended on \(period.fullEnd)"
    default:
      if next == period.end {
        "charged again on \(next), the day it ended"
      } else if next - period.end > ChainBuilder.toleranceDays {
        "charged again on \(next), its billing day at the month's end; the period ended on \(period.end)"
      } else {
        "charged again on \(next), within \(ChainBuilder.toleranceDays) days of its end on \(period.end)"
      }
    }
  }
}
