import Storage
package import SubscriptionModel

/// A key for counting subscription rows of SALES reports that differ only in their number of units.
package struct SalesRowKey: QuickHashable {
  /// The index of the rows' terms.
  package var terms: UInt32
  /// The Begin Date.
  package var day: Day
  /// Whether the rows' units are negative, which makes them refunds.
  package var isNegative: Bool
  /// Whether the rows' units are 0: a refund of a part of the price.
  package var isZero: Bool

  /// Creates the key of a row.
  ///
  /// - Parameters:
  ///   - terms: The index of the row's terms.
  ///   - day: The Begin Date.
  ///   - units: The row's units with their sign.
  package init(terms: UInt32, day: Day, units: Int) {
    self.terms = terms
    self.day = day
    isNegative = units < 0
    isZero = units == 0
  }

  /// Hashes all fields in one 64-bit word.
  package var quickHash: UInt32 {
    let sign: UInt64 = isNegative ? 2 : isZero ? 1 : 0
    return (UInt64(terms) << 32 | UInt64(UInt32(bitPattern: day.number)) << 2 | sign).quickHash
  }
}
