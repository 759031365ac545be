package import Storage

/// An id of a transaction, a purchase line or a customer in eight bytes.
///
/// A number below 2^62 without leading zeros, such as Apple's ids, is stored as it is. Any other
/// text is stored as its symbol with the top bit set, so it never equals a number.
package struct ReceiptID: Hashable, Sendable {
  /// The number, or the text's symbol with ``textBit``; 0 for no id.
  package let value: UInt64

  /// The bit that marks a text.
  package static let textBit: UInt64 = 1 << 63

  /// The value of an id that is missing, "" or all zeros (METRICS.md 3.3).
  package static let none = ReceiptID(value: 0)

  /// Creates an id from its value.
  ///
  /// - Parameter value: A number below 2^62, or a symbol with ``textBit``.
  package init(value: UInt64) { self.value = value }

  /// Whether the id is not ``none``.
  package var isUsable: Bool { value != 0 }

  /// The symbol of the text; `nil` if the id is a number.
  package var symbol: Symbol? {
    value & Self.textBit == 0 ? nil : Symbol(truncatingIfNeeded: value)
  }
}
