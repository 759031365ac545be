/// A distance between ticks: 1, 2, 2.5 or 5 times a power of ten.
struct TickStep: Hashable {
  /// Ten times the first factor: 10, 20, 25 or 50.
  let tenths: Int

  /// The power of ten.
  let exponent: Int

  /// The steps of one power of ten, ascending.
  static let tenths = [10, 20, 25, 50]

  /// The power of ten of the last digit that multiples of the step have: -1 for 2.5, 0 for 20.
  var finestDigit: Int { tenths == 25 ? exponent - 1 : exponent }

  /// Returns a multiple of the step, rounded once.
  func value(_ index: Int) -> Double { Double("\(index * tenths)e\(exponent - 1)") ?? 0 }

  /// Whether all multiples have the decimals of a format: 2.5 is no step of counts.
  func suits(_ format: ValueFormat) -> Bool {
    guard let finest = format.finestExponent else { return true }
    return finestDigit >= finest
  }
}
