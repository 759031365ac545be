public import SubscriptionModel

/// Which rows count at all: the `--app`, `--group`, `--product` and `--country` options.
///
/// A filter selects the same numbers as the rows of a view with these values: chains are built from
/// every row first, so that a change of product is a change and not a lapse.
public struct Filter: Hashable, Sendable {
  /// For each dimension asked for, the symbols that pass.
  private var accepted: [Dimension: Set<Symbol>] = [:]

  /// Creates a filter that admits every row.
  public init() {}

  /// Whether every row passes.
  public var isEmpty: Bool { accepted.isEmpty }

  /// The dimensions that a source must supply for the filter to be tested.
  public var dimensions: [Dimension] { Dimension.allCases.filter { accepted[$0] != nil } }

  /// Admits only rows with one of these values; a second call for a dimension adds values.
  ///
  /// - Parameters:
  ///   - dimension: A dimension that rows carry themselves.
  ///   - symbols: The values that pass.
  public mutating func require(_ dimension: Dimension, _ symbols: Set<Symbol>) {
    accepted[dimension, default: []].formUnion(symbols)
  }

  /// Returns whether a row passes.
  ///
  /// - Parameter attributes: The row's attributes.
  public func admits(_ attributes: Attributes) -> Bool {
    accepted.allSatisfy { dimension, symbols in
      attributes.value(of: dimension).map(symbols.contains) ?? false
    }
  }
}
