/// What a world has of what Apple began in 2025 and 2026: billing plans, contingent prices, and
/// commissions that depend on the storefront.
///
/// A world without any of it is, byte for byte, what it was before there were these options.
public struct PlanOptions: Sendable, Hashable {
  /// How many of those who begin to pay for a product of one year pay monthly instalments.
  public let commitments: Share
  /// How many customers have a subscription of another app that makes their prices lower.
  public let contingent: Share
  /// Whether reports have the columns `Billing Plan` and `Billing Period`.
  public let hasPlanColumns: Bool
  /// Whether the developer's share of a price depends on storefront and day.
  public let hasCommissions: Bool

  /// Creates the description of a world's plans.
  ///
  /// - Parameters:
  ///   - commitments: How many new subscribers of products of one year pay in instalments: from
  ///     2026-04-27 on, and not in the United States and Singapore.
  ///   - contingent: How many customers pay contingent prices.
  ///   - hasPlanColumns: Whether reports have columns that say how a charge is billed.
  ///   - hasCommissions: Whether commissions depend on storefront and day.
  public init(
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
public struct Share: Sendable, Hashable {
  /// The part in millionths: 0.4 is 400,000.
  public let millionths: Int

  /// Nothing of it.
  public static let none = Share(millionths: 0)

  init(millionths: Int) { self.millionths = millionths }

  /// Reads a share such as `0.4`.
  ///
  /// - Parameters:
  ///   - text: A number from 0 to 1 with at most six decimals.
  ///   - option: What it was given for, such as `--commitments`, for the error.
  /// - Throws: ``SimulationError/impossibleShare(option:found:)``.
  public init(_ text: String, of option: String) throws(SimulationError) {
    guard let value = Decimal(text, digits: 6)?.value, value <= 1_000_000 else {
      throw .impossibleShare(option: option, found: text)
    }
    millionths = value
  }

  /// Draws whether something that happens to this share happens now.
  func happens(_ random: inout SeededRandom) -> Bool {
    random.below(1_000_000) < millionths
  }
}
