public import SubscriptionModel

/// The way from what Sales and Trends says to what Apple pays: one fiscal period, region and currency.
public struct Bridge: Equatable, Sendable {
  /// A line of the bridge; its number is its step.
  public enum Line: Int, CaseIterable, Sendable {
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

    /// The name as `line` prints it.
    public var name: String {
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
  }

  /// How well an amount is known.
  public enum Status: String, Sendable {
    case exact, estimate, unknown
  }

  /// One row of the bridge.
  public struct Entry: Equatable, Sendable {
    /// Which line it is.
    public let line: Line
    /// In milliunits, signed as it is added; `nil` when it is not known.
    public var amount: Int128?
    /// The units, with the amount's sign; `nil` where there are none to count.
    public var count: Int?
    /// How well the amount is known.
    public var status = Status.exact
    /// The least that the amount can be; only for estimates and what is unexplained.
    public var low: Int128?
    /// The most that the amount can be.
    public var high: Int128?
    /// Why there is such an amount, or why it is not known.
    public var cause = ""
    /// What the amount rests on.
    public var evidence = ""
    /// The currency of the bank account, only of a payment; `nil` where nothing says it.
    public var bankCurrency: Symbol?

    init(_ line: Line, _ amount: Int128? = nil) {
      self.line = line
      self.amount = amount
      if amount == nil { status = .unknown }
    }

    init(_ line: Line, _ money: CountedMoney) {
      self.init(line, money.milliunits)
      count = money.units
    }
  }

  /// The cause of a share difference that the other of Apple's two rates explains.
  public static let rateCause = "70/85"
  /// The cause of any other share difference.
  public static let otherCause = "other"

  /// What a range of ``Line/unexplainedSales`` leaves out, in words: FINANCIAL cannot tell these lines.
  public static let outsideRange = "lines 23 and 24 are not in this range"

  /// The fiscal period.
  public let period: FiscalPeriod
  /// Apple's region code.
  public let region: String
  /// The currency that the region is settled in.
  public let currency: Symbol
  /// The product's Apple ID in the view by product; `nil` in a whole bridge.
  public let product: Symbol?
  /// The rows by step and cause; by product up to step 30.
  public let entries: [Entry]

  /// Returns the rows of a line.
  ///
  /// - Parameter line: The line.
  /// - Returns: One row; two or more for differences of shares and of regions.
  public func entries(of line: Line) -> [Entry] { entries.filter { $0.line == line } }

  /// Returns the sum of a line.
  ///
  /// - Parameter line: The line.
  /// - Returns: In milliunits; `nil` when a part of it is not known.
  public func amount(of line: Line) -> Int128? {
    entries(of: line).reduce(Int128?.some(0)) { sum, entry in
      guard let sum, let amount = entry.amount else { return nil }
      return sum + amount
    }
  }
}
