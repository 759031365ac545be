import AppStoreReports
package import Counting
import Files
import Scanning
import Storage
package import SubscriptionModel

/// Reads the rows of a report: counts each row and adds it to the file's extract.
extension FileReader {
  /// Reads a report of rows to its end.
  mutating func readRows(_ recognized: RecognizedFile, _ index: Int) throws(ScanError) {
    let hash = StoredHash(of: recognized.file.path, context.progress)
    let isUsed = recognized.isToBeUsed
    if isUsed, let header = recognized.header {
      let needsDays = cutoff != nil || keepsExtracts
      periodColumns = needsDays ? PeriodReader(header: header) : nil
      rowReaders.prepare(header, context.registries, readsAllTypes: context.survey.readsFinance)
      rowReaders.sales?.notesLeftAside = notesApps
      rowReaders.beginFile(recognized.nearbyDays)
      dayCounter = EventDays.Counter()
      memo?.beginReport()
    }
    if outcomes == nil {
      try scanRows(of: recognized, index, hash)
    } else {
      try scanAndNoteRows(of: recognized, index, hash)
    }
    report.sha256 = hash.hexadecimalDigits()
    report.isUsed = isUsed
    guard isUsed else { return }
    if [.subscriber, .subscriptionEvent].contains(recognized.kind) {
      extract.eventDays = dayCounter.days
    }
    extract.severalPeriods = rowReaders.severalPeriods(recognized.kind)
  }

  /// Reads each row, with one scan for each kind, to switch once a file instead of once a row.
  private mutating func scanRows(
    of recognized: RecognizedFile, _ index: Int, _ hash: StoredHash
  ) throws(ScanError) {
    var scanner = try LineScanner(
      path: recognized.file.path, readsAhead: context.filesReadAhead.contains(index))
    let onStoredBytes = { (bytes: Span<UInt8>) in hash.update(bytes) }
    let headerLine = recognized.header?.headerLine ?? 0
    switch recognized.isToBeUsed ? recognized.kind : .unknown {
    case .subscriber:
      try scanner.forEachLine(onStoredBytes: onStoredBytes) { line, place in
        guard place.number > headerLine else { return .next }
        if isBlank(line, place) {
          extract.hasBlankLines = true
        } else {
          readSubscriberRow(line, place, index)
        }
        return .next
      }
    case .subscriptionEvent:
      try scanner.forEachLine(onStoredBytes: onStoredBytes) { line, place in
        if place.number > headerLine, !isBlank(line, place) { readEventRow(line, place) }
        return .next
      }
    case .subscription:
      try scanner.forEachLine(onStoredBytes: onStoredBytes) { line, place in
        if place.number > headerLine, !isBlank(line, place) { readSnapshotRow(line, place) }
        return .next
      }
      extract.unknownCounts = rowReaders.snapshot?.unknownCounts ?? []
    case .sales:
      try scanner.forEachLine(onStoredBytes: onStoredBytes) { line, place in
        if place.number > headerLine, !isBlank(line, place) {
          readSalesRow(line, place, isDaily: recognized.frequency == .daily)
        }
        return .next
      }
    default:
      try scanner.forEachLine(onStoredBytes: onStoredBytes) { line, place in
        if place.number > headerLine, recognized.header?.isDataRow(line, place) == true {
          report.rows.read += 1
        }
        return .next
      }
    }
  }

  /// Reads the rows that ``scanRows(of:_:_:)`` reads, and notes what became of each.
  private mutating func scanAndNoteRows(
    of recognized: RecognizedFile, _ index: Int, _ hash: StoredHash
  ) throws(ScanError) {
    var scanner = try LineScanner(path: recognized.file.path)
    let headerLine = recognized.header?.headerLine ?? 0
    let kind = recognized.isToBeUsed ? recognized.kind : .unknown
    let isDaily = recognized.frequency == .daily
    try scanner.forEachLine(onStoredBytes: { hash.update($0) }) { line, place in
      guard place.number > headerLine else { return .next }
      let before = report.rows
      switch kind {
      case .subscriber where !isBlank(line, place): readSubscriberRow(line, place, index)
      case .subscriptionEvent where !isBlank(line, place): readEventRow(line, place)
      case .subscription where !isBlank(line, place): readSnapshotRow(line, place)
      case .sales where !isBlank(line, place): readSalesRow(line, place, isDaily: isDaily)
      case .subscriber: extract.hasBlankLines = true
      case .subscriptionEvent, .subscription, .sales: break
      default:
        if recognized.header?.isDataRow(line, place) == true { report.rows.read += 1 }
      }
      outcomes?.note(line: place.number, before, report.rows, taking: &report.rejects)
      return .next
    }
  }

  /// Reads a SUBSCRIBER row.
  ///
  /// Inlined, because a call copies the outcome of the row: 2 % more instructions.
  @inline(__always)
  private mutating func readSubscriberRow(_ line: Span<UInt8>, _ place: Line, _ index: Int) {
    let row = UInt32(truncatingIfNeeded: report.rows.read + 1)
    let outcome = rowReaders.subscriber?.read(line, place, fileIndex: UInt32(index), row: row)
    guard let outcome, let record = account(outcome, line, place) else { return }
    if ignoreIfLater(Day(number: record.day)) { return }
    if keepsExtracts { memo?.keep(record) }
    if holdsCharges { result.charges.append(record) }
    if notesApps { lastCharges.note(record) }
    result.names.charges.note(terms: record.terms, row: row)
  }

  private mutating func readEventRow(_ line: Span<UInt8>, _ place: Line) {
    guard let outcome = rowReaders.event?.read(line, place), let row = account(outcome, line, place)
    else { return }
    if ignoreIfLater(row.day) { return }
    let key = EventRowKey(
      terms: row.terms, day: row.day, originalStart: row.originalStart,
      paidPeriods: row.paidPeriods)
    extract.events.add(Int(row.quantity), of: key)
    if keepsRows {
      countedRows.append(CountedFileRow(place.number, .events(key, Int(row.quantity))))
    }
    result.names.events.note(terms: row.terms, row: UInt32(truncatingIfNeeded: report.rows.read))
  }

  private mutating func readSnapshotRow(_ line: Span<UInt8>, _ place: Line) {
    guard let outcome = rowReaders.snapshot?.read(line, place),
      let row = account(outcome, line, place)
    else {
      return
    }
    // The first column has each row, so that its app is known.
    let standard = rowReaders.snapshot?.columnCounts[0] ?? 0
    extract.snapshot.add(standard, of: SnapshotRowKey(terms: row.terms, .standard))
    if rowReaders.snapshot?.hasCounts == true {
      for column in SubscriptionReader.columns.dropFirst() {
        let count = rowReaders.snapshot?.columnCounts[Int(column.rawValue)] ?? 0
        if count != 0 { extract.snapshot.add(count, of: SnapshotRowKey(terms: row.terms, column)) }
      }
    }
    if keepsRows { keepSnapshotRow(row, place.number) }
    result.names.snapshots.note(terms: row.terms, row: UInt32(truncatingIfNeeded: report.rows.read))
  }

  private mutating func keepSnapshotRow(_ row: SnapshotRow, _ line: Int) {
    countedRows.append(CountedFileRow(line, .active(Int(row.active), terms: row.terms)))
    for (column, count) in zip(SubscriptionReader.columns, rowReaders.snapshot?.columnCounts ?? [])
    where count != 0 {
      countedRows.append(CountedFileRow(line, .column(column, count, terms: row.terms)))
    }
  }

  private mutating func readSalesRow(_ line: Span<UInt8>, _ place: Line, isDaily: Bool) {
    guard let outcome = rowReaders.sales?.read(line, place) else { return }
    let rejectedBefore = report.rows.rejected
    guard let row = account(outcome, line, place) else {
      // A bridge must name the money of a rejected row.
      if report.rows.rejected > rejectedBefore, isDaily, context.survey.readsFinance {
        rowReaders.moneyColumns?.rejectedRow(line, place).add(to: &extract.rejectedSales)
      }
      return
    }
    if ignoreIfLater(row.beginDay) { return }
    let count = max(1, Int(row.units.magnitude))
    if row.isSubscription {
      let key = SalesRowKey(terms: row.terms, day: row.beginDay, units: Int(row.units))
      extract.sales.add(count, of: key)
      if keepsRows { countedRows.append(CountedFileRow(place.number, .units(key, count))) }
    } else if !isDaily {
      report.rows.ignore(1, .otherProductTypes)
      return
    }
    if context.survey.readsFinance, isDaily {
      let key = DailySalesKey(terms: row.terms, day: row.beginDay, row.units)
      extract.dailySales.add(count, of: key)
      if keepsRows {
        dailySalesRows.append(DailySalesRow(line: place.number, key: key, count: count))
      }
    }
    result.names.sales.note(terms: row.terms, row: UInt32(truncatingIfNeeded: report.rows.read))
  }

  /// Counts a row as used, ignored or rejected; returns it if it is used.
  ///
  /// Inlined, so that nothing is destroyed for a row without a reject.
  @inline(__always)
  private mutating func account<Row>(
    _ outcome: RowOutcome<Row>, _ line: Span<UInt8>, _ place: Line
  ) -> Row? {
    switch outcome {
    case .row(let row):
      report.rows.read += 1
      report.rows.used += 1
      return row
    case .ignored(let reason):
      report.rows.read += 1
      report.rows.ignored[reason, default: 0] += 1
    case .rejected(let reject):
      report.rows.read += 1
      if isAfterCutoff(line, place) {
        report.rows.ignored[.afterAsOf, default: 0] += 1
        return nil
      }
      report.note(reject)
    }
    return nil
  }

  /// Returns whether a rejected row is dated after the cutoff, so that it is ignored instead.
  @inline(never)
  private mutating func isAfterCutoff(_ line: Span<UInt8>, _ place: Line) -> Bool {
    guard let period = periodColumns?.period(of: line, place) else { return false }
    return isAfterCutoff(noting: period.firstDay)
  }

  /// Moves a used row to ignored if its day is after the cutoff, and returns whether; counts it by its day.
  @inline(__always)
  private mutating func ignoreIfLater(_ day: Day) -> Bool {
    dayCounter.note(day)
    guard isAfterCutoff(noting: day) else { return false }
    moveToIgnored()
    return true
  }

  @inline(never)
  private mutating func moveToIgnored() {
    report.rows.used -= 1
    report.rows.ignored[.afterAsOf, default: 0] += 1
  }

  /// Returns whether the day of a row is after the cutoff; notes the day in an extract that will be kept.
  @inline(__always)
  private mutating func isAfterCutoff(noting day: Day) -> Bool {
    if keepsExtracts { extract.note(day) }
    guard let cutoff else { return false }
    return day > cutoff
  }
}

/// A row that counts, with its line.
package struct CountedFileRow: Sendable, BitwiseCopyable {
  /// What the row adds to a fold.
  package enum Content: Sendable, BitwiseCopyable {
    case events(EventRowKey, Int)
    /// A number of active subscriptions at the end of the report's day.
    case active(Int, terms: UInt32)
    /// The subscriptions of a column of a SUBSCRIPTION row, if there are any.
    case column(SnapshotColumn, Int, terms: UInt32)
    case units(SalesRowKey, Int)
  }

  /// The number of the row's line in its file, from 1.
  package let line: Int
  package let content: Content

  init(_ line: Int, _ content: Content) { (self.line, self.content) = (line, content) }
}

/// Reads files of a run again, on one thread, as the run has read them.
package struct RowRereader: ~Copyable {
  private var reader: FileReader

  /// Creates a reader of the files that a run was read with.
  package init(_ context: ReadContext) {
    reader = FileReader(context.forReadingAgain)
    reader.keepsRows = true
  }

  /// Returns the rows of a report that count, in the order of their lines; `before` is what the run found.
  package mutating func rows(
    ofFileAt index: Int, _ before: FileReport
  ) throws(KeptCharges.LineError) -> [CountedFileRow] {
    try reread(index, before)
    return reader.countedRows
  }

  /// Returns the rows of a daily SALES report, of all product types.
  mutating func dailySalesRows(
    ofFileAt index: Int, _ before: FileReport
  ) throws(KeptCharges.LineError) -> [DailySalesRow] {
    try reread(index, before)
    // The run has the money of the file already.
    reader.result.finance = FinanceData()
    return reader.dailySalesRows
  }

  private mutating func reread(
    _ index: Int, _ before: FileReport
  ) throws(KeptCharges.LineError) {
    reader.countedRows.removeAll(keepingCapacity: true)
    reader.dailySalesRows.removeAll(keepingCapacity: true)
    reader.read(index)
    guard reader.report.isUsed, reader.report.sha256 == before.sha256 else {
      throw KeptCharges.LineError(path: before.file.shownPath, error: nil)
    }
  }

  var registries: Registries { reader.context.registries }
}

extension ReadContext {
  /// Selects the rows that count.
  package var rowFilter: Filter { filter }
  /// The first and last month that tables can have.
  package var months: ClosedRange<Month> { survey.months }
}
