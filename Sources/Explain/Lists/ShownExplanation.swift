package import Tables

/// What a command prints of an explanation.
package protocol ShownExplanation {
  /// One row for each contribution.
  var table: ReportTable { get }
  /// The rows, if they are too many to be kept as texts; otherwise `nil`.
  var longTable: LongTable? { get }
  /// A line for each column and formula, with its result.
  var lines: [String] { get }
  /// Those lines whose result is not the number in the table.
  var failures: [String] { get }
  /// What else the reader must know.
  var notes: [String] { get }
}

extension ShownExplanation {
  package var notes: [String] { [] }
  package var longTable: LongTable? { nil }
}

extension Explanation: ShownExplanation {}
