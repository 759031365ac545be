public import Scanning

/// The header of a report: its kind, and the places of its columns.
public struct ReportHeader: Sendable, Equatable {
  /// The kind of report.
  public let kind: ReportKind
  /// The first of Apple's versions with the header's columns, such as `1_3`.
  ///
  /// Apple changes columns without a new version, and versions without new columns: see ``version(inName:)``.
  /// SALES with the column names used before 2011 is `before 1_0`. Empty for reports without versions.
  public let version: String
  /// The names of the columns as the header spells them, without blanks at the ends.
  public let columnNames: [String]
  /// The columns outside the layout of this kind; not read, except counts in SUBSCRIPTION.
  public let newColumns: [String]
  /// Columns that are read and that all versions have, but this header lacks.
  public let missingOptionalColumns: [String]
  /// The number of the header's line, from 1.
  public let headerLine: Int

  /// The version of SALES reports with the column names used before 2011.
  static let versionBefore1 = "before 1_0"

  private let comparableNames: [String]

  /// Creates the header of a file that is not a report of Apple's.
  static func unknown(_ columnNames: [String], line: Int) -> ReportHeader {
    ReportHeader(.unknown, version: "", columnNames: columnNames, layout: nil, line: line)
  }

  /// Creates a header.
  init(
    _ kind: ReportKind, version: String, columnNames: [String], layout: ReportLayout?, line: Int
  ) {
    let comparableNames = columnNames.map(comparableName)
    self.kind = kind
    self.version = version
    self.columnNames = columnNames
    self.comparableNames = comparableNames
    headerLine = line
    guard let layout else {
      newColumns = []
      missingOptionalColumns = []
      return
    }
    newColumns = columnNames.filter { name in
      !name.isEmpty && !layout.knows(comparableName(name), loosely: false)
    }
    missingOptionalColumns = layout.usual.filter { column in
      !column.names.contains { comparableNames.contains(comparableName($0)) }
    }.map(\.name)
  }

  /// Columns that only versions before 1_2 have, in lower case; later versions renamed them.
  private static let formerNames: Set = [
    "trial", "trial duration", "introductory price type", "introductory price duration",
    "active subscriptions", "royalty price",
  ]

  /// Returns Apple's version of the report in a file.
  ///
  /// A later version in the file's name is used, as in `Subscriber_80012345_20260801_V1_4.txt.gz` with the
  /// columns of 1_3, unless the header has a column that only earlier versions have.
  ///
  /// - Parameter named: The version in the name, such as `1_4`; `nil` for none.
  /// - Returns: The version; empty for reports without versions.
  public func version(inName named: String?) -> String {
    guard let named, let stated = Self.numbers(named), let own = Self.numbers(version),
      own.lexicographicallyPrecedes(stated), Self.formerNames.isDisjoint(with: comparableNames)
    else { return version }
    return named
  }

  /// Returns the numbers of a version, such as 1 and 4.
  private static func numbers(_ version: String) -> [Int]? {
    let numbers = version.split(separator: "_").compactMap { Int($0) }
    return numbers.count == 2 ? numbers : nil
  }

  /// New columns of a SUBSCRIPTION report whose names start like those of counts, each with its place.
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

  /// Returns the place of a column, from 0, or `nil` if the header lacks it.
  ///
  /// If the header has several names of the column, the newest is used.
  func field(_ column: Column) -> Int? {
    for name in column.names {
      if let field = comparableNames.firstIndex(of: comparableName(name)) { return field }
    }
    return nil
  }

  /// Returns the place of a column, from 0, or -1 if the header lacks it.
  func fieldOrNone(_ column: Column) -> Int { field(column) ?? -1 }

  /// Returns the places of all columns that have one of a column's names.
  func fields(_ column: Column) -> [Int] {
    let names = Set(column.names.map(comparableName))
    return comparableNames.indices.filter { names.contains(comparableNames[$0]) }
  }

  /// Returns the places of the columns whose names contain a text in lower case.
  func fields(containing text: String) -> [Int] {
    comparableNames.indices.filter { comparableNames[$0].contains(text) }
  }

  /// Returns whether a reader made for another header can read rows under this one.
  ///
  /// - Parameter other: The header that the reader was made for.
  /// - Returns: Whether kind and columns are the same.
  public func hasSameColumns(as other: ReportHeader) -> Bool {
    kind == other.kind && columnNames == other.columnNames
  }
}

extension ReportHeader {
  /// Returns whether a line after the header is a row, which must be accounted for.
  ///
  /// Blank lines and lines of blank cells are not rows. Nor are, in financial reports, the `Total_` trailers
  /// and the summary by country, and in the payments CSV, lines without a region. An unknown file or an
  /// error answer has no rows.
  ///
  /// - Parameters:
  ///   - line: The line without its ending.
  ///   - place: Where the line is.
  /// - Returns: Whether it is a row, good or bad.
  public func isDataRow(_ line: Span<UInt8>, _ place: Line) -> Bool {
    switch kind {
    case .unknown, .appleError: return false
    case .payments: return place.isTooLong || PaymentsLine(text(line, line.indices)).isRow
    case .financial, .financeDetail: return place.isTooLong || FinanceLine.isRow(line)
    default:
      return place.isTooLong || !trimmed(line, line.indices).isEmpty
    }
  }
}
