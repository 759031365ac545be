/// What a simulation wrote.
public struct SimulationSummary: Sendable, Equatable {
  /// The files and rows of one kind of report.
  public struct Count: Sendable, Equatable {
    /// The number of files, restated ones included.
    public internal(set) var files = 0
    /// The number of rows in them, headers not counted.
    public internal(set) var rows = 0
  }

  /// The counts by kind; a kind that was not asked for has none.
  public internal(set) var counts: [WorldOptions.ReportKind: Count] = [:]

  mutating func add(_ kind: WorldOptions.ReportKind, rows: Int) {
    counts[kind, default: Count()].files += 1
    counts[kind, default: Count()].rows += rows
  }
}
