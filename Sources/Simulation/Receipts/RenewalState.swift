/// The store's data about a customer's next renewal, at one moment.
struct RenewalState {
  /// The index of the last purchase in the history.
  private(set) var purchase = 0
  private(set) var willRenew = true
  /// Whether the last purchase is an instalment of a commitment that will not be renewed.
  private(set) var endsWithTerm = false
  /// Whether the year after a commitment will be paid at once.
  private(set) var nextIsUpfront = false
  /// The index of the product of the next period.
  private(set) var nextProduct = 0
  /// Whether the store is retrying to collect; nil if it never had to.
  private(set) var isInRetry: Bool?
  private(set) var graceEnd: Instant?
  /// The last notice or answer about a higher price; nil if the price stays.
  private(set) var priceIncrease: CustomerEvent.PriceIncrease?
  /// The reason for which the subscription ended, if it did.
  private(set) var expired: CancellationReason?
  /// The time of the last purchase's last refund.
  private(set) var refunded: Instant?

  /// Creates the state at a moment; the history has at least one purchase up to it.
  init(_ history: CustomerHistory, at instant: Instant) {
    for event in history.events.prefix(while: { $0.date <= instant }) {
      add(event, history)
    }
    let last = history.purchases[purchase]
    if refunded != nil, expired == nil, last.expires <= instant { expired = .canceled }
  }

  private mutating func add(_ event: CustomerEvent, _ history: CustomerHistory) {
    switch event.kind {
    case .purchased:
      let endsWithTerm = endsWithTerm
      self = RenewalState(event, history)
      self.endsWithTerm = endsWithTerm && history.purchases[purchase].terms.instalment > 1
    case .renewalDisabled where history.purchases[purchase].terms.instalment > 0:
      // Billing continues to the last instalment.
      endsWithTerm = true
    case .renewalDisabled:
      willRenew = false
    case .productChosen(let product):
      nextProduct = product
    case .upfrontChosen:
      nextIsUpfront = true
    case .paymentFailed(let graceEnd):
      isInRetry = true
      self.graceEnd = graceEnd
    case .graceExpired:
      break
    case .priceIncreased(let answer):
      priceIncrease = answer
    case .expired(let reason):
      expired = reason
      willRenew = false
      endsWithTerm = history.purchases[purchase].terms.instalment > 0
      if isInRetry != nil { isInRetry = false }
    case .refunded:
      guard event.purchase == purchase else { return }
      refunded = event.date
      willRenew = false
      endsWithTerm = history.purchases[purchase].terms.instalment > 0
    }
  }

  private init(_ event: CustomerEvent, _ history: CustomerHistory) {
    purchase = event.purchase
    nextProduct = Int(history.purchases[event.purchase].terms.product)
  }

  /// Apple's number for the reason: 1 cancelled, 2 not paid, 3 no consent to a higher price, 5 other.
  var expirationIntent: Int? {
    switch expired {
    case .canceled: 1
    case .billingIssue: 2
    case .priceConsent: 3
    case .other: 5
    case .none?, nil: isInRetry == true ? 2 : nil
    }
  }

  /// Returns the Server API's status: 1 active, 2 expired, 3 in retry, 4 in grace, 5 refunded.
  func status(_ history: CustomerHistory, at instant: Instant) -> Int {
    if refunded != nil { return 5 }
    if instant < history.purchases[purchase].expires { return 1 }
    if let graceEnd, instant < graceEnd, isInRetry == true { return 4 }
    return isInRetry == true ? 3 : 2
  }
}
