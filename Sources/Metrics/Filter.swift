public import SubscriptionModel

/// Which rows count at all: the `--app`, `--group`, `--product` and `--country` options.
///
/// The numbers are those of a view's rows with these values: chains are built from all rows first, so that a
/// change to another product is still a change and not a lapse.
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
  ///   - test: Returns whether a row passes; called once for each distinct set of attributes.
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
