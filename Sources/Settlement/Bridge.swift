package import Storage
package import SubscriptionModel

/// The reconciliation of Sales and Trends with Apple's payment for one fiscal period, region and currency.
package struct Bridge: Equatable, Sendable {
  /// A line of the bridge; the raw value is its step.
  ///
  /// Step 30 is the sum of 10 to 29, and 50 that of 30 to 49.
  package enum Line: Int, CaseIterable, Sendable {
    case salesGross = 10
    case salesRefunds = 11
    case missingDays = 12
    case cutoffIn = 20
    case cutoffOut = 21
    case refundTiming = 22
    case notCollected = 23
    case shareDifference = 24
    case otherRegion = 25
    case unexplainedSales = 29
    case financeShare = 30
    case inputTax = 40
    case adjustments = 41
    case withholdingTax = 42
    case carriedBalance = 43
    case unexplainedPayment = 49
    case totalOwed = 50
    case payment = 60

    /// The name in the `line` column.
    package var name: String {
      switch self {
      case .salesGross: "sales_gross"
      case .salesRefunds: "sales_refunds"
      case .missingDays: "missing_days"
      case .cutoffIn: "cutoff_in"
      case .cutoffOut: "cutoff_out"
      case .refundTiming: "refund_timing"
      case .notCollected: "not_collected"
      case .shareDifference: "share_difference"
      case .otherRegion: "other_region"
      case .unexplainedSales: "unexplained_sales"
      case .financeShare: "finance_share"
      case .inputTax: "input_tax"
      case .adjustments: "adjustments"
      case .withholdingTax: "withholding_tax"
      case .carriedBalance: "carried_balance"
      case .unexplainedPayment: "unexplained_payment"
      case .totalOwed: "total_owed"
      case .payment: "payment"
      }
    }

    /// Returns the lines of some steps, in order.
    static func steps(_ steps: ClosedRange<Int>) -> [Line] {
      allCases.filter { steps.contains($0.rawValue) }
    }
  }

  /// The certainty of an amount.
  package enum Status: String, Sendable {
    case exact, estimate, unknown
  }

  /// One row of the bridge.
  package struct Entry: Equatable, Sendable {
    package let line: Line
    /// The amount in milliunits, signed as it is added; `nil` if it is unknown.
    package var amount: Int128?
    /// The number of units, with the sign of the amount; `nil` if the line has no units.
    package var count: Int?
    package var status = Status.exact
    /// The least possible amount; only for estimates and unexplained lines.
    package var low: Int128?
    /// The largest possible amount.
    package var high: Int128?
    /// The cause of the amount, or the reason why it is unknown.
    package var cause = ""
    /// The data that the amount is based on.
    package var evidence = ""
    /// The currency of the bank account, only for a payment; `nil` if it is unknown.
    package var bankCurrency: Symbol?
    /// The part of the amount owed that a payment is of, in milliunits of the bridge's currency; `nil` for other lines,
    /// and if it is not known.
    package var owed: Int128?

    /// Whether Apple has paid the amount.
    package var isPaid: Bool { line == .payment && status == .exact && amount != nil }

    init(_ line: Line, _ amount: Int128?) {
      self.line = line
      self.amount = amount
      if amount == nil { status = .unknown }
    }

    init(_ line: Line, unknown cause: String) {
      self.init(line, Int128?.none)
      self.cause = cause
    }

    init(_ line: Line, _ money: CountedMoney) {
      self.init(line, money.milliunits)
      count = money.units
    }
  }

  /// The cause of a share difference between Apple's usual rates: 70 and 85 %.
  package static let rateCause = "70/85"
  /// The cause of a share difference that no pair of rates explains.
  package static let otherCause = "other"

  /// The cause of a payment that Apple has not made yet; its amount is Apple's estimate.
  package static let notPaidYet = "not paid yet"

  /// The cause of lines 40 to 60 that are 0 because the payments CSV does not list the region and currency.
  package static let notInPayments = "not in the payments CSV"

  /// A note on the range of ``Line/unexplainedSales``: it excludes the lines for which FINANCIAL has no data.
  package static let outsideRange = "lines 23 and 24 are not in this range"

  package let period: FiscalPeriod
  /// Apple's region code.
  package let region: String
  /// The currency in which the region is settled.
  package let currency: Symbol
  /// The product's Apple ID, if the bridge is split by product; `nil` for the whole bridge.
  package let product: Symbol?
  /// The rows by step and cause; only up to step 30 for a product.
  package let entries: [Entry]

  /// Returns the rows of a line: one, possibly several for `shareDifference` and `otherRegion`.
  package func entries(of line: Line) -> [Entry] { entries.filter { $0.line == line } }

  /// Returns the sum of a line in milliunits; `nil` if a part of it is unknown.
  package func amount(of line: Line) -> Int128? {
    let amounts = entries(of: line).map(\.amount)
    return amounts.contains(nil) ? nil : amounts.compactMap(\.self).reduce(0, +)
  }

  /// Whether the period's sales are known, so that the settlement was compared with them.
  ///
  /// Without a SALES report of the period the whole settlement of its days is in line 12, and 29 is 0 whatever was sold.
  package var isComparedWithSales: Bool {
    amount(of: .salesGross) != nil && amount(of: .unexplainedSales) != nil
  }
}
