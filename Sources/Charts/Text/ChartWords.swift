/// The words that charts print themselves.
enum ChartWords {
  static let provisional = "provisional"
  static let partial = "partial"
  static let mayBeChance = "may be chance"

  /// Returns an interval after its estimate: ` (4.0 % to 6.1 %)`.
  static func interval(_ low: String, _ high: String) -> String { " (\(low) to \(high))" }
}
