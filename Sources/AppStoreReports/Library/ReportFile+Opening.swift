import Scanning
import SubscriptionModel

// Reads the header and the period of a report.
extension ReportFile {
  /// Returns the header of a file, which may be of any kind.
  static func header(of path: String) throws(Failure) -> ReportHeader {
    let step: HeaderRecognizer.Step
    do throws(ScanError) {
      step = try recognize(path)
    } catch {
      throw Failure(path, error)
    }
    switch step {
    case .recognized(let header): return header
    case .failed(let error): throw Failure(path, error)
    case .more: preconditionFailure("a file has an end")
    }
  }

  private static func recognize(_ path: String) throws(ScanError) -> HeaderRecognizer.Step {
    var scanner = try LineScanner(path: path)
    var recognizer = HeaderRecognizer()
    var step = HeaderRecognizer.Step.more
    try scanner.forEachLine { line, place in
      step = recognizer.feed(line, place)
      if case .more = step { return .next }
      return .stop
    }
    if case .more = step { step = recognizer.finish() }
    return step
  }

  /// Returns the error for a file of another kind.
  static func otherFile(_ path: String, _ kind: ReportKind) -> Failure {
    if kind == .unknown { return Failure(path, .unrecognized(foreign(path))) }
    let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
    return Failure(
      path, code: "other-report", "found a \(kind.displayName) report, expected one of \(kinds)")
  }

  private static func foreign(_ path: String) -> ForeignFile {
    do throws(ScanError) {
      var text = try ByteStream(path: path)
      var start: [UInt8] = []
      try text.read(into: &start, atMost: ForeignFile.neededBytes)
      return ForeignFile(start)
    } catch {
      return .other
    }
  }

  /// Returns the days of a report: of SALES from its first row, of others from the name or most rows.
  static func days(
    of header: ReportHeader, _ name: ReportName, _ path: String
  ) throws(Failure) -> ReportPeriod? {
    if name.date == nil || header.kind == .sales {
      do throws(ScanError) {
        if let ofRows = try days(ofRowsIn: path, header), !ofRows.isExchanged(name.date) {
          return ofRows
        }
      } catch {
        throw Failure(path, error)
      }
    }
    return name.date.map { ReportPeriod(endingOn: $0, name.frequency ?? .daily) }
  }

  /// Returns the period of the first row of SALES, of most rows of others; `nil` if no row has one.
  private static func days(
    ofRowsIn path: String, _ header: ReportHeader
  ) throws(ScanError) -> ReportPeriod? {
    guard var reader = PeriodReader(header: header) else { return nil }
    let isSales = header.kind == .sales
    var counts: [ReportPeriod: Int] = [:]
    var scanner = try LineScanner(path: path)
    try scanner.forEachLine { line, place in
      guard place.number > header.headerLine,
        let period = isSales ? reader.wholePeriod(of: line, place) : reader.period(of: line, place)
      else { return .next }
      counts[period, default: 0] += 1
      return isSales ? .stop : .next
    }
    return counts.mostFrequent
  }
}

extension ReportPeriod {
  /// Creates the period of a report from the day in its name, which is its last.
  fileprivate init(endingOn day: Day, _ frequency: Frequency) {
    let firstDay =
      switch frequency {
      case .daily: day
      case .weekly: day - 6
      case .monthly: day.month.firstDay
      case .yearly: Month(year: day.month.year, month: 1).firstDay
      }
    self.init(firstDay: firstDay, lastDay: day)
  }
}
