import AppStoreReports
import Pipeline
import SubscriptionModel

/// Writes an entry of the cache, or reads one.
///
/// Numbers of the run (symbols, terms) become numbers of the entry. What a number stands for follows where
/// it is met first.
protocol ExtractCoder: ValueCoder {
  /// A text, where it stands.
  mutating func text(_ value: inout String)

  /// The keys of subscribers, eight bytes each; the texts of those that are no plain numbers come before.
  mutating func subscribers(_ keys: inout [UInt64])

  /// Numbers as they lie in memory: many of them are read in no time.
  mutating func column<Number: FixedWidthInteger & BitwiseCopyable>(_ numbers: inout [Number])

  /// The number of a row's terms.
  mutating func terms<Terms: ExtractTerms>(_ value: inout UInt32, of kind: Terms.Type)
}

/// Terms that an extract's rows refer to by number.
protocol ExtractTerms {
  /// What reading begins with.
  static var blank: Self { get }

  /// Codes all that terms say.
  mutating func code(with coder: inout some ExtractCoder)

  /// Returns the terms that a number of the run stands for.
  static func numbered(_ number: UInt32, in registries: Registries) -> Self

  /// Returns the number that the terms have in the run.
  func number(in registries: Registries) -> UInt32
}
