import Counting
import SubscriptionModel

/// Charges that `recurring` counts, in words.
extension Reason {
  /// Returns the sentence that says why a column of recurring revenue has the monthly value of a charge.
  func sentence(of column: RecurringColumn) -> String {
    guard let period else { return "" }
    let day = period.start.day
    switch column {
    case .active, .mrr, .open:
      let end =
        column == .open
        ? data.months.firstDay(of: data.month) - 1 : data.months.lastDay(of: data.month)
      return "the charge of \(day) covers \(end)"
    case .new:
      return before == nil
        ? sentence(of: Fact.started) : sentence(of: Fact.converted)
    case .firstSeen: return sentence(of: Fact.firstSeen)
    case .reactivated: return sentence(of: Fact.reactivated)
    case .recovered: return sentence(of: Fact.recovered)
    case .switchedIn: return sentence(of: Fact.switchedIn)
    case .switchedOut: return sentence(of: Fact.switchedOut)
    case .churned: return sentence(of: Fact.churnedUnknown)
    case .enteredRetry: return sentence(of: Fact.lapseRecovered)
    case .expansionProduct, .contractionProduct: return sentence(of: Fact.switchedIn)
    case .expansionOffer, .contractionOffer:
      return "the charge of \(day) is of another kind than the one before it"
    case .expansionPrice, .contractionPrice:
      return "the charge of \(day) has another price, or share of it, than the one before it"
    }
  }
}

extension RecurringColumn {
  /// The name of what a column counts.
  var factName: String {
    switch self {
    case .active, .mrr, .open: "active"
    case .new: "new"
    case .firstSeen: "first seen"
    case .reactivated: "reactivation"
    case .recovered: "recovery"
    case .switchedIn, .switchedOut, .expansionProduct, .contractionProduct: "change"
    case .churned: "churn"
    case .enteredRetry: "lapse recovered"
    case .expansionOffer, .contractionOffer: "offer"
    case .expansionPrice, .contractionPrice: "price"
    }
  }
}

/// Chains that `lifetime` and `status` count, in words.
extension Reason {
  func sentence(of kind: LifetimeGrid.Kind) -> String {
    guard let day = period?.start.day else { return "" }
    return switch kind {
    case .started: "the first charge of the subscription is of \(day)"
    case .paying: "the first paid charge of the subscription is of \(day)"
    case .refund: refundDay.map { "a refund on \($0) of the charge of \(day)" } ?? ""
    default: "a paid charge of \(day)"
    }
  }

  func sentence(of column: StatusColumn) -> String {
    guard let period else { return "" }
    let day = data.months.lastDay(of: data.month)
    return switch column {
    case .standard, .introductory, .offers, .freeTrials, .freeOffers:
      "the charge of \(period.start.day) covers \(day)"
    case .grace: "in a grace period on \(day), after the end on \(period.end.day)"
    case .billingRetry: "in billing retry on \(day), after the end on \(period.end.day)"
    case .suspended: "suspended on \(day), after the end on \(period.end.day)"
    case .unresolved: "on \(day) the data do not say what followed the end on \(period.end.day)"
    }
  }
}

/// What other tools count otherwise, in words.
extension Reason {
  func sentence(of fact: OtherFact) -> String {
    guard let period else { return "" }
    let (day, end) = (period.start.day, period.end.day)
    let last = data.months.lastDay(of: data.month)
    switch fact {
    case .furtherPlaces:
      return
        "the charge of \(day) covers \(last), and so does one of another subscription of the customer"
    case .withRefundedPeriods:
      return "a full refund ended the period of the charge of \(day), which would cover \(last)"
    case .withoutRefundedCharges:
      return count < 0
        ? "the charge of \(day) covers \(last) and was refunded in full"
        : "without charges that were refunded in full the one of \(day) covers \(last)"
    case .pacificPlaces:
      return "the period from \(day) to \(end) begins or ends in another month of Pacific Time"
    case .pacificDue, .pacificRenewed, .pacificRenewedByOther:
      return "the period ends on \(end), in another month of Pacific Time"
    case .lostNewCustomer:
      return
        "the period ended on \(end), and the customer held no subscription at the start of the month and none at the end of that day"
    case .lostCustomerOfStart:
      return
        "the period ended on \(end), and the customer held a subscription at the start of the month and none at the end of that day"
    case .renewedByOther: return "renewed with another product or plan on \(end)"
    case .trialPaid: return "a charge was paid after the free period of \(day)"
    case .trialPaidNotRefunded:
      return "a charge was paid after the free period of \(day), and not refunded in full"
    case .trialContinued: return "a paid charge continues the free period of \(day)"
    case .fullRefund: return "the charge of \(day) was refunded in full"
    case .inGrace: return sentence(of: StatusColumn.grace)
    case .graceChurned, .graceEnteredRetry:
      return
        "the lapse on \(end) counts at the end of its grace period, if nothing was paid by then"
    case .graceRecovered, .graceReactivated:
      return "paid again in the grace period after \(end), so it never left"
    }
  }
}

extension LifetimeGrid.Kind {
  var factName: String {
    switch self {
    case .started, .before, .unseen: "start"
    case .paying: "first payment"
    case .charge: "charge"
    case .refund: "refund"
    }
  }
}

extension StatusColumn {
  var factName: String {
    switch self {
    case .standard, .introductory, .offers: "active"
    case .freeTrials: "free trial"
    case .freeOffers: "free offer"
    case .grace: "grace"
    case .billingRetry: "billing retry"
    case .suspended: "suspended"
    case .unresolved: "unresolved"
    }
  }
}
