/// How many decimals a currency has: ISO 4217's minor units.
///
/// Only terminals and pages use it; files for programs write every amount in one way.
package enum CurrencyDecimals {
  /// Currencies without a smaller unit.
  private static let none: Set = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
    "VUV",
    "XAF", "XOF", "XPF",
  ]
  /// Currencies whose smaller unit is a thousandth.
  private static let three: Set = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

  /// Returns the number of decimals; 2 for a currency that is not known.
  ///
  /// - Parameter currency: The code, such as `JPY`.
  /// - Returns: 0, 2 or 3.
  package static func of(_ currency: String) -> Int {
    none.contains(currency) ? 0 : three.contains(currency) ? 3 : 2
  }
}
