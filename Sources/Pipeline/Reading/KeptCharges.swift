package import AppStoreReports
package import Counting
import Files
package import Scanning
import Storage
package import SubscriptionModel

/// The charges of SUBSCRIBER reports after a run, to be folded once more, and the files that they are from.
package struct KeptCharges: Sendable {
  package let bins: PartitionBins
  /// Whether the rows of each file count, up to ``lastDay``.
  package let isUsable: [Bool]
  /// The days on which data are present.
  package private(set) var completeness: Completeness
  /// The day after which rows do not count; `nil` for no limit.
  package private(set) var lastDay: Day?
  /// The terms of charges, with their billing plans.
  package let terms: [ChargeTerms]
  /// The filter of the run, in which names have been replaced by ids.
  package let filter: Filter
  /// The first and last month that tables can have.
  package let months: ClosedRange<Month>
  package let registries: Registries
  /// All files of the run, by their index in ``SubscriptionModel/ChargeRecord/order``.
  package let files: [RecognizedFile]
  /// Whether each file may have blank lines, so that it must be read again to find the line of a row.
  private let mayHaveBlankLines: [Bool]
  /// The number of threads that read files again.
  private let jobs: Int

  init(
    bins: PartitionBins, _ reports: [FileReport], completeness: Completeness,
    terms: [ChargeTerms], _ context: ReadContext
  ) {
    self.bins = bins
    isUsable = reports.map(\.isUsed)
    mayHaveBlankLines = reports.map(\.hasBlankLines)
    self.completeness = completeness
    self.terms = terms
    filter = context.filter
    months = context.survey.months
    registries = context.registries
    files = context.survey.files
    jobs = context.plan.jobs
  }
}

extension KeptCharges {
  /// Returns the charges as they were known on an earlier day, not before the first: rows of later days do not count.
  ///
  /// Their billing plans stay as all data show them, also those after the day.
  package func known(on day: Day) -> KeptCharges {
    var charges = self
    charges.completeness = completeness.until(day)
    charges.lastDay = day
    return charges
  }
}

/// Finds the lines of rows, in a second pass over the files that hold them and have blank lines.
extension KeptCharges {
  /// A file that cannot be read again as it was.
  package struct LineError: Error {
    /// The file's path, as messages show it.
    package let path: String
    /// Why it cannot be read; `nil` when it has changed since it was read first.
    package let error: ScanError?
  }

  /// The numbers of the lines of a file's rows: a few bytes for each run of blank lines, none for each row.
  fileprivate struct LineNumbers: Sendable {
    fileprivate var headerLine = 0
    fileprivate var rowCount = 0
    /// For each run of blank lines, the number of the row after it, and how many lines before that are blank.
    fileprivate var afterBlank: [(row: Int, blank: Int)] = []

    /// Returns the number of the line of a row, both from 1; `nil` for a row beyond the last
    /// one that was asked for.
    fileprivate func line(ofRow row: Int) -> Int? {
      guard row <= rowCount else { return nil }
      let runs = afterBlank.partitionPoint { $0.row <= row }
      return headerLine + row + (runs > 0 ? afterBlank[runs - 1].blank : 0)
    }
  }

  /// The numbers of the lines of rows in several files: their memory does not grow with the rows.
  package struct LinesOfRows: Sendable {
    /// By the index of the file.
    fileprivate var files: [Int: LineNumbers] = [:]
    /// Of rows that do not count.
    private var others: [UInt64: Int] = [:]

    package init() {}

    /// Adds the line of a row that does not count.
    package mutating func add(_ row: UInt64, line: Int) { others[row] = line }

    /// Returns the number of a row's line, from 1; `nil` if it has not been looked up.
    ///
    /// The row's place in the run is as in ``SubscriptionModel/ChargeRecord/order``.
    package func line(of row: UInt64) -> Int? {
      if !others.isEmpty, let line = others[row] { return line }
      return files[Int(row >> 32)]?.line(ofRow: Int(row & 0xFFFF_FFFF))
    }
  }

  /// The last row of each file whose line is printed.
  package struct LastRows {
    fileprivate var rows: [Int: UInt32] = [:]

    package init() {}

    /// Adds a row, given its place in the run.
    package mutating func insert(_ row: UInt64) {
      let number = UInt32(truncatingIfNeeded: row)
      if rows[Int(row >> 32), default: 0] < number { rows[Int(row >> 32)] = number }
    }
  }

  /// Numbers the lines of the files that hold some rows; other files are not read.
  ///
  /// A file with blank lines is read once more, up to its last row whose line is printed, several files at once;
  /// memory grows with the runs of blank lines only.
  package func lines(upTo last: LastRows) throws(LineError) -> LinesOfRows {
    var lines = LinesOfRows()
    try read(last.rows.map { (file: $0.key, last: $0.value) }, into: &lines)
    return lines
  }

  /// Numbers the lines of the files that hold some rows, unless they have been read.
  ///
  /// The places of rows in the run are as in ``SubscriptionModel/ChargeRecord/order``. Blank lines are no rows, so a
  /// row's line is not always its number plus the line of the header.
  package func read(_ rows: [UInt64], into lines: inout LinesOfRows) throws(LineError) {
    var new: Set<Int> = []
    for row in rows where lines.files[Int(row >> 32)] == nil { new.insert(Int(row >> 32)) }
    try read(new.map { (file: $0, last: nil) }, into: &lines)
    for row in rows where lines.line(of: row) == nil {
      throw LineError(path: files[Int(row >> 32)].file.shownPath, error: nil)
    }
  }

  private func read(
    _ wanted: [(file: Int, last: UInt32?)], into lines: inout LinesOfRows
  ) throws(LineError) {
    let wanted = wanted.sorted { $0.file < $1.file }
    let read = Workers.map(count: wanted.count, jobs: jobs) { item in
      Result { () throws(LineError) in
        try lineNumbers(ofFile: wanted[item].file, upTo: wanted[item].last)
      }
    }
    for (one, numbers) in zip(wanted, read) { lines.files[one.file] = try numbers.get() }
  }

  /// Numbers the lines of a Subscriber report's rows, up to the last one whose line is printed; `nil` for all rows.
  ///
  /// The rows of a file without blank lines follow its header; it is only looked at, to see that it has not changed.
  /// A file with blank lines is read once more.
  private func lineNumbers(
    ofFile index: Int, upTo lastRow: UInt32?
  ) throws(LineError) -> LineNumbers {
    let file = files[index]
    let last = lastRow.map { Int($0) } ?? .max
    var numbers = LineNumbers()
    numbers.headerLine = file.header?.headerLine ?? 0
    if !mayHaveBlankLines[index], file.file.isUnchanged {
      numbers.rowCount = last
      return numbers
    }
    do throws(ScanError) {
      var scanner = try LineScanner(path: file.file.path)
      try scanner.forEachLine { line, place in
        guard place.number > numbers.headerLine else { return .next }
        guard !isBlank(line, place) else { return .next }
        numbers.rowCount += 1
        let blank = place.number - numbers.headerLine - numbers.rowCount
        if blank != numbers.afterBlank.last?.blank ?? 0 {
          numbers.afterBlank.append((numbers.rowCount, blank))
        }
        return numbers.rowCount < last ? .next : .stop
      }
    } catch {
      throw LineError(path: file.file.shownPath, error: error)
    }
    let hasAll = lastRow == nil || numbers.rowCount == last
    guard hasAll, file.file.isUnchanged || file.file.status == nil else {
      throw LineError(path: file.file.shownPath, error: nil)
    }
    return numbers
  }
}

/// Reads the rows of one subscriber again, with those that do not count.
extension KeptCharges {
  /// A row of a subscriber.
  package struct SubscriberRow: Sendable {
    /// The row's place in the run, as ``SubscriptionModel/ChargeRecord/order`` has it.
    package let order: UInt64
    /// The number of its line, from 1.
    package let line: Int
    /// What the reader of the run makes of it.
    package let outcome: RowOutcome<ChargeRecord>
  }

  /// Returns the rows of a subscriber in a Subscriber report, which has a header, in the order of the file.
  package func rows(
    of subscriber: UInt64, inFile file: Int
  ) throws(LineError) -> [SubscriberRow] {
    var found: [SubscriberRow] = []
    try forEachRow(ofFile: file) { line, place, row, reader in
      guard reader.subscriber(line, place) == subscriber else { return .next }
      let outcome = reader.read(line, place, fileIndex: UInt32(file), row: row)
      found.append(
        SubscriberRow(
          order: UInt64(file) << 32 | UInt64(row), line: place.number, outcome: outcome))
      return .next
    }
    return found
  }

  /// Returns the subscriber of a line of a Subscriber report, from 1, and the place of its row in the run.
  ///
  /// `nil` if the file has no such row, or the row has no id that can be read.
  package func subscriber(
    ofLine number: Int, inFile file: Int
  ) throws(LineError) -> (key: UInt64, order: UInt64)? {
    var found: (key: UInt64, order: UInt64)?
    try forEachRow(ofFile: file) { line, place, row, reader in
      guard place.number >= number else { return .next }
      if place.number == number, let key = reader.subscriber(line, place) {
        found = (key, UInt64(file) << 32 | UInt64(row))
      }
      return .stop
    }
    return found
  }

  private func forEachRow(
    ofFile index: Int,
    _ body: (Span<UInt8>, Line, _ row: UInt32, inout SubscriberReader) -> ScanStep
  ) throws(LineError) {
    let file = files[index]
    guard let header = file.header else { return }
    var reader = SubscriberReader(header: header, registries: registries)
    reader.beginFile(file.nearbyDays)
    var row: UInt32 = 0
    do throws(ScanError) {
      var scanner = try LineScanner(path: file.file.path)
      try scanner.forEachLine { line, place in
        guard place.number > header.headerLine, !isBlank(line, place) else { return .next }
        row += 1
        return body(line, place, row, &reader)
      }
    } catch {
      throw LineError(path: file.file.shownPath, error: error)
    }
    guard file.file.isUnchanged || file.file.status == nil else {
      throw LineError(path: file.file.shownPath, error: nil)
    }
  }
}
