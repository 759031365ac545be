import AppStoreReports
import Crypto
import Metrics
import Scanning
import SubscriptionModel

/// What one thread has read: it is merged with what the others have.
struct ReadResult: Sendable {
  var charges: ChargeStore
  var events: Tally
  var sales: Tally
  /// What daily SALES reports say of money, when there are finance files to reconcile it with.
  var finance = FinanceRecords()
  var financeFiles: [FinanceFile] = []
  var names = NameTrackers()
  var notifications: [NotificationPlace] = []
  /// Whether receipts were ignored because they were made after as-of.
  var hasLaterReceipts = false
  var linesOfDumpRows: [DumpRow: Int] = [:]
  var reports: [(index: Int, report: FileReport)] = []
  /// Where the cache keeps the charges of SUBSCRIBER reports, of those in the last tally too.
  var chargeExtracts: [ChargeExtract] = []
}

/// Reads the rows of files, one file after another, on one thread.
///
/// What a file adds is kept apart until its last byte is verified: a damaged file adds nothing.
struct FileReader: ~Copyable {
  let context: ReadContext
  var result: ReadResult
  private var eventFold: EventFold
  private var salesFold: SalesFold
  var report: FileReport

  // Readers know the descriptions of earlier files, so they live as long as the columns are the same.
  private var headers: [ReportKind: ReportHeader] = [:]
  private var subscriberReader: SubscriberReader?
  private var eventReader: SubscriptionEventReader?
  private var snapshotReader: SubscriptionReader?
  private var salesReader: SalesReader?
  var financeReader = FinanceFileReader()
  private var dumpReader: DumpReader?
  var extractReader: ExtractReader

  /// The day after which rows of the present file are ignored, and the column that tells it for rows
  /// that are no good otherwise.
  private var cutoff: Day?
  private var periodColumns: PeriodColumns?

  /// What the present file adds, until it is complete.
  var extract = FileExtract()

  init(_ context: ReadContext) {
    self.context = context
    let events = context.emptyTally(.events)
    let sales = context.emptyTally(.sales)
    eventFold = EventFold(tally: events)
    salesFold = SalesFold(tally: sales)
    result = ReadResult(charges: ChargeStore(context.memory), events: events, sales: sales)
    extractReader = ExtractReader(context.registries)
    report = FileReport(
      ScoutedFile(
        file: InputFile(path: "", shownPath: "", relativePath: "", isNamed: false),
        name: ReportName(""), kind: .unknown, vendor: ""))
  }

  consuming func finish() -> ReadResult {
    result.events = eventFold.tally
    result.notifications = dumpReader?.notifications ?? []
    result.hasLaterReceipts = dumpReader?.sawLaterRecords ?? false
    result.linesOfDumpRows = dumpReader?.lines ?? [:]
    result.sales = salesFold.tally
    return result
  }

  /// Reads one file of the context.
  mutating func read(_ index: Int) {
    let scouted = context.files[index]
    report = FileReport(scouted)
    cutoff = scouted.source.flatMap { context.cutoff[$0] }
    do throws(ScanError) {
      if scouted.isReceiptDump {
        try readDump(scouted, index)
      } else if scouted.kind.isFinance, scouted.isToBeUsed {
        try readFinance(scouted)
      } else if !readFromCache(scouted, index) {
        try readRows(scouted, index)
        keepInCache(scouted, index)
      }
      finishRows(scouted, index)
    } catch {
      // What damaged bytes say is no finding, so damage beats whatever was wrong with the header.
      if report.problem == nil || error.isCorruption { report.problem = FileProblem(error) }
      report.sha256 = storedHash(of: scouted.file.path) ?? ""
      report.rows.ignoreAll("damaged file")
      forgetFile()
    }
    extract.removeAll()
    result.reports.append((index, report))
    context.progress.addFile()
  }

  private mutating func readRows(_ scouted: ScoutedFile, _ index: Int) throws(ScanError) {
    var hash = SHA256()
    let progress = context.progress
    var scanner = try LineScanner(path: scouted.file.path)
    let headerLine = scouted.header?.headerLine ?? 0
    let isUsed = scouted.isToBeUsed
    prepareReader(scouted, isUsed: isUsed)
    let onStoredBytes = { (bytes: Span<UInt8>) in
      hash.update(bytes)
      progress.addBytes(bytes.count)
    }
    // One scan a kind, so that the choice is made once a file and not once a row.
    switch isUsed ? scouted.kind : .unknown {
    case .subscriber:
      try scanner.forEachLine(onStoredBytes: onStoredBytes) { line, place in
        if place.number > headerLine, !isBlank(line, place) {
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
    case .sales:
      try scanner.forEachLine(onStoredBytes: onStoredBytes) { line, place in
        if place.number > headerLine, !isBlank(line, place) {
          readSalesRow(line, place, isDaily: scouted.frequency == .daily)
        }
        return .next
      }
    default:
      try scanner.forEachLine(onStoredBytes: onStoredBytes) { line, place in
        if place.number > headerLine, scouted.header?.isDataRow(line, place) == true {
          report.rows.read += 1
        }
        return .next
      }
    }
    report.sha256 = hexadecimal(hash.finalize())
    report.isUsed = isUsed
  }

  private mutating func readDump(_ scouted: ScoutedFile, _ index: Int) throws(ScanError) {
    if dumpReader == nil { dumpReader = DumpReader(context) }
    try dumpReader?.read(scouted, index, &report)
    report.isUsed = scouted.isToBeUsed && report.isReceiptDump
  }

  private mutating func prepareReader(_ scouted: ScoutedFile, isUsed: Bool) {
    guard isUsed, let header = scouted.header else { return }
    periodColumns = cutoff == nil ? nil : PeriodColumns(header: header)
    if headers[header.kind]?.hasSameColumns(as: header) == true { return }
    headers[header.kind] = header
    let registries = context.registries
    switch header.kind {
    case .subscriber:
      subscriberReader = SubscriberReader(header: header, registries: registries)
    case .subscriptionEvent:
      eventReader = SubscriptionEventReader(header: header, registries: registries)
    case .subscription:
      snapshotReader = SubscriptionReader(header: header, registries: registries)
    case .sales:
      salesReader = SalesReader(
        header: header, registries: registries, readsAllTypes: context.readsFinance)
    default: break
    }
  }

  // MARK: Rows

  private mutating func readSubscriberRow(_ line: Span<UInt8>, _ place: Line, _ index: Int) {
    let row = UInt32(truncatingIfNeeded: report.rows.read + 1)
    let outcome = subscriberReader?.read(
      line, place, fileIndex: UInt32(index), row: row)
    guard let outcome, let record = account(outcome, line, place) else { return }
    if let cutoff, record.day > cutoff.number {
      leaveAsideAfterAsOf()
      return
    }
    if context.plan.cache != nil { extract.charges.append(record) }
    result.charges.append(record)
    result.names.charges.note(terms: record.terms, row: row)
  }

  private mutating func readEventRow(_ line: Span<UInt8>, _ place: Line) {
    guard let outcome = eventReader?.read(line, place), let row = account(outcome, line, place)
    else { return }
    if let cutoff, row.day > cutoff {
      leaveAsideAfterAsOf()
      return
    }
    let key = EventCount(
      terms: row.terms, month: context.plan.monthSystem.month(of: row.day),
      originalStart: row.originalStart,
      paidPeriods: row.paidPeriods)
    extract.events[key, default: 0] += Int(row.quantity)
    result.names.events.note(terms: row.terms, row: UInt32(truncatingIfNeeded: report.rows.read))
  }

  private mutating func readSnapshotRow(_ line: Span<UInt8>, _ place: Line) {
    guard let outcome = snapshotReader?.read(line, place), let row = account(outcome, line, place)
    else {
      return
    }
    extract.snapshot[row.terms, default: 0] += Int(row.active)
    result.names.snapshots.note(terms: row.terms, row: UInt32(truncatingIfNeeded: report.rows.read))
  }

  private mutating func readSalesRow(_ line: Span<UInt8>, _ place: Line, isDaily: Bool) {
    guard let outcome = salesReader?.read(line, place), let row = account(outcome, line, place)
    else { return }
    if let cutoff, row.beginDay > cutoff {
      leaveAsideAfterAsOf()
      return
    }
    let count = max(1, Int(row.units.magnitude))
    if row.isSubscription {
      let key = SalesCount(terms: row.terms, day: row.beginDay, units: Int(row.units))
      extract.sales[key, default: 0] += count
    } else if !isDaily {
      report.rows.ignore(1, IgnoredReason.otherProductTypes.rawValue)
      return
    }
    if context.readsFinance, isDaily {
      let key = DailySales(terms: row.terms, day: row.beginDay, row.units)
      extract.dailySales[key, default: 0] += count
    }
    result.names.sales.note(terms: row.terms, row: UInt32(truncatingIfNeeded: report.rows.read))
  }

  /// Whether a line is no row: nothing but blanks.
  private func isBlank(_ line: Span<UInt8>, _ place: Line) -> Bool {
    !place.isTooLong && trimmed(line, line.indices).isEmpty
  }

  /// Counts a row and returns it when it is one to use.
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
      report.rows.ignored[reason.rawValue, default: 0] += 1
    case .rejected(let reject):
      report.rows.read += 1
      if isAfterCutoff(line, place) {
        report.rows.ignored[ReportResolution.afterAsOf, default: 0] += 1
        return nil
      }
      report.rows.rejected += 1
      if report.rejects.count < FileReport.rejectLimit { report.rejects.append(reject) }
    }
    return nil
  }

  /// Whether a row that is no good is of a day that does not count anyway.
  private mutating func isAfterCutoff(_ line: Span<UInt8>, _ place: Line) -> Bool {
    guard let cutoff, let period = periodColumns?.period(of: line, place) else { return false }
    return period.firstDay > cutoff
  }

  private mutating func leaveAsideAfterAsOf() {
    report.rows.used -= 1
    report.rows.ignored[ReportResolution.afterAsOf, default: 0] += 1
  }

  // MARK: The end of a file

  private mutating func finishRows(_ scouted: ScoutedFile, _ index: Int) {
    switch scouted.role {
    case .use: break
    case .leave(let reason):
      report.rows.ignoreAll(reason)
      report.isAfterAsOf = reason == ReportResolution.afterAsOf
      return
    case .leaveFor(let other, let reason):
      let path = context.files[other].file.relativePath
      report.rows.ignoreAll(reason)
      report.replacement = FileReport.Replacement(file: other, reason: reason)
      report.remarks.append(
        reason == ReportResolution.restated ? "replaced by \(path)" : "same bytes as \(path)")
      return
    }
    guard report.isUsed else {
      report.rows.ignoreAll("unusable file")
      if scouted.problem == nil { report.remarks.append("unrecognized file") }
      return
    }
    switch scouted.kind {
    case .subscriber:
      result.names.charges.keepFile(index)
      result.names.snapshots.keepFile(index)
    case .subscriptionEvent:
      finishEvents()
      result.names.events.keepFile(index)
    case .subscription:
      finishSnapshot(scouted)
      result.names.snapshots.keepFile(index)
    case .sales:
      finishSales(scouted)
      result.names.sales.keepFile(index)
    case .financial, .financeDetail, .payments:
      finishFinance(scouted, index)
    default: break
    }
  }

  private mutating func finishEvents() {
    let terms = context.registries.eventTerms
    for (key, quantity) in extract.events {
      eventFold.add(key, quantity: quantity, terms: terms[Int(key.terms)])
    }
    let unknown = extract.events.filter { terms[Int($0.key.terms)].eventClass == .unknown }
    var quantities: [Symbol: Int] = [:]
    for (key, quantity) in unknown {
      quantities[terms[Int(key.terms)].name, default: 0] += quantity
    }
    // In the order of the names' bytes: a dictionary's order differs from run to run.
    let named = quantities.map { (name: context.registries.text(of: $0), quantity: $1) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    report.remarks += named.map { "unknown event \"\($0.name)\": \($0.quantity)" }
  }

  private mutating func finishSnapshot(_ scouted: ScoutedFile) {
    let attributes = context.registries.snapshotTerms
    if let day = scouted.day {
      eventFold.addSnapshot(of: day)
      for (terms, active) in extract.snapshot {
        eventFold.addSnapshotRow(active: active, of: day, attributes: attributes[Int(terms)])
      }
    }
  }

  private mutating func finishSales(_ scouted: ScoutedFile) {
    let terms = context.registries.salesTerms
    if context.readsFinance, scouted.frequency == .daily, let day = scouted.day {
      if cutoff.map({ day <= $0 }) != false { result.finance.salesDays.insert(day) }
      for (key, count) in extract.dailySales {
        key.add(count, terms[Int(key.terms)], to: &result.finance)
      }
    }
    for (key, count) in extract.sales {
      salesFold.add(key, count: count, terms: terms[Int(key.terms)])
    }
  }

  private mutating func forgetFile() {
    result.names.forgetFile()
    report.rejects.removeAll()
    report.isUsed = false
  }
}

/// Returns bytes as lower-case hexadecimal digits.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
