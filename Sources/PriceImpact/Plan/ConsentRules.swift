import SubscriptionModel

/// Apple's rules on when customers must agree to a higher price, for storefronts whose rule is public.
///
/// An increase needs consent if it exceeds a percentage of the price *and* an amount, such as from 9.99 to 15.99
/// USD a month in the United States (50 %, 5 USD), or if it is the second within a year. Source: Apple, "Managing
/// price increases for auto-renewable subscriptions" and support.apple.com/109501; the amounts of other currencies
/// are not public in full.
package struct ConsentRules: Equatable, Sendable {
  /// Whether customers must agree.
  package enum Need: String, Sendable {
    case yes, no, unknown
  }

  /// The rule of a storefront.
  package struct Rule: Equatable, Sendable {
    /// The customer's currency, in which the amounts are.
    package var currency: String
    /// An increase up to this percentage of the old price needs no consent.
    package var percent: Int
    /// An increase up to this amount, in milliunits, needs no consent; for plans shorter than a year.
    package var amount: Int64
    /// The same for yearly plans.
    package var yearlyAmount: Int64

    package init(currency: String, percent: Int, amount: Int64, yearlyAmount: Int64) {
      self.currency = currency
      self.percent = percent
      self.amount = amount
      self.yearlyAmount = yearlyAmount
    }
  }

  /// The rules by 2-letter storefront code; a storefront without a rule is unknown.
  package var rules: [String: Rule]

  package init(_ rules: [String: Rule]) { self.rules = rules }

  /// The only public rule: that of the United States.
  package static let shipped = ConsentRules([
    "US": Rule(currency: "USD", percent: 50, amount: 5_000, yearlyAmount: 50_000)
  ])

  private static let monthsOfYear: Int16 = 12

  /// Returns whether customers must agree to an increase; `unknown` without a rule, or if the data do not cover the
  /// year before.
  ///
  /// The storefront is its code and the customer's currency; prices are in milliunits. `lastIncrease` is the day of the
  /// last increase before the date; one before the first day of the data cannot be found.
  func need(
    _ storefront: (country: String, currency: String), oldPrice: Int64, newPrice: Int64, term: Term,
    date: Day, lastIncrease: Day?, firstDay: Day
  ) -> Need {
    guard let rule = rules[storefront.country], rule.currency == storefront.currency else {
      return .unknown
    }
    let more = newPrice - oldPrice
    let allowed = term.months >= Self.monthsOfYear ? rule.yearlyAmount : rule.amount
    if more > allowed, more * 100 > oldPrice * Int64(rule.percent) { return .yes }
    let year = Term(months: Self.monthsOfYear)
    if let lastIncrease, lastIncrease.adding(year) > date { return .yes }
    return firstDay.adding(year) <= date ? .no : .unknown
  }
}
