import Counting

/// The age of a subscription at a renewal, as a band of its number of paid periods: METRICS.md section 6.
///
/// Comparisons are standardised to these bands, because young subscriptions lapse far more often than old ones.
package enum RenewalOrdinal: Int, CaseIterable, Sendable {
  case first, second, third, fourthToSixth, seventhToTwelfth, later
  /// The chain may have begun before the data.
  case unknown

  /// Creates the band of a charge.
  ///
  /// - Parameters:
  ///   - charge: A charge whose renewal was due.
  ///   - chain: The charge's chain.
  init(_ charge: PricedCharge, _ chain: PricedChain) {
    self =
      switch charge.ordinal {
      case _ where !chain.isStartKnown: .unknown
      case ...1: .first
      case 2: .second
      case 3: .third
      case 4...6: .fourthToSixth
      case 7...12: .seventhToTwelfth
      default: .later
      }
  }

  /// The band as `tenure` prints it, with an en dash: spreadsheets read `4-6` as a date.
  package var name: String {
    switch self {
    case .first: "1"
    case .second: "2"
    case .third: "3"
    case .fourthToSixth: "4–6"
    case .seventhToTwelfth: "7–12"
    case .later: "13+"
    case .unknown: "unknown"
    }
  }
}
