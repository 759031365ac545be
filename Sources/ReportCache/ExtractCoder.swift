package import AppStoreReports
package import Storage

/// Writes a cache entry, or reads one.
///
/// The run's numbers for symbols and terms become the entry's own. The first use of a number is followed by the
/// symbol or terms that it stands for.
package protocol ExtractCoder: ValueCoder {
  /// Encodes or decodes a text in place, without a symbol.
  mutating func text(_ value: inout String)

  /// Encodes or decodes subscriber keys, eight bytes each, after the texts of those that are not plain numbers.
  mutating func subscribers(_ keys: inout [UInt64])

  /// Encodes or decodes numbers as they are in memory, which is fast for many of them.
  mutating func column<Number: FixedWidthInteger & BitwiseCopyable>(_ numbers: inout [Number])

  /// Encodes or decodes the number of a row's terms.
  mutating func terms<Terms: ExtractTerms>(_ value: inout UInt32, of kind: Terms.Type)
}

/// Terms that an extract's rows refer to by number.
package protocol ExtractTerms {
  /// An empty value to decode into.
  static var blank: Self { get }

  /// Encodes or decodes all fields.
  mutating func code(with coder: inout some ExtractCoder)

  /// Returns the run's terms by number.
  static func all(in registries: Registries) -> [Self]

  /// Returns the run's number of the terms.
  func number(in registries: Registries) -> UInt32
}
