import Storage
import SubscriptionModel

/// Numbers for the values of charges; the value of SUBSCRIBER terms is found once.
struct ChargeValues: Sendable {
  private var numbered = NumberedValues<ChargeValue>()
  /// The number of the value of each terms; -1 for one that was not needed yet.
  private var ofTerms: [Int32] = []

  /// The values, by their numbers.
  var all: [ChargeValue] { numbered.values }

  /// Returns the number of a value.
  mutating func number(of value: ChargeValue) -> Int32 { Int32(numbered.number(of: value)) }

  /// Returns the number of the value of terms.
  ///
  /// - Parameters:
  ///   - index: The index of the terms.
  ///   - terms: All terms.
  /// - Returns: The number.
  mutating func number(ofTerms index: Int, _ terms: [ChargeTerms]) -> Int32 {
    if index >= ofTerms.count {
      ofTerms += repeatElement(-1, count: index + 1 - ofTerms.count)
    }
    if ofTerms[index] < 0 { ofTerms[index] = number(of: terms[index].value) }
    return ofTerms[index]
  }

  /// Writes or reads all values.
  mutating func code<Coder: ValueCoder>(with coder: inout Coder) {
    var values = all
    coder.list(&values, blank: .blank) { $0.code(with: &$1) }
    guard coder.isReading, coder.isValid else { return }
    self = ChargeValues()
    for value in values { _ = number(of: value) }
    // A damaged entry may have a value twice.
    if all.count != values.count { coder.fail() }
  }
}
