package import Scanning

/// The header of a report: its kind and its columns.
package struct ReportHeader: Sendable, Equatable {
  /// The kind of report.
  package let kind: ReportKind
  /// The first of Apple's versions with the columns of the header, such as `1_3`.
  ///
  /// Not always the version of the file, because Apple changes columns without a new version, and
  /// adds versions without new columns: see ``version(inName:)``. SALES with the column names used
  /// before 2011 is `before 1_0`. Empty for reports without versions.
  package let version: String
  /// The names of the columns as the header spells them, without blanks at the ends.
  package let columnNames: [String]
  /// The columns that are not in the layout of this kind.
  ///
  /// They are not read, except counts in SUBSCRIPTION.
  package let newColumns: [String]
  /// Optional columns that all versions have, but not this header.
  package let missingOptionalColumns: [String]
  /// The line number of the header, from 1.
  package let headerLine: Int

  /// The version of SALES reports with the column names used before 2011.
  static let versionBefore1 = "before 1_0"

  /// The byte between the columns.
  let separator: UInt8
  /// What gives each column its meaning: its name, or its place.
  let columns: Columns

  /// What gives each column its meaning: its name, or its place.
  enum Columns: Sendable {
    case byName
    /// By their number: a payments CSV in another language than English.
    case byPosition
    /// Not at all.
    case unknown
  }

  private let comparableNames: [String]

  /// Creates the header of a file that is not an Apple report.
  static func unknown(_ columnNames: [String], line: Int) -> ReportHeader {
    ReportHeader(.unknown, version: "", columnNames: columnNames, layout: nil, line: line)
  }

  /// Creates a header.
  ///
  /// - Parameters:
  ///   - kind: The kind of report.
  ///   - version: Apple's version.
  ///   - columnNames: The names of the columns.
  ///   - meanings: The columns by position where their names do not tell them, empty if they are unknown;
  ///     `nil` where the names do.
  ///   - layout: The columns of reports of this kind.
  ///   - line: The number of the line.
  ///   - separator: The byte between the columns.
  init(
    _ kind: ReportKind, version: String, columnNames: [String], meanings: [Column]? = nil,
    layout: ReportLayout?, line: Int, separator: UInt8 = UInt8(ascii: "\t")
  ) {
    let comparableNames = meanings?.map { $0.comparableNames[0] } ?? columnNames.map(comparableName)
    self.kind = kind
    self.version = version
    self.columnNames = columnNames
    self.comparableNames = comparableNames
    self.separator = separator
    columns = meanings.map { $0.isEmpty ? .unknown : .byPosition } ?? .byName
    headerLine = line
    guard let layout else {
      newColumns = []
      missingOptionalColumns = []
      return
    }
    newColumns = zip(columnNames, comparableNames).compactMap { name, comparable in
      !name.isEmpty && !layout.hasColumn(comparable, loosely: false) ? name : nil
    }
    missingOptionalColumns = layout.usual.filter { column in
      !column.comparableNames.contains(where: comparableNames.contains)
    }.map(\.name)
  }

  /// Names of columns that only versions before 1_2 have, in lower case.
  private static let formerNames: Set = [
    "trial", "trial duration", "introductory price type", "introductory price duration",
    "active subscriptions", "royalty price",
  ]

  /// Returns Apple's version of the report in a file.
  ///
  /// That is the version in the file's name, if it is later than the header's, as in
  /// `Subscriber_80012345_20260801_V1_4.txt.gz` with the columns of 1_3. Otherwise, or if the
  /// header has a column of earlier versions only, it is the header's version.
  ///
  /// - Parameter named: The version in the name, such as `1_4`; `nil` for none.
  /// - Returns: The version; empty for reports without versions.
  package func version(inName named: String?) -> String {
    guard let named, let stated = Self.numbers(named), let own = Self.numbers(version),
      own.lexicographicallyPrecedes(stated), Self.formerNames.isDisjoint(with: comparableNames)
    else { return version }
    return named
  }

  /// Returns the numbers of a version, such as 1 and 4 for `1_4`.
  private static func numbers(_ version: String) -> [Int]? {
    let numbers = version.split(separator: "_").compactMap { Int($0) }
    return numbers.count == 2 ? numbers : nil
  }

  /// New columns of a SUBSCRIPTION report with names like those of counts, each with its number
  /// from 0.
  var unknownCounts: [(name: String, field: Int)] {
    let firstWords = [
      "active ", "free trial ", "pay up front ", "pay as you go ", "marketing opt-in",
      "billing retry", "grace period", "subscribers",
    ]
    return newColumns.compactMap { name in
      let comparable = comparableName(name)
      guard firstWords.contains(where: comparable.hasPrefix),
        let field = comparableNames.firstIndex(of: comparable)
      else { return nil }
      return (name, field)
    }
  }

  /// Returns the number of a column, from 0; `nil` if the header lacks it.
  ///
  /// If the header has several names of the column, the newest is used.
  func field(_ column: Column) -> Int? {
    for name in column.comparableNames {
      if let field = comparableNames.firstIndex(of: name) { return field }
    }
    return nil
  }

  /// Returns the number of a column, from 0; -1 if the header lacks it.
  func fieldOrNone(_ column: Column) -> Int { field(column) ?? -1 }

  /// Returns the numbers of all columns that have one of a column's names.
  func fields(_ column: Column) -> [Int] {
    comparableNames.indices.filter { column.comparableNames.contains(comparableNames[$0]) }
  }

  /// Returns the numbers of the columns whose names contain a text in lower case.
  func fields(containing text: String) -> [Int] {
    comparableNames.indices.filter { comparableNames[$0].contains(text) }
  }

  /// Returns whether a reader created with another header can read rows with this one.
  ///
  /// - Parameter other: The header of the reader.
  /// - Returns: Whether kind and columns are the same.
  package func hasSameColumns(as other: ReportHeader) -> Bool {
    kind == other.kind && columnNames == other.columnNames
  }
}

extension ReportHeader {
  /// Returns whether a line after the header is a row, which must be accounted for.
  ///
  /// These lines are no rows: blank lines and lines of blank cells; in financial reports, the
  /// trailers `Total_…` and the summary by country; in the payments CSV, lines without a region;
  /// all lines of an unknown file or an error answer.
  ///
  /// - Parameters:
  ///   - line: The line without its ending.
  ///   - place: Where the line is.
  /// - Returns: Whether it is a row, good or bad.
  package func isDataRow(_ line: Span<UInt8>, _ place: Line) -> Bool {
    switch kind {
    case .unknown, .appleError: return false
    case .payments:
      return place.isTooLong
        || PaymentsLine(text(line, line.indices), separator: separator).isRow
    case .financial, .financeDetail: return place.isTooLong || FinanceLine.isRow(line)
    default:
      return place.isTooLong || !trimmed(line, line.indices).isEmpty
    }
  }
}
