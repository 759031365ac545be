package import SubscriptionModel
package import Tables

/// A line of a ledger: the inputs and the numbers of a run, as the difference from the line before.
package struct LedgerEntry: Equatable, Sendable {
  /// An input.
  package struct File: Hashable, Sendable {
    /// The path below the input argument, as in the manifest.
    package var path: String
    package var sha256: String
    /// The kind and the vendor number of a report, such as `subscriber 80012345`; `nil` for an unknown file.
    ///
    /// All versions of a report have the same, and the same day.
    package var report: String?
    /// The day of a report; `nil` for other files.
    package var day: Day?

    package init(_ path: String, _ sha256: String, report: String? = nil, day: Day? = nil) {
      (self.path, self.sha256, self.report, self.day) = (path, sha256, report, day)
    }
  }

  /// An input that has other bytes than before.
  package struct ChangedFile: Hashable, Sendable {
    package var file: File
    /// The SHA-256 of the bytes before.
    package var was: String

    package init(_ file: File, was: String) { (self.file, self.was) = (file, was) }
  }

  /// The inputs that differ from the line before.
  package struct Files: Equatable, Sendable {
    package var added: [File] = []
    package var changed: [ChangedFile] = []
    package var removed: [File] = []

    package init() {}
  }

  /// The rows of a table that differ from the line before.
  package struct Table: Equatable, Sendable {
    package var name: String
    /// The columns, if the table is new or has other columns than before.
    ///
    /// Then ``rows`` has all rows. An empty list means that the table is gone.
    package var columns: [ReportTable.Column]?
    /// The rows that are new or have another value.
    package var rows: [[ReportTable.Cell]] = []
    /// The keys of the rows that are gone.
    package var gone: [[ReportTable.Cell]] = []

    package init(_ name: String) { self.name = name }
  }

  /// The last day of the data; `nil` for finance files alone.
  ///
  /// With the number it is the key of the line.
  package var asOf: Day?
  /// The number of the line, from 1.
  package var sequence: Int
  /// The version of definitions.
  package var definitions: Int
  /// The version of the program.
  package var version: String
  /// The options on which numbers depend, except as-of.
  package var options: [String: String] = [:]
  package var files = Files()
  package var tables: [Table] = []

  package init(asOf: Day?, sequence: Int, definitions: Int, version: String) {
    self.asOf = asOf
    self.sequence = sequence
    self.definitions = definitions
    self.version = version
  }
}
