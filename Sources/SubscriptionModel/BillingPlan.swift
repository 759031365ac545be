/// How a one-year product is paid: METRICS.md 10.1.
@usableFromInline
package enum BillingPlan: UInt8, Sendable, CaseIterable {
  /// One charge for the whole period; the only plan of products with other durations.
  case upfront
  /// Twelve monthly instalments, each a charge with the product's id.
  case commitment
  /// A free charge of a product sold in instalments: the plan of the paid charges after it is not
  /// known yet.
  case unknown

  /// The plan's name in tables and filters.
  @inlinable
  package var name: String {
    switch self {
    case .upfront: "upfront"
    case .commitment: "commitment"
    case .unknown: "unknown"
    }
  }

  /// The day on which Apple sold the first instalments, 2026-04-27.
  ///
  /// If the first file is older, an instalment that opens a chain is the first of its term.
  package static let firstSale = Month(year: 2026, month: 4).firstDay + 26
}

/// The user's setting for the billing plan of a product: `[plans]` of the config file, METRICS.md
/// 10.1.
@usableFromInline
package enum BillingPlanRule: Equatable, Sendable {
  /// All charges are paid upfront, or all are instalments.
  case only(BillingPlan)
  /// Charges at these prices are instalments, such as `9.99 USD`; all others are paid upfront.
  case instalmentPrices([String])

  /// Returns the plan of a charge.
  ///
  /// - Parameters:
  ///   - isPaid: Whether its price is above 0.
  ///   - price: The price, such as `9.99 USD`.
  /// - Returns: The plan; `unknown` for a free charge with ``instalmentPrices(_:)``.
  @inlinable
  package func plan(isPaid: Bool, price: String) -> BillingPlan {
    switch self {
    case .only(let plan): plan
    case .instalmentPrices(let prices):
      !isPaid ? .unknown : prices.contains(price) ? .commitment : .upfront
    }
  }
}

/// The number of an instalment in its term, such as 5 of 12: METRICS.md 10.2.
@usableFromInline
package struct InstalmentPosition: Hashable, Sendable {
  /// The number of instalments in a term, unless a receipt states another number.
  @usableFromInline
  package static let usualTotal = 12

  /// 1 for the first instalment; `nil` if it cannot be determined.
  @usableFromInline
  package var number: Int?
  /// How many instalments the term has.
  @usableFromInline
  package var total: Int

  /// Creates a position.
  @inlinable
  package init(_ number: Int?, of total: Int = usualTotal) {
    self.number = number
    self.total = total
  }

  /// Whether the instalment is the last of its term, the only one after which the customer can
  /// leave.
  @inlinable
  package var isLast: Bool { number.map { $0 >= total } ?? false }

  /// How many instalments of the term follow; `nil` if the number is not known.
  @inlinable
  package var remaining: Int? { number.map { max(0, total - $0) } }
}
