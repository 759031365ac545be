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
