import AppStoreReports
import Counting
import Files
import Scanning
import SubscriptionModel

/// Reads the rows of files, one file after another, on one thread.
///
/// The content of a file is added to the run only after its last byte is verified, so that a damaged file adds
/// nothing.
struct FileReader: ~Copyable {
  let context: ReadContext
  var result: ReadResult
  var eventFold: EventFold
  var salesFold: SalesFold
  var report: FileReport

  var rowReaders = RowReaders()
  var financeReader = FinanceFileReader()
  private var dumpReader: DumpReader?
  let memo: (any FileMemo)?
  /// Whether extracts are kept for later runs; testing ``memo`` for each row would cost reference counting.
  let keepsExtracts: Bool
  /// Whether the run holds charges, to count them.
  let holdsCharges: Bool

  /// The last day whose rows count in the current file; ``periodColumns`` finds the day of rejected rows.
  var cutoff: Day?
  var periodColumns: PeriodReader?

  /// Counts the rows of the current file by day.
  var dayCounter = EventDays.Counter()

  /// The content of the current file, until it is complete.
  var extract = FileExtract()
  let notesApps: Bool
  /// The last charge with each of the terms in the current file.
  var lastCharges = LastCharges()

  /// Whether the rows of the current file that count are kept, to explain numbers of tables.
  var keepsRows = false
  var countedRows: [CountedFileRow] = []
  /// The rows of all product types in a daily SALES report beside finance files.
  var dailySalesRows: [DailySalesRow] = []

  /// What became of each row of the current file, to explain its counts; `nil` unless that was asked for.
  var outcomes: RowOutcomes?

  init(_ context: ReadContext, _ ownMemo: (any FileMemo)? = nil) {
    self.context = context
    let events = context.emptyTally(.events)
    let sales = context.emptyTally(.sales)
    eventFold = EventFold(tally: events, newestSnapshot: context.survey.newestSnapshot)
    salesFold = SalesFold(tally: sales)
    result = ReadResult(charges: ChargeStore(context.memory), events: events, sales: sales)
    memo = ownMemo ?? context.memo?.fileMemo(context)
    keepsExtracts = memo != nil
    notesApps = keepsExtracts || context.survey.hasSeveralVendors
    holdsCharges = memo?.isCountedElsewhere != true
    report = FileReport(
      RecognizedFile(
        file: InputFile(path: "", shownPath: "", relativePath: "", isNamed: false, status: nil),
        name: ReportName(""), kind: .unknown, vendor: ""))
  }

  consuming func finish() -> ReadResult {
    result.events = eventFold.tally
    result.notifications = dumpReader?.notifications ?? []
    result.snapshots = dumpReader?.snapshots ?? Snapshots()
    result.laterReceipts = dumpReader?.later ?? LaterReceipts()
    result.linesOfDumpRows = dumpReader?.lines ?? [:]
    result.sales = salesFold.tally
    return result
  }

  mutating func read(_ index: Int) {
    let recognized = context.survey.files[index]
    report = FileReport(recognized)
    cutoff = recognized.source.flatMap { context.survey.cutoff[$0] }
    if let unreadable = memo?.unreadable(index) {
      report.rows.read = unreadable.rowsRead
      refuse(unreadable.problem, sha256: unreadable.sha256)
      return end(index)
    }
    do throws(ScanError) {
      if recognized.isReceiptDump {
        try readDump(recognized, index)
      } else if !recall(recognized, index) {
        if recognized.kind.isFinance, recognized.isToBeUsed {
          try readFinance(recognized, index)
        } else {
          try readRows(recognized, index)
          if notesApps { noteApps(recognized) }
        }
        context.progress.reach(.read, recognized.file.path)
        keep(recognized, index)
        context.progress.reach(.kept, recognized.file.path)
      }
      finishRows(recognized, index)
    } catch {
      // Damage replaces an earlier problem with the header, which damaged bytes may have caused.
      let earlier = error.isCorruption ? nil : report.problem
      let hash = hashOfDamaged(recognized.file.path) ?? ""
      refuse(earlier ?? FileProblem(error), sha256: hash)
    }
    end(index)
  }

  /// Drops the content of a file that cannot be read to its end.
  private mutating func refuse(_ problem: FileProblem, sha256: String) {
    report.problem = problem
    report.sha256 = sha256
    report.rows.ignoreAll(.damagedFile)
    dropFile()
  }

  /// Ends a file, whether it was read to its end or not.
  private mutating func end(_ index: Int) {
    extract.removeAll()
    lastCharges.removeAll()
    result.reports.append((index, report))
    context.progress.addFile()
  }

  private mutating func readDump(_ recognized: RecognizedFile, _ index: Int) throws(ScanError) {
    if dumpReader == nil { dumpReader = DumpReader(context, memo) }
    try dumpReader?.read(recognized, index, &report, &outcomes)
    report.isUsed = recognized.isToBeUsed && report.isReceiptDump
  }

  private mutating func dropFile() {
    result.names.dropFile()
    report.rejects.removeAll()
    report.isUsed = false
  }
}

extension FileReader {
  mutating func readFinance(_ recognized: RecognizedFile, _ index: Int) throws(ScanError) {
    financeReader = FinanceFileReader(
      recognized.header, context.registries, context.plan.financeRegions)
    report.sha256 = try financeReader.read(recognized, context.progress, &report, &outcomes)
    report.isUsed = true
    do throws(FinanceError) {
      extract.finance = .success(try financeReader.finish(recognized, index))
    } catch {
      extract.finance = .failure(error)
    }
  }

  /// Keeps the content of a finance file, also one with a problem; not if its period ends after as-of.
  mutating func finishFinance(_ recognized: RecognizedFile) {
    guard let found = extract.finance else { return }
    if context.plan.filters.excludesVendor(recognized.vendor) {
      // Read only to find the vendor of payments CSVs that state none.
      report.rows.ignoreAll(.otherVendor)
      (report.isUsed, report.rejects) = (false, [])
      if case .success(let file) = found, file.problem == nil { result.financeFiles.append(file) }
      return
    }
    do throws(FinanceError) {
      let file = try found.get()
      report.period = file.period.description
      report.trailers = file.trailers
      if let asOf = context.plan.asOf, file.period.lastDay > asOf {
        report.rows.ignoreAll(.afterAsOf)
        report.isUsed = false
        return
      }
      if let problem = file.problem { report.refuse(FileProblem(problem)) }
      result.financeFiles.append(file)
    } catch {
      report.refuse(FileProblem(error))
    }
  }
}
