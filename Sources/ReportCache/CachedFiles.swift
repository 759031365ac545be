import AppStoreReports
import Files
import Pipeline
import SubscriptionModel

/// Reads and writes the cache entries of files, one file after another, on one thread.
final class CachedFiles: FileMemo {
  private let run: CachedRun
  private let context: ReadContext
  private var entries: FileEntries

  init(_ run: CachedRun, _ context: ReadContext) {
    self.run = run
    self.context = context
    entries = FileEntries(run.entries, context)
  }

  // MARK: Reports and finance files

  func recall(
    _ file: RecognizedFile, _ index: Int, _ extract: inout FileExtract, _ charges: inout ChargeStore
  ) -> StoredBytes? {
    guard let bytes = run.storedBytes(of: file, context.progress),
      let recalled = entries.recall(
        file, index, bytes.sha256, &extract, skipping: run.termsOfSkippedCharges)
    else { return nil }
    if recalled.hasCharges { entries.forEachCharge(inFile: index) { charges.append($0) } }
    if let entry = recalled.charges { run.note(entry) }
    return bytes
  }

  func beginReport() { entries.beginReport() }

  func keep(_ charge: ChargeRecord) { entries.keep(charge) }

  /// Writes the entries of a file, unless it changed since it was listed: its rows may not match its header.
  func keep(
    _ extract: inout FileExtract, _ report: FileReport, of file: RecognizedFile, _ index: Int
  ) {
    guard file.file.isUnchanged else { return run.removeHash(of: file.file) }
    if let charges = entries.keep(&extract, report, of: file, index) { run.note(charges) }
  }

  // MARK: Dumps of receipts

  /// Reads the extract of a dump, and adds its responses to the run's receipts.
  func recallDump(_ file: RecognizedFile, _ index: Int) -> (
    extract: DumpExtract, bytes: StoredBytes
  )? {
    guard let bytes = run.storedBytes(of: file, context.progress),
      let extract = entries.recallDump(
        file, index, bytes.sha256, add: { context.receipts.add($0, $1) })
    else { return nil }
    return (extract, bytes)
  }

  func beginDump() { entries.beginDump() }

  func keepResponse(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy]) {
    entries.keepResponse(transactions, renewals)
  }

  func keepDump(_ extract: DumpExtract, _ report: FileReport, of file: RecognizedFile) {
    entries.keepDump(extract, report, of: file)
  }

  func endDump() { entries.endDump() }
}
