import Counting
import Rendering
import Storage
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
    case .new: return sentence(of: before == nil ? Fact.started : .converted)
    case .expansionOffer, .contractionOffer:
      return "the charge of \(day) is of another kind than the one before it"
    case .expansionPrice, .contractionPrice:
      return "the charge of \(day) has another price, or share of it, than the one before it"
    default: return column.fact.map { sentence(of: $0) } ?? ""
    }
  }
}

extension RecurringColumn {
  /// The fact in whose words a column is explained; `nil` for columns with words of their own.
  fileprivate var fact: Fact? {
    switch self {
    case .firstSeen: .firstSeen
    case .reactivated: .reactivated
    case .recovered: .recovered
    case .switchedIn, .expansionProduct, .contractionProduct: .switchedIn
    case .switchedOut: .switchedOut
    case .churned: .churnedUnknown
    case .enteredRetry: .lapseRecovered
    default: nil
    }
  }

  /// The name of what a column counts.
  var factName: String {
    switch self {
    case .active, .mrr, .open: "active"
    case .new: "new"
    case .churned: "churn"
    case .enteredRetry: "lapse recovered"
    case .expansionOffer, .contractionOffer: "offer"
    case .expansionPrice, .contractionPrice: "price"
    default: fact.flatMap { Counted.fact($0).factName } ?? ""
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
    case .standard: "standard"
    case .introductory: "introductory"
    case .offers: "offer"
    case .freeTrials: "free trial"
    case .freeOffers: "free offer"
    case .grace: "grace"
    case .billingRetry: "billing retry"
    case .suspended: "suspended"
    case .unresolved: "unresolved"
    }
  }
}

/// Instalments and terms that `commitments` counts, in words.
extension Reason {
  /// Returns the sentence that says why a column of commitments counts an instalment.
  func sentence(of column: CommitmentColumn, _ period: ExplainedPeriod) -> String {
    let end = period.end.day
    switch column {
    case .running: return running(period)
    case .suspended: return suspended(period)
    case .positionUnknown: return placeUnknown
    case .due, .paid, .recovered, .defaulted, .pending:
      return
        "the next instalment was due on \(end), at the end of \(instalmentName): \(payment(period))"
    case .termsStarted: return "the first instalment of a term, charged on \(period.start.day)"
    case .termsEnded: return ended(period)
    case .termsRenewed:
      return "the term was paid to its end on \(end) and \(continuation(period))"
    case .remaining:
      return
        "\(counted(count, "instalment")) of the term to come after \(instalmentName), charged on \(period.start.day)"
    }
  }

  /// Such as `instalment 4 of 12`.
  var instalmentName: String {
    guard let position = period?.position, let number = position.number else {
      return "an instalment"
    }
    return "instalment \(number) of \(position.total)"
  }

  /// The day of a stock: the last of the month or of the data, the earlier one; not before the start of the period.
  private func dayOfStock(_ period: ExplainedPeriod) -> Day {
    max(period.start.day, min(data.months.lastDay(of: data.month), data.lastDay))
  }

  private func running(_ period: ExplainedPeriod) -> String {
    let (day, end) = (dayOfStock(period), period.end.day)
    let paid = "\(instalmentName), paid from \(period.start.day) to \(end)"
    if day < end { return "the term runs on \(day): \(paid)" }
    let then = nextStart.map { $0.day > day ? "; the next charge came on \($0.day)" : "" }
    let open = "; no charge followed so far\(data.isOfReceipts ? "; \(endOfData)" : "")"
    return "the term has not ended on \(day): \(paid)\(then ?? open)"
  }

  private func suspended(_ period: ExplainedPeriod) -> String {
    let day = dayOfStock(period)
    let isSeen = !data.isOfReceipts || next != nil || asOf >= day
    let notPaid = isSeen ? "the next was not paid by \(day)" : "no payment of the next is known"
    return
      "\(instalmentName) ended on \(period.end.day), and \(notPaid); Apple retries for \(period.retryDays) days\(isSeen ? "" : "; \(endOfData)")"
  }

  /// Returns what became of the instalment that was due at the end of a period.
  private func payment(_ period: ExplainedPeriod) -> String {
    switch outcome {
    case .paid: return paid(period)
    case .recovered:
      let day = nextStart.map { "\($0.day), " } ?? ""
      return "paid on \(day)within \(period.retryDays) days"
    case .pending: return "no charge so far; \(endOfData)"
    default: return notPaid(period)
    }
  }

  private func paid(_ period: ExplainedPeriod) -> String {
    guard let start = nextStart else { return "paid" }
    let paid = "paid on \(start.day)"
    if start == period.end { return paid }
    if !data.isOfReceipts {
      return "\(paid), within \(max(start.day - period.end.day, ChainBuilder.toleranceDays)) days"
    }
    return start < period.end
      ? "paid already on \(start.day)" : "\(paid), at most \(tolerance) later"
  }

  /// Returns why an instalment counts as not paid: no charge came in time, or the one that came is of something else.
  private func notPaid(_ period: ExplainedPeriod) -> String {
    let days = period.retryDays
    guard let next = nextStart?.day else { return "no charge within \(days) days; \(endOfData)" }
    return next - period.end.day > days
      ? "the next charge came on \(next), more than \(days) days later"
      : "the next charge, of \(next), does not continue the term"
  }

  private func ended(_ period: ExplainedPeriod) -> String {
    let end = period.end.day
    switch outcome {
    case .complete: return "the term was paid to its end on \(end)"
    case .refunded:
      let what = data.isOfReceipts ? nameOfRefund(period) : "a full refund"
      return "\(what) ended \(instalmentName) and the term on \(end)"
    case .changed where period.isTransferred: return "on \(end) \(Period.movedAway)"
    case .changed:
      let day = nextStart?.day ?? end
      return "\(purchase(period)) on \(day), after \(instalmentName)"
    default:
      return
        "the term ended \(period.retryDays) days after \(instalmentName), which ended on \(end): \(notPaid(period))"
    }
  }

  /// Returns the purchase in place of the next instalment, such as `another product was bought`.
  private func purchase(_ period: ExplainedPeriod) -> String {
    guard let next else {
      return data.isOfReceipts ? "another product was bought" : "something else was bought"
    }
    if next.product != period.product { return "another product was bought" }
    return next.plan == period.plan ? "a new term began" : "another billing plan was bought"
  }

  private func continuation(_ period: ExplainedPeriod) -> String {
    if let nextStart { return "continued by the charge of \(nextStart.day)" }
    return period.isUpgraded ? "replaced by another product" : "continued by another period"
  }
}

extension CommitmentColumn {
  /// Returns the name of what the column counts, by what followed the instalment.
  func factName(_ outcome: InstalmentOutcome?) -> String {
    // The cases have the words of METRICS.md.
    let end = outcome.map { "\($0)" } ?? ""
    return switch self {
    case .running, .positionUnknown, .remaining: "term running"
    case .suspended: "term suspended"
    case .due, .paid, .recovered, .defaulted, .pending: "instalment \(end)"
    case .termsStarted: "term start"
    case .termsEnded: "term \(end)"
    case .termsRenewed: "term renewed"
    }
  }
}

extension MonthlyValue {
  /// Returns the calculation in words, such as `59.99 USD a year, times 1/12, is 4.999`; `more` is what else belongs to
  /// the amount, such as `paid up front`.
  func words(_ value: ChargeValue, _ names: Names, _ more: String? = nil) -> String {
    let money = { (amount: Amount) in NumberStyle.money(milliunits: Int128(amount.milliunits)) }
    // Where both are the same, either is right.
    let basis = amount == value.proceeds && amount != value.price ? " of proceeds" : ""
    let usual = term == value.term ? nil : "the usual term of the product"
    let parts = [
      "\(money(amount)) \(names.text(amount.currency))\(basis) \(term.words)", usual, more,
    ]
    return
      "\(parts.compactMap(\.self).joined(separator: ", ")), times \(factorText), is \(money(result))"
  }

  /// The factor, such as `1/12` or, of a week, `365.25/12/7`.
  private var factorText: String {
    if factor.below == 1 { return "\(factor.above)" }
    guard factor.above == 1_461 else { return "\(factor.above)/\(factor.below)" }
    return factor.below == 48 ? "365.25/12" : "365.25/12/\(factor.below / 48)"
  }
}

extension Term {
  /// Such as `a year`, `a week` or `for 3 months`.
  fileprivate var words: String {
    switch (Int(months), Int(days)) {
    case (12, _): "a year"
    case (1, _): "a month"
    case (let months, _) where months > 0: "for \(months) months"
    case (_, 7): "a week"
    case (_, 1): "a day"
    case (_, let days): "for \(counted(days, "day"))"
    }
  }
}

extension Reason {
  /// What the charges of a contribution are worth a month, as the end of its sentence; blank if the list has no values.
  ///
  /// The sentence has the calculation of the fold, and is left out where its result is not the contribution's value.
  func monthlyWords(of column: RecurringColumn? = nil) -> String {
    guard let monthly, let period else { return "" }
    let values = [period, before].compactMap(\.self).filter(\.isPaid).map { charge in
      let value = monthly(charge.value)
      return (
        number: value.result.milliunits, hasCurrency: value.amount.currency != .blank,
        words: value.words(charge.value, data.names, charge.manner)
      )
    }
    if column == .active {
      return values.first?.hasCurrency == false ? "; no price of it is known" : ""
    }
    let size = abs(price)
    if column?.isChange == true {
      guard values.count == 2, abs(values[0].number - values[1].number) == size else { return "" }
      return "; \(values[0].words); the charge before it: \(values[1].words)"
    }
    // Those who switch in come with the value that they had.
    let inOrder = column == .switchedIn ? values.reversed() : values
    return inOrder.first { $0.number == size && $0.hasCurrency }.map { "; \($0.words)" } ?? ""
  }
}

extension RecurringColumn {
  /// Whether it has the difference of two charges.
  fileprivate var isChange: Bool {
    switch self {
    case .expansionProduct, .expansionOffer, .expansionPrice, .contractionProduct,
      .contractionOffer, .contractionPrice:
      true
    default: false
    }
  }
}

extension ExplainedPeriod {
  /// How the charge was paid, where that decides its term: `paid up front`; `nil` for a standard charge.
  fileprivate var manner: String? {
    if isInstalment { return "an instalment" }
    if isContingent { return "a contingent price" }
    return switch offerMode {
    case .payUpFront: "paid up front"
    case .payAsYouGo: "pay as you go"
    case .none, .freeTrial: nil
    }
  }
}
