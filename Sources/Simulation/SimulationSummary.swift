/// The numbers of files and rows that a simulation wrote.
package struct SimulationSummary: Sendable, Equatable {
  /// The files and rows of one kind of report, or the files and lines of the receipts.
  package struct Count: Sendable, Equatable {
    /// The number of files, restated ones included.
    package internal(set) var files = 0
    /// The number of rows in the files, without headers.
    package internal(set) var rows = 0
  }

  /// The counts by kind; kinds that were not requested are missing.
  package internal(set) var counts: [WorldOptions.ReportKind: Count] = [:]

  /// Counts a file with its rows.
  mutating func add(_ kind: WorldOptions.ReportKind, rows: Int) {
    counts[kind, default: Count()].files += 1
    counts[kind, default: Count()].rows += rows
  }
}
