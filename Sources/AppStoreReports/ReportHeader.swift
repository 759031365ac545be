/// The header of a report: what the report is, and where its columns are.
public struct ReportHeader: Sendable, Equatable {
  /// The kind of report.
  public let kind: ReportKind
  /// The first of Apple's versions that has the header's columns, such as `1_3`.
  ///
  /// Apple changes columns without a new version and versions without new columns: see ``version(inName:)``. SALES is
  /// `before 1_0` with the names used before 2011. Empty for reports without versions.
  public let version: String
  /// The names of the columns as the header spells them, without blanks at the ends.
  public let columnNames: [String]
  /// The columns that this kind is not known to have; they are left unread.
  public let newColumns: [String]
  /// The columns that are read, that reports of all versions have, and that this one lacks.
  public let missingOptionalColumns: [String]
  /// The number of the header's line, from 1.
  public let headerLine: Int

  /// The version of SALES reports with the names of columns used before 2011.
  static let versionBefore1 = "before 1_0"

  private let comparableNames: [String]

  /// Creates the header of a file that is no report of Apple's.
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

  /// Columns that only the first versions have, in lower case: from 1_2 on they go by other names.
  private static let formerNames: Set = [
    "trial", "trial duration", "introductory price type", "introductory price duration",
    "active subscriptions", "royalty price",
  ]

  /// Returns Apple's version of the report in a file.
  ///
  /// A later version that the file's name states is believed, as in `Subscriber_80012345_20260801_V1_4.txt.gz` with the
  /// columns of 1_3, unless the header has a column that only earlier versions have.
  ///
  /// - Parameter named: The version that the name states, such as `1_4`; `nil` for none.
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

  /// Columns of a SUBSCRIPTION report that are not known and begin as its counts do, each with its place.
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

  /// Returns the place of a column, from 0, or `nil` when the header lacks it.
  ///
  /// Of several names of one column that the header has, the newest is taken.
  func field(_ column: Column) -> Int? {
    for name in column.names {
      if let field = comparableNames.firstIndex(of: comparableName(name)) { return field }
    }
    return nil
  }

  /// Returns the place of a column, from 0, or -1 when the header lacks it.
  func fieldOrNone(_ column: Column) -> Int { field(column) ?? -1 }

  /// Returns the places of all columns that go by one of a column's names.
  func fields(_ column: Column) -> [Int] {
    let names = Set(column.names.map(comparableName))
    return comparableNames.indices.filter { names.contains(comparableNames[$0]) }
  }

  /// Returns the places of the columns whose names contain a text in lower case.
  func fields(containing text: String) -> [Int] {
    comparableNames.indices.filter { comparableNames[$0].contains(text) }
  }

  /// Returns whether rows under this header can be read by a reader made for another one.
  ///
  /// - Parameter other: The header that the reader was made for.
  /// - Returns: Whether kind and columns are the same.
  public func hasSameColumns(as other: ReportHeader) -> Bool {
    kind == other.kind && columnNames == other.columnNames
  }
}
