import AppStoreReports
import Scanning
import SubscriptionModel

/// Counts header lines among the rows of a file; any means that several reports were joined.
struct RepeatedHeaders {
  private let headerLine: Int
  private let firstColumn: [UInt8]
  private var count = 0
  private var firstLine: Int?

  init(_ header: ReportHeader) {
    headerLine = header.headerLine
    firstColumn = Array((header.columnNames.first ?? "").utf8)
  }

  /// Counts a line that begins with the name of the file's first column, whatever the version of its header.
  mutating func feed(_ line: Span<UInt8>, _ place: Line) {
    guard place.number > headerLine, !firstColumn.isEmpty, line.count > firstColumn.count else {
      return
    }
    for (offset, byte) in firstColumn.enumerated() where line[offset] != byte { return }
    guard line[firstColumn.count] == UInt8(ascii: "\t") else { return }
    count += 1
    firstLine = firstLine ?? place.number
  }

  /// The problem with the file; `nil` when it holds one report.
  var problem: FileProblem? {
    count == 0 ? nil : FileProblem(headers: count, firstLine: firstLine)
  }
}

/// Finds two periods in the rows of a SALES file, which is then no report of Apple.
struct SalesPeriods: ~Copyable {
  private let headerLine: Int
  private let namedDay: Day?
  private var reader: PeriodReader
  private var found: [ReportPeriod] = []

  /// Creates a search; `nil` for no header, and for one of another kind.
  ///
  /// Rows with month and day of the day in the file's name exchanged are rejected, and do not count.
  init?(_ header: ReportHeader?, _ namedDay: @autoclosure () -> Day?) {
    guard let header, header.kind == .sales, let reader = PeriodReader(header: header) else {
      return nil
    }
    headerLine = header.headerLine
    self.namedDay = namedDay()
    self.reader = reader
  }

  mutating func feed(_ line: Span<UInt8>, _ place: Line) {
    guard found.count < 2, place.number > headerLine,
      let period = reader.wholePeriod(of: line, place), period != found.first,
      !period.isExchanged(namedDay)
    else { return }
    found.append(period)
  }

  /// The problem with the file; `nil` when all its rows have one period.
  var problem: FileProblem? { HeaderError(severalPeriods: found).map { FileProblem($0) } }
}

extension FileProblem {
  /// Creates the problem for a file that holds several reports with a header each.
  init(headers: Int, firstLine: Int?) {
    self.init(
      code: Reject.Code.repeatedHeader.rawValue,
      message: HeaderError.joined("\(headers + 1) reports"), isCorruption: false, line: firstLine)
  }
}
