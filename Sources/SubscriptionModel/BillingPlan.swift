/// How a product of one year is paid: METRICS.md 10.1.
public enum BillingPlan: UInt8, Sendable, CaseIterable {
  /// One charge for the whole period. Products of other durations are always paid so.
  case upfront
  /// Twelve monthly instalments, each a charge with the product's id.
  case commitment
  /// A free charge of a product that is sold in instalments: it does not say what it leads to.
  case unknown

  /// The plan's name in tables and filters.
  public var name: String {
    switch self {
    case .upfront: "upfront"
    case .commitment: "commitment"
    case .unknown: "unknown"
    }
  }

  /// Apple sold the first instalments on this day.
  ///
  /// A customer whose first charge in reports from before this day is an instalment has paid none earlier.
  public static let firstSale = Month(year: 2026, month: 4).firstDay + 26
}

/// The place of an instalment in its term: METRICS.md 10.2.
public struct InstalmentPosition: Hashable, Sendable {
  /// How many instalments a term of reports has, and of receipts unless they say another number.
  public static let usualTotal = 12

  /// 1 for the first instalment; `nil` when it cannot be found out.
  public var number: Int?
  /// How many instalments the term has.
  public var total: Int

  /// Creates a position.
  ///
  /// - Parameters:
  ///   - number: 1 for the first instalment; `nil` when it is not known.
  ///   - total: How many instalments the term has.
  public init(_ number: Int?, of total: Int = usualTotal) {
    self.number = number
    self.total = total
  }

  /// Whether it is the last of its term: only then can the customer leave.
  public var isLast: Bool { number.map { $0 >= total } ?? false }

  /// How many instalments of the term are to come; `nil` when the position is not known.
  public var remaining: Int? { number.map { max(0, total - $0) } }
}
