import SubscriptionModel

/// When Apple asks customers to agree to a higher price, as far as the rule of their storefront is known.
///
/// An increase needs consent when it is more than a part of the price *and* more than an amount, or when
/// there was another one within a year. Source: Apple, "Managing price increases for auto-renewable
/// subscriptions" and support.apple.com/109501; the amounts of other currencies are not public in full.
public struct ConsentRules: Equatable, Sendable {
  /// Whether customers must agree.
  public enum Need: String, Sendable {
    case yes, no, unknown
  }

  /// The rule of a storefront.
  public struct Rule: Equatable, Sendable {
    /// The customer's currency that the amounts are in.
    public var currency: String
    /// The part of the old price, in percent, up to which an increase needs no consent.
    public var percent: Int
    /// The amount up to which an increase of a plan shorter than a year needs none, in milliunits.
    public var amount: Int64
    /// The same of a plan of a year.
    public var yearlyAmount: Int64

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - currency: The currency of the amounts.
    ///   - percent: The part of the old price, in percent.
    ///   - amount: The amount for plans shorter than a year, in milliunits.
    ///   - yearlyAmount: The amount for plans of a year, in milliunits.
    public init(currency: String, percent: Int, amount: Int64, yearlyAmount: Int64) {
      self.currency = currency
      self.percent = percent
      self.amount = amount
      self.yearlyAmount = yearlyAmount
    }
  }

  /// The rules by storefront; what has none is not known.
  public var rules: [String: Rule]

  /// Creates rules.
  ///
  /// - Parameter rules: The rules by 2-letter storefront code.
  public init(_ rules: [String: Rule]) { self.rules = rules }

  /// The rules that are public: the United States'.
  public static let shipped = ConsentRules([
    "US": Rule(currency: "USD", percent: 50, amount: 5_000, yearlyAmount: 50_000)
  ])

  private static let monthsBetween: Int16 = 12

  /// Returns whether customers must agree to an increase.
  ///
  /// - Parameters:
  ///   - storefront: The storefront's code and the customer's currency.
  ///   - oldPrice: The price that they pay, in milliunits.
  ///   - newPrice: The planned one, in milliunits.
  ///   - term: The plan's duration.
  ///   - date: The day of the change.
  ///   - lastIncrease: The last increase before it; `nil` when none was found.
  ///   - firstDay: The first day of the data: an increase before it cannot have been found.
  /// - Returns: Whether they must; `unknown` without a rule, and where the year before is not known.
  func need(
    _ storefront: (country: String, currency: String), oldPrice: Int64, newPrice: Int64, term: Term,
    date: Day, lastIncrease: Day?, firstDay: Day
  ) -> Need {
    guard let rule = rules[storefront.country], rule.currency == storefront.currency else {
      return .unknown
    }
    let more = newPrice - oldPrice
    let allowed = term.months >= Self.monthsBetween ? rule.yearlyAmount : rule.amount
    if more > allowed, more * 100 > oldPrice * Int64(rule.percent) { return .yes }
    let year = Term(months: Self.monthsBetween)
    if let lastIncrease, lastIncrease.adding(year) > date { return .yes }
    return firstDay.adding(year) <= date ? .no : .unknown
  }
}
