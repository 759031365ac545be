/// A number in place of a repeated text, such as a product id, a country or a currency.
///
/// The texts are in one table of the run; two symbols are equal if their texts are equal.
@usableFromInline
package typealias Symbol = UInt32

extension Symbol {
  /// The symbol of the empty text in every table.
  package static let blank: Symbol = 0
}
