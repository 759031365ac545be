import AppStoreReports
import Pipeline
import SubscriptionModel

/// What one thread takes from the cache and leaves in it, file by file.
final class CachedFiles: FileMemo {
  private let run: CachedRun
  private let context: ReadContext
  private var reader: ExtractReader
  private var writer: ExtractWriter
  /// The charges of the present report, as its entry holds them.
  private var columns = ChargeColumns()
  /// What the responses of the present dump hold.
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

  func recall(_ file: ScoutedFile, _ index: Int, _ extract: inout FileExtract) -> StoredBytes? {
    guard let bytes = run.storedBytes(of: file, context.progress) else { return nil }
    let key = ExtractKey(bytes.sha256, file, context)
    let name = file.file.shownPath
    guard cache.open(key.name, in: cache.folder.extracts, about: name, with: &reader) else {
      return nil
    }
    extract.code(file.kindToKeep, index, with: &reader)
    guard cache.close(&reader, about: name) else {
      extract.removeAll()
      return nil
    }
    if isCut(extract, file) {
      let rows = extract.rows
      let isAllCut = isAllCut(extract, file)
      extract.removeAll()
      guard isAllCut else { return nil }
      extract.rows = rows
      extract.rows.ignore(rows.used, ReportResolution.afterAsOf)
      return bytes
    }
    guard file.kindToKeep != .subscriber || recallCharges(key, about: name, index, &extract) else {
      extract.removeAll()
      return nil
    }
    return bytes
  }

  /// Whether as-of cuts off rows of a file.
  private func isCut(_ extract: FileExtract, _ file: ScoutedFile) -> Bool {
    cutoff(file).map { extract.lastDay > $0 } ?? false
  }

  /// Whether it is sure that as-of cuts off all rows of a file.
  ///
  /// If only some, its entry is of no use: it does not say which row was of which day. Nor is it if rows were rejected,
  /// which may say a day or none, or if rows of other products were ignored that as-of cuts off first.
  private func isAllCut(_ extract: FileExtract, _ file: ScoutedFile) -> Bool {
    guard extract.rows.rejected == 0, file.kind != .sales || file.frequency == .daily else {
      return false
    }
    return cutoff(file).map { extract.firstDay > $0 } ?? false
  }

  private func cutoff(_ file: ScoutedFile) -> Day? {
    file.source.flatMap { context.survey.cutoff[$0] }
  }

  /// Takes the charges of a report, unless they are in the last tally.
  private func recallCharges(
    _ key: ExtractKey, about name: String, _ index: Int, _ extract: inout FileExtract
  ) -> Bool {
    if let terms = run.termsOfChargesLeftOut(key.chargesName) {
      extract.chargeTerms = terms
      run.note(ChargeExtract(index: index, name: key.chargesName, terms: terms, isRead: false))
      return true
    }
    guard cache.open(key.chargesName, in: cache.folder.extracts, about: name, with: &reader) else {
      return false
    }
    columns.removeAll()
    columns.codeCharges(with: &reader)
    columns.codeTerms(with: &reader)
    guard cache.close(&reader, about: name) else { return false }
    columns.forEach(inFile: index, columns.terms) { extract.charges.append($0) }
    extract.chargeTerms = columns.terms
    run.note(ChargeExtract(index: index, name: key.chargesName, terms: columns.terms))
    return true
  }

  /// Keeps what a file says; not a finance file that cannot be trusted, and nothing of a file that has changed since it
  /// was listed: then its rows may not be those of its header.
  func keep(_ extract: inout FileExtract, _ report: FileReport, of file: ScoutedFile, _ index: Int)
  {
    guard file.file.isUnchanged else { return run.forgetHash(of: file.file) }
    let kind = file.kindToKeep
    guard !kind.isFinance || extract.trustedFinance != nil, !isCut(extract, file) else { return }
    let key = ExtractKey(report.sha256, file, context)
    if kind == .subscriber {
      columns.removeAll()
      for record in extract.charges { columns.append(record) }
      writer.begin()
      columns.codeCharges(with: &writer)
      columns.codeTerms(with: &writer)
      cache.keep(writer.bytes, named: key.chargesName, in: cache.folder.extracts)
      run.note(ChargeExtract(index: index, name: key.chargesName, terms: columns.terms))
    }
    writer.begin()
    extract.code(kind, index, with: &writer)
    cache.keep(writer.bytes, named: key.name, in: cache.folder.extracts)
  }

  // MARK: Dumps of receipts

  /// Takes what a dump says.
  ///
  /// An entry holds what all of the dump says, so it is of no use when as-of cuts off some of it.
  func recallDump(_ file: ScoutedFile, _ index: Int) -> (extract: DumpExtract, bytes: StoredBytes)?
  {
    guard let bytes = run.storedBytes(of: file, context.progress) else { return nil }
    let key = ExtractKey(bytes.sha256, file, context)
    let asOf = context.plan.receipts.asOf
    // Where as-of cuts off some of the dump, its entry is not made anew.
    let about = asOf == nil ? file.file.shownPath : nil
    let place = UInt32(index)
    guard cache.open(key.name, in: cache.folder.extracts, about: about, with: &reader) else {
      return nil
    }
    // Nothing can be taken out of the store again, so all of the entry must have made sense before.
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

  func keepDump(_ extract: DumpExtract, _ report: FileReport, of file: ScoutedFile) {
    var extract = extract
    extract.rejects = extract.rejects.map(report.withoutPersonalText)
    let key = ExtractKey(report.sha256, file, context)
    cache.keep(responses.end(&extract), named: key.name, in: cache.folder.extracts)
    // A dump can be large: its room is free again.
    responses = ResponseWriter(context.registries)
  }
}

extension ScoutedFile {
  /// The kind whose rows are kept; none of a file whose rows are only counted.
  fileprivate var kindToKeep: ReportKind { isToBeUsed ? kind : .unknown }
}
