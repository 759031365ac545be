/// The features that Apple began in 2025 and 2026: billing plans, contingent prices, local commissions.
///
/// A world without these features has the same bytes as before these options existed. Local commissions
/// depend on the storefront.
package struct PlanOptions: Sendable, Hashable {
  /// The share of new subscribers to yearly products who pay monthly instalments.
  package let commitments: Share
  /// The share of customers whose prices are lower because of another app's subscription.
  package let contingent: Share
  /// Whether reports have the columns `Billing Plan` and `Billing Period`.
  package let hasPlanColumns: Bool
  /// Whether the developer's share of a price depends on storefront and day.
  package let hasCommissions: Bool

  /// Creates the description of a world's plans.
  ///
  /// - Parameters:
  ///   - commitments: The share of new subscribers to yearly products who pay in instalments: from
  ///     2026-04-27 on, and not in the United States and Singapore.
  ///   - contingent: The share of customers who pay contingent prices.
  ///   - hasPlanColumns: Whether reports have the columns `Billing Plan` and `Billing Period`.
  ///   - hasCommissions: Whether commissions depend on storefront and day.
  package init(
    commitments: Share = .none, contingent: Share = .none, hasPlanColumns: Bool = false,
    hasCommissions: Bool = false
  ) {
    self.commitments = commitments
    self.contingent = contingent
    self.hasPlanColumns = hasPlanColumns
    self.hasCommissions = hasCommissions
  }
}

/// A part of a whole, from 0 to 1.
package struct Share: Sendable, Hashable {
  /// The part in millionths: 0.4 is 400,000.
  package let millionths: Int

  /// A share of 0.
  package static let none = Share(millionths: 0)

  init(millionths: Int) { self.millionths = millionths }

  /// Reads a share such as `0.4`.
  ///
  /// - Parameters:
  ///   - text: A number from 0 to 1 with at most six decimals.
  ///   - option: The option that the text was given for, such as `--commitments`, for the error.
  /// - Throws: ``SimulationError/impossibleShare(option:found:)``.
  package init(_ text: String, of option: String) throws(SimulationError) {
    guard let value = Int(decimal: text, digits: 6), value <= 1_000_000 else {
      throw .impossibleShare(option: option, found: text)
    }
    millionths = value
  }

  /// Draws whether an event with this probability happens.
  func happens(_ random: inout SeededRandom) -> Bool {
    random.below(1_000_000) < millionths
  }
}
