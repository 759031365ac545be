package import SubscriptionModel

/// Selects the rows that count: the options `--app`, `--group`, `--product` and `--country`.
///
/// Chains are built from all rows before the filter applies, so that a change to another product is a change and not
/// a lapse. A filtered number therefore equals the rows with these values in a view by these dimensions.
package struct Filter: Sendable {
  /// The dimensions that the filter tests; a source must supply them.
  package let dimensions: Set<Dimension>
  private let test: (@Sendable (Attributes) -> Bool)?

  /// Creates a filter that admits every row.
  package init() {
    dimensions = []
    test = nil
  }

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - dimensions: The dimensions that the test uses.
  ///   - test: Returns whether a row counts; called once for each distinct set of attributes.
  package init(dimensions: Set<Dimension>, test: @escaping @Sendable (Attributes) -> Bool) {
    self.dimensions = dimensions
    self.test = test
  }

  /// Whether the filter admits every row.
  package var isEmpty: Bool { test == nil }

  /// Returns whether the filter admits a row.
  ///
  /// - Parameter attributes: The row's attributes.
  /// - Returns: Whether the row counts.
  package func admits(_ attributes: Attributes) -> Bool { test?(attributes) ?? true }
}
