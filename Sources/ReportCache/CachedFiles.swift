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

  func recall(
    _ file: ScoutedFile, _ index: Int, _ extract: inout FileExtract, _ charges: inout ChargeStore
  ) -> StoredBytes? {
    guard let bytes = run.storedBytes(of: file, context.progress) else { return nil }
    let name = file.file.shownPath
    let whole = ExtractKey(bytes.sha256, file, context)
    let cutoff = cutoff(file)
    // Where as-of cuts off some rows, the entry of all rows is not made anew.
    if recall(whole, about: cutoff == nil ? name : nil, file, index, cutoff, &extract, &charges) {
      return bytes
    }
    guard let cutoff else { return nil }
    let cut = ExtractKey(bytes.sha256, file, context, until: cutoff)
    return recall(cut, about: name, file, index, nil, &extract, &charges) ? bytes : nil
  }

  /// Takes what an entry says of a report or finance file.
  ///
  /// - Returns: Whether it is there and of use; if not, nothing has changed.
  private func recall(
    _ key: ExtractKey, about name: String?, _ file: ScoutedFile, _ index: Int, _ cutoff: Day?,
    _ extract: inout FileExtract, _ charges: inout ChargeStore
  ) -> Bool {
    guard cache.open(key.name, in: cache.folder.extracts, about: name, with: &reader) else {
      return false
    }
    extract.code(file.kindToKeep, index, with: &reader)
    var isOfUse = cache.close(&reader, about: name)
    if isOfUse, let cutoff, extract.lastDay > cutoff {
      isOfUse = leaveAside(&extract, file, after: cutoff)
    } else if isOfUse, file.kindToKeep == .subscriber {
      isOfUse = recallCharges(key, about: name, index, &extract, &charges)
    }
    if !isOfUse { extract.removeAll() }
    return isOfUse
  }

  /// Leaves all rows of a file aside, as as-of cuts them off.
  ///
  /// - Returns: Whether that is right. If as-of cuts off only some, the entry does not say which. Nor does it if rows were
  ///   rejected, which may say a day or none, or if rows of other products were ignored that as-of cuts off first.
  private func leaveAside(
    _ extract: inout FileExtract, _ file: ScoutedFile, after cutoff: Day
  ) -> Bool {
    guard extract.firstDay > cutoff, extract.rows.rejected == 0,
      file.kind != .sales || file.frequency == .daily
    else { return false }
    var rows = extract.rows
    rows.ignore(rows.used, ReportResolution.afterAsOf)
    extract.removeAll()
    extract.rows = rows
    return true
  }

  /// The day after which rows of a file are cut off; `nil` when none are.
  private func cutoff(_ file: ScoutedFile) -> Day? {
    file.source.flatMap { context.survey.cutoff[$0] }
  }

  /// Takes the charges of a report, unless they are in the last tally.
  private func recallCharges(
    _ key: ExtractKey, about name: String?, _ index: Int, _ extract: inout FileExtract,
    _ charges: inout ChargeStore
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
    columns.forEach(inFile: index, columns.terms) { charges.append($0) }
    extract.chargeTerms = columns.terms
    run.note(ChargeExtract(index: index, name: key.chargesName, terms: columns.terms))
    return true
  }

  func beginReport() { columns.removeAll() }

  func keep(_ charge: ChargeRecord) { columns.append(charge) }

  /// Keeps what a file says; not a finance file that cannot be trusted, and nothing of a file that has changed since it
  /// was listed: then its rows may not be those of its header.
  func keep(_ extract: inout FileExtract, _ report: FileReport, of file: ScoutedFile, _ index: Int)
  {
    guard file.file.isUnchanged else { return run.forgetHash(of: file.file) }
    let kind = file.kindToKeep
    guard !kind.isFinance || extract.trustedFinance != nil else { return }
    let cutoff = cutoff(file).flatMap { extract.lastDay > $0 ? $0 : nil }
    let key = ExtractKey(report.sha256, file, context, until: cutoff)
    if kind == .subscriber {
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
  }

  func endDump() { responses = ResponseWriter(context.registries) }
}

extension ScoutedFile {
  /// The kind whose rows are kept; none of a file whose rows are only counted.
  fileprivate var kindToKeep: ReportKind { isToBeUsed ? kind : .unknown }
}
