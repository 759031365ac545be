package import AppStoreReports
import Files
package import Pipeline
import Scanning
import SubscriptionModel

/// Reads and writes the cache entries of files, one file after another, on one thread.
final class CachedFiles: FileMemo {
  private let run: CachedRun
  private let context: ReadContext
  private var reader: ExtractReader
  private var writer: ExtractWriter
  /// The charges of the current report, as its entry stores them.
  private var columns = ChargeColumns()
  /// The responses of the current dump, as its entry stores them.
  private var responses: ResponseWriter

  private var cache: CacheEntries { run.entries }

  init(_ run: CachedRun, _ context: ReadContext) {
    self.run = run
    self.context = context
    reader = ExtractReader(context.registries)
    writer = ExtractWriter(context.registries)
    responses = ResponseWriter(context.registries)
  }

  // MARK: Reports and finance files

  func recall(
    _ file: RecognizedFile, _ index: Int, _ extract: inout FileExtract, _ charges: inout ChargeStore
  ) -> StoredBytes? {
    guard let bytes = run.storedBytes(of: file, context.progress) else { return nil }
    let name = file.file.shownPath
    let whole = ExtractKey(bytes.sha256, file, context)
    let cutoff = cutoff(file)
    // Where as-of cuts off rows, the entry of all rows is not rebuilt, so no note is made.
    if recall(whole, about: cutoff == nil ? name : nil, file, index, cutoff, &extract, &charges) {
      return bytes
    }
    guard let cutoff else { return nil }
    let cut = ExtractKey(bytes.sha256, file, context, until: cutoff)
    return recall(cut, about: name, file, index, nil, &extract, &charges) ? bytes : nil
  }

  /// Reads the extract of a report or finance file from an entry.
  ///
  /// - Returns: Whether the entry exists and can be used; if not, nothing has changed.
  private func recall(
    _ key: ExtractKey, about name: String?, _ file: RecognizedFile, _ index: Int, _ cutoff: Day?,
    _ extract: inout FileExtract, _ charges: inout ChargeStore
  ) -> Bool {
    guard cache.open(key.name, in: cache.folder.extracts, about: name, with: &reader) else {
      return false
    }
    extract.code(file.kindToKeep, index, with: &reader)
    var isOfUse = cache.close(&reader, about: name)
    if isOfUse, let cutoff, extract.lastDay > cutoff {
      isOfUse = ignoreAllRows(&extract, file, after: cutoff)
    } else if isOfUse, file.kindToKeep == .subscriber {
      isOfUse = recallCharges(key, about: name, index, &extract, &charges)
    }
    if !isOfUse { extract.removeAll() }
    return isOfUse
  }

  /// Counts all rows of a file as later than as-of.
  ///
  /// - Returns: `false` if the entry cannot tell. Some rows may be on or before as-of, or rejected, so that their
  ///   day is unknown; or a SALES report is not daily: there as-of comes before the filter by product.
  private func ignoreAllRows(
    _ extract: inout FileExtract, _ file: RecognizedFile, after cutoff: Day
  ) -> Bool {
    guard extract.firstDay > cutoff, extract.rows.rejected == 0,
      file.kind != .sales || file.frequency == .daily
    else { return false }
    var rows = extract.rows
    rows.ignore(rows.used, .afterAsOf)
    extract.removeAll()
    extract.rows = rows
    return true
  }

  /// Returns the day after which a file's rows are cut off; `nil` for no limit.
  private func cutoff(_ file: RecognizedFile) -> Day? {
    file.source.flatMap { context.survey.cutoff[$0] }
  }

  /// Reads the charges of a report, unless the last tally already counts them.
  private func recallCharges(
    _ key: ExtractKey, about name: String?, _ index: Int, _ extract: inout FileExtract,
    _ charges: inout ChargeStore
  ) -> Bool {
    if let terms = run.termsOfSkippedCharges(key.chargesName) {
      extract.chargeTerms = terms
      run.note(ChargesEntry(index: index, name: key.chargesName, terms: terms, isRead: false))
      return true
    }
    guard cache.open(key.chargesName, in: cache.folder.extracts, about: name, with: &reader) else {
      return false
    }
    columns.removeAll()
    columns.codeCharges(with: &reader)
    columns.codeTerms(with: &reader)
    guard cache.close(&reader, about: name) else { return false }
    columns.forEach(inFile: index, columns.terms) { charges.append($0) }
    extract.chargeTerms = columns.terms
    run.note(ChargesEntry(index: index, name: key.chargesName, terms: columns.terms))
    return true
  }

  func beginReport() { columns.removeAll() }

  func keep(_ charge: ChargeRecord) { columns.append(charge) }

  /// Writes the extract of a file, and a SUBSCRIBER report's charges.
  ///
  /// Nothing is written for a finance file that cannot be trusted, or for a file that changed since it was listed:
  /// its rows may not match its header.
  func keep(
    _ extract: inout FileExtract, _ report: FileReport, of file: RecognizedFile, _ index: Int
  ) {
    guard file.file.isUnchanged else { return run.removeHash(of: file.file) }
    let kind = file.kindToKeep
    guard !kind.isFinance || extract.trustedFinance != nil else { return }
    let cutoff = cutoff(file).flatMap { extract.lastDay > $0 ? $0 : nil }
    let key = ExtractKey(report.sha256, file, context, until: cutoff)
    if kind == .subscriber {
      writer.begin()
      columns.codeCharges(with: &writer)
      columns.codeTerms(with: &writer)
      cache.keep(writer.bytes, named: key.chargesName, in: cache.folder.extracts)
      run.note(ChargesEntry(index: index, name: key.chargesName, terms: columns.terms))
    }
    writer.begin()
    extract.code(kind, index, with: &writer)
    cache.keep(writer.bytes, named: key.name, in: cache.folder.extracts)
  }

  // MARK: Dumps of receipts

  /// Reads the extract of a dump, and adds its responses to the run's receipts.
  ///
  /// An entry holds the whole dump, so it is not used when as-of cuts off some of it.
  func recallDump(_ file: RecognizedFile, _ index: Int) -> (
    extract: DumpExtract, bytes: StoredBytes
  )? {
    guard let bytes = run.storedBytes(of: file, context.progress) else { return nil }
    let key = ExtractKey(bytes.sha256, file, context)
    let asOf = context.plan.receipts.asOf
    // Where as-of cuts off some of the dump, its entry is not rebuilt, so no note is made.
    let about = asOf == nil ? file.file.shownPath : nil
    let place = UInt32(index)
    guard cache.open(key.name, in: cache.folder.extracts, about: about, with: &reader) else {
      return nil
    }
    // Responses cannot be removed from the store again, so the whole entry is validated first.
    var responses = ResponseReader(file: place)
    while responses.readNext(with: &reader) {}
    var extract = DumpExtract()
    extract.code(file: place, with: &reader)
    guard reader.isReadToEnd else {
      if let about { cache.noteFault(.damaged, about: about) }
      return nil
    }
    if let newest = extract.newest, let asOf, newest > asOf { return nil }
    reader.rewind()
    responses = ResponseReader(file: place)
    while responses.readNext(with: &reader) {
      context.receipts.add(responses.transactions, responses.renewals)
    }
    return (extract, bytes)
  }

  func beginDump() { responses = ResponseWriter(context.registries) }

  func keepResponse(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy]) {
    responses.write(transactions, renewals)
  }

  func keepDump(_ extract: DumpExtract, _ report: FileReport, of file: RecognizedFile) {
    // An entry holds the whole dump: a later run may need the responses after as-of.
    guard !extract.hasLaterResponses else { return }
    var extract = extract
    extract.rejects = extract.rejects.map(report.withoutPersonalText)
    let key = ExtractKey(report.sha256, file, context)
    cache.keep(responses.end(&extract), named: key.name, in: cache.folder.extracts)
  }

  func endDump() { responses = ResponseWriter(context.registries) }
}

extension RecognizedFile {
  /// The kind that decides which rows are kept; `unknown` for a file whose rows are only counted.
  package var kindToKeep: ReportKind { isToBeUsed ? kind : .unknown }
}
