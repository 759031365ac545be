import Scanning
import SubscriptionModel

/// A Sales and Trends report as Apple delivers it: SUBSCRIBER, SUBSCRIPTION, SUBSCRIPTION_EVENT or
/// SALES, gzip or plain text, of any version.
///
/// Columns are found by their names, so one program reads all versions. Days are texts such as
/// `2026-08-31`, which sort by time.
///
/// ```swift
/// let report = try ReportFile(path)
/// var proceeds: [String: Int64] = [:]
/// let rejects = try report.forEachRow { row in
///   guard let charge = row.charge, !charge.isRefund else { return }
///   let milliunits = charge.proceedsMilliunits * Int64(charge.units)
///   proceeds[charge.proceedsCurrency, default: 0] += milliunits
/// }
/// print(proceeds)  // ["EUR": 11740]
/// print(rejects.count)  // 1
/// ```
public struct ReportFile: Sendable {
  /// The kind of report, which its columns show.
  ///
  /// ```swift
  /// print(report.kind)  // subscriber
  /// ```
  public let kind: Kind

  /// Apple's version of the report, such as `1_4`.
  ///
  /// The version in the file's name or, if it is later or the name has none, the first version with
  /// the columns of the report.
  ///
  /// ```swift
  /// print(report.version)  // 1_4
  /// ```
  public let version: String

  /// The first and the last day of the report, equal for a daily report.
  ///
  /// Of SALES from the rows. Of other reports from the file's name or, if that has no day, from
  /// most of the rows. `nil` if neither has a day: the rows of SUBSCRIPTION never have one.
  ///
  /// ```swift
  /// print(report.period?.upperBound ?? "unknown")  // 2026-08-31
  /// ```
  public let period: ClosedRange<String>?

  /// The names of the columns in the order of the file, as its header spells them.
  ///
  /// ```swift
  /// print(report.columns.contains("Subscriber ID"))  // true
  /// ```
  public var columns: [String] { header.columnNames }

  let header: ReportHeader
  /// The days that rows may have; `nil` for any, if the file's name has no day.
  let allowedDays: AllowedDays?
  private let path: String

  /// Opens a report and reads its header.
  ///
  /// A file without a day in its name is read to its end, unless it is SALES, to find its period.
  ///
  /// ```swift
  /// let report = try ReportFile(path)
  /// ```
  ///
  /// - Parameter path: The path of the file; gzip is recognized by content, not by name.
  /// - Throws: ``Failure`` if the file cannot be read, is damaged, or is not one of the four kinds.
  public init(_ path: String) throws(Failure) {
    let header = try Self.header(of: path)
    guard let kind = Kind(rawValue: header.kind.displayName) else {
      throw Self.otherFile(path, header.kind)
    }
    let name = ReportName(path)
    let days = try Self.days(of: header, name, path)
    self.path = path
    self.header = header
    self.kind = kind
    version = header.version(inName: name.version)
    period = days.map { $0.firstDay.description...$0.lastDay.description }
    allowedDays = name.date.map { AllowedDays($0, days?.frequency) }
  }

  /// Reads the rows, in constant memory besides the rejected ones.
  ///
  /// Rows that no table of `subreport` uses, such as charges of 0 units, are passed too; their
  /// ``Row/charge`` is `nil`. Each call reads the file again.
  ///
  /// ```swift
  /// var lines = 0
  /// let rejects = try report.forEachRow { _ in lines += 1 }
  /// print("\(lines) rows, \(rejects.count) rejected")  // 3 rows, 1 rejected
  /// ```
  ///
  /// - Parameter body: Called with each row in the order of the file, except rejected ones.
  /// - Returns: The rows with an impossible value, in the order of the file.
  /// - Throws: The error of `body`, or ``Failure`` if the file cannot be read to its end, or holds
  ///   SALES of several periods. Rows were then passed to `body`; do not use them.
  public func forEachRow(_ body: (Row) throws -> Void) throws -> [Reject] {
    var rows = ReportRows(self)
    var rejects: [Reject] = []
    var stopped: (any Error)?
    do throws(ScanError) {
      var scanner = try LineScanner(path: path)
      try scanner.forEachLine { line, place in
        guard place.number > header.headerLine, header.isDataRow(line, place) else { return .next }
        switch rows.read(line, place) {
        case .rejected(let reject): rejects.append(Reject(reject, kind))
        case .row(let row):
          do {
            try body(row)
          } catch {
            stopped = error
            return .stop
          }
        }
        return .next
      }
    } catch {
      throw Failure(path, error)
    }
    if let stopped { throw stopped }
    if let error = rows.severalReports() { throw Failure(path, error) }
    return rejects
  }
}

extension ReportFile {
  /// Why a file cannot be read as a report.
  ///
  /// ```swift
  /// do {
  ///   print(try ReportFile("missing.txt").kind)
  /// } catch {
  ///   print(error.code)  // cannot-open
  /// }
  /// ```
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The stable name of the error, such as `missing-columns` or `gzip-truncated`.
    ///
    /// ```swift
    /// print(failure.code)  // cannot-open
    /// ```
    public let code: String

    /// The message in one line, with the path.
    ///
    /// ```swift
    /// print(failure)
    /// // missing.txt: error: cannot open the file: no such file or directory [cannot-open]
    /// ```
    public let description: String
  }
}

extension ReportFile.Failure {
  init(_ path: String, code: String, _ message: String) {
    self.code = code
    description = "\(path): error: \(message) [\(code)]"
  }

  init(_ path: String, _ error: ScanError) { self.init(path, code: error.code, error.message) }

  init(_ path: String, _ error: HeaderError) { self.init(path, code: error.code, error.message) }
}

extension ReportFile {
  /// The kind of report; the raw value is Apple's name for it.
  ///
  /// ```swift
  /// print(ReportFile.Kind.subscriptionEvent.rawValue)  // SUBSCRIPTION_EVENT
  /// ```
  public enum Kind: String, CaseIterable, Sendable {
    /// Charges and refunds, one row each.
    case subscriber = "SUBSCRIBER"
    /// The subscriptions that are active at the end of a day.
    case subscription = "SUBSCRIPTION"
    /// Starts, renewals, cancellations and other events, counted.
    case subscriptionEvent = "SUBSCRIPTION_EVENT"
    /// Units sold and refunded, with prices and proceeds.
    case sales = "SALES"
  }
}

extension ReportFile {
  /// A row of a report: its texts by column, and the values of a charge.
  ///
  /// ```swift
  /// var rows: [ReportFile.Row] = []
  /// let rejects = try report.forEachRow { rows.append($0) }
  /// print(rows[0]["Country"] ?? "none")  // DE
  /// print(rejects[0].line)  // 5
  /// ```
  public struct Row: Sendable {
    /// The number of the line in the (inflated) text, from 1; the header usually is line 1.
    ///
    /// ```swift
    /// print(rows[0].line)  // 2
    /// ```
    public let line: Int

    /// The charge or refund; `nil` in SUBSCRIPTION and SUBSCRIPTION_EVENT, and for a row that is
    /// neither: a charge of 0 units, a product of SALES that is free and no subscription.
    ///
    /// ```swift
    /// print(rows[0].charge?.priceMilliunits ?? 0)  // 9990
    /// ```
    public let charge: Charge?

    let bytes: [UInt8]
    /// The ranges of the fields, without blanks at their ends.
    let fields: [Range<Int>]
    let numbers: ColumnNumbers

    /// The text of a column, without blanks at its ends.
    ///
    /// Names are compared without case. Every name that Apple has given to a column in some version
    /// finds it: `Subscription Duration` is `Standard Subscription Duration`.
    ///
    /// ```swift
    /// print(rows[0]["subscriber id"] ?? "none")  // 1000000000001
    /// print(rows[0]["Color"] ?? "none")  // none
    /// ```
    ///
    /// - Parameter column: The name of the column.
    /// - Returns: The text, empty for a blank field; `nil` if the report lacks the column.
    public subscript(column: String) -> String? {
      numbers.number(of: column).map { String(decoding: bytes[fields[$0]], as: UTF8.self) }
    }
  }
}
