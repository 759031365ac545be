/// A small number that stands for a repeated text: a product id, a country, a currency.
///
/// The texts live in one table of the run; two symbols are equal when their texts are.
public typealias Symbol = UInt32

extension Symbol {
  /// The symbol of the empty text in every table.
  public static let blank: Symbol = 0
}
