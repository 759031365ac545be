package import SubscriptionModel

/// The kind of a file, determined by its header.
///
/// The raw values are the kinds of METRICS.md section 8.
package enum ReportKind: String, CaseIterable, Sendable {
  case sales
  case subscriber
  case subscriptionEvent = "subscription-event"
  case subscription
  case offerRedemption = "offer-redemption"
  case winBack = "win-back"
  case preOrder = "pre-order"
  case newsstand
  case installs
  case firstAnnual = "first-annual"
  case financial
  case financeDetail = "finance-detail"
  case payments
  case transactionTax = "transaction-tax"
  case appleError = "apple-error"
  case unknown

  /// Apple's name of the report, for messages.
  package var displayName: String {
    switch self {
    case .sales: "SALES"
    case .subscriber: "SUBSCRIBER"
    case .subscriptionEvent: "SUBSCRIPTION_EVENT"
    case .subscription: "SUBSCRIPTION"
    case .offerRedemption: "SUBSCRIPTION_OFFER_CODE_REDEMPTION"
    case .winBack: "WIN_BACK_ELIGIBILITY"
    case .preOrder: "PRE_ORDER"
    case .newsstand: "NEWSSTAND"
    case .installs: "INSTALLS"
    case .firstAnnual: "FIRST_ANNUAL"
    case .financial: "FINANCIAL"
    case .financeDetail: "FINANCE_DETAIL"
    case .payments: "payments"
    case .transactionTax: "transaction tax"
    case .appleError: "error answer from Apple"
    case .unknown: "unknown file"
    }
  }
}

extension ReportKind {
  /// The source that reports of this kind belong to; `nil` for reports that no table uses.
  package var source: Source? {
    switch self {
    case .subscriber: .subscribers
    case .subscriptionEvent, .subscription: .events
    case .sales: .sales
    default: nil
    }
  }

  /// Whether the file is a finance file, which is reconciled with SALES.
  package var isFinance: Bool {
    switch self {
    case .financial, .financeDetail, .payments: true
    default: false
    }
  }
}

/// The length of the period that a report covers.
package enum Frequency: String, CaseIterable, Sendable {
  case daily, weekly, monthly, yearly

  /// Returns the days of a report.
  ///
  /// - Parameter last: The last day, which is the day of the report.
  /// - Returns: Its week, its month from the 1st on, its year from 1 January on, or the day alone.
  package func days(until last: Day) -> ClosedRange<Day> {
    switch self {
    case .daily: last...last
    case .weekly: last - 6...last
    case .monthly: last.month.firstDay...last
    case .yearly: Month(year: last.month.year, month: 1).firstDay...last
    }
  }
}
