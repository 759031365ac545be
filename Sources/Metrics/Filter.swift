public import SubscriptionModel

/// Which rows count at all: the `--app`, `--group`, `--product` and `--country` options.
///
/// A filter selects the same numbers as the rows of a view with these values: chains are built from
/// every row first, so that a change of product is a change and not a lapse.
public struct Filter: Sendable {
  /// The dimensions that a source must supply for the filter to be tested.
  public let dimensions: Set<Dimension>
  private let test: (@Sendable (Attributes) -> Bool)?

  /// Creates a filter that admits every row.
  public init() {
    dimensions = []
    test = nil
  }

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - dimensions: The dimensions that the test looks at.
  ///   - test: Returns whether a row passes; asked once for each distinct set of attributes.
  public init(dimensions: Set<Dimension>, test: @escaping @Sendable (Attributes) -> Bool) {
    self.dimensions = dimensions
    self.test = test
  }

  /// Whether every row passes.
  public var isEmpty: Bool { test == nil }

  /// Returns whether a row passes.
  ///
  /// - Parameter attributes: The row's attributes.
  /// - Returns: Whether the row counts.
  public func admits(_ attributes: Attributes) -> Bool { test?(attributes) ?? true }
}
