package import AppStoreReports
import Files
package import Pipeline
import Scanning
package import SubscriptionModel

/// Where the entries of files are kept: the folder of a cache, or frames of steps.
package protocol EntryStore {
  /// Begins to read an entry, if there is one that can be trusted: the reader is then at the start of its content.
  ///
  /// `about` is its file, for notes; `nil` for no note, where it is not rebuilt now.
  func open(_ name: String, about: String?, with reader: inout ExtractReader) -> Bool

  /// Adds a note that the entry of a file is rebuilt, because it is damaged.
  func noteDamage(about: String)

  func keep(_ content: [UInt8], named name: String)
}

/// Reads and writes the entries of files, one file after another, on one thread.
package struct FileEntries: ~Copyable {
  private let store: any EntryStore
  private let context: ReadContext
  private var reader: ExtractReader
  private var writer: ExtractWriter
  /// The charges of the current report, as its entry stores them.
  private var columns = ChargeColumns()
  /// The responses of the current dump, as its entry stores them.
  private var responses: ResponseWriter

  package init(_ store: any EntryStore, _ context: ReadContext) {
    self.store = store
    self.context = context
    reader = ExtractReader(context.registries)
    writer = ExtractWriter(context.registries)
    responses = ResponseWriter(context.registries)
  }

  // MARK: Reports and finance files

  /// A report or finance file that was read from its entry.
  package struct Recalled {
    /// The entry of a SUBSCRIBER report's charges; `nil` for any other file, and where as-of cuts off all of them.
    var charges: ChargesEntry?

    /// Whether ``FileEntries/forEachCharge(inFile:_:)`` has the file's charges.
    package var hasCharges: Bool { charges?.isRead == true }
  }

  /// Reads the extract of a report or finance file from its entry into an empty one.
  ///
  /// `index` is its place in the run. `skipped` returns the terms of charges that need not be read, given the name of
  /// their entry. `nil`, with nothing changed, if there is no entry of use.
  package mutating func recall(
    _ file: RecognizedFile, _ index: Int, _ sha256: String, _ extract: inout FileExtract,
    skipping skipped: (String) -> [UInt32]? = { _ in nil }
  ) -> Recalled? {
    let name = file.file.shownPath
    let whole = ExtractKey(sha256, file, context)
    let cutoff = cutoff(file)
    // Where as-of cuts off rows, the entry of all rows is not rebuilt, so no note is made.
    if let recalled = recall(
      whole, about: cutoff == nil ? name : nil, file, index, cutoff, &extract, skipped)
    {
      return recalled
    }
    guard let cutoff else { return nil }
    let cut = ExtractKey(sha256, file, context, until: cutoff)
    return recall(cut, about: name, file, index, nil, &extract, skipped)
  }

  private mutating func recall(
    _ key: ExtractKey, about name: String?, _ file: RecognizedFile, _ index: Int, _ cutoff: Day?,
    _ extract: inout FileExtract, _ skipped: (String) -> [UInt32]?
  ) -> Recalled? {
    guard store.open(key.name, about: name, with: &reader) else { return nil }
    extract.code(file.kindToKeep, index, with: &reader)
    var recalled = close(about: name) ? Recalled() : nil
    if recalled != nil, let cutoff, extract.lastDay > cutoff {
      if !ignoreAllRows(&extract, file, after: cutoff) { recalled = nil }
    } else if recalled != nil, file.kindToKeep == .subscriber {
      recalled = recallCharges(key, about: name, index, &extract, skipped)
    }
    if recalled == nil { extract.removeAll() }
    return recalled
  }

  /// Ends reading an entry; returns whether it was valid and read to its end.
  private mutating func close(about: String?) -> Bool {
    if reader.close() { return true }
    if let about { store.noteDamage(about: about) }
    return false
  }

  /// Counts all rows of a file as later than as-of; returns `false` if the entry cannot tell.
  ///
  /// Some rows may be on or before as-of, or rejected, so that their day is unknown; or a SALES report is not daily:
  /// there as-of comes before the filter by product.
  private func ignoreAllRows(
    _ extract: inout FileExtract, _ file: RecognizedFile, after cutoff: Day
  ) -> Bool {
    guard extract.firstDay > cutoff, extract.rows.rejected == 0,
      file.kind != .sales || file.frequency == .daily
    else { return false }
    let whole = extract
    extract.removeAll()
    extract.takeStart(of: whole)
    extract.rows.ignore(extract.rows.used, .afterAsOf)
    return true
  }

  /// Returns the day after which a file's rows are cut off; `nil` for no limit.
  private func cutoff(_ file: RecognizedFile) -> Day? {
    file.source.flatMap { context.survey.cutoff[$0] }
  }

  /// Reads the charges of a report, unless they are skipped.
  private mutating func recallCharges(
    _ key: ExtractKey, about name: String?, _ index: Int, _ extract: inout FileExtract,
    _ skipped: (String) -> [UInt32]?
  ) -> Recalled? {
    if let terms = skipped(key.chargesName) {
      extract.chargeTerms = terms
      return Recalled(
        charges: ChargesEntry(index: index, name: key.chargesName, terms: terms, isRead: false))
    }
    guard store.open(key.chargesName, about: name, with: &reader) else { return nil }
    columns.removeAll()
    columns.read(with: &reader)
    guard close(about: name) else { return nil }
    extract.chargeTerms = columns.terms
    return Recalled(
      charges: ChargesEntry(index: index, name: key.chargesName, terms: columns.terms))
  }

  /// Calls a closure with each charge of the report that was read last, given its place in the run.
  @inline(__always)
  package func forEachCharge(inFile index: Int, _ body: (ChargeRecord) -> Void) {
    columns.forEach(inFile: index, columns.terms, body)
  }

  package mutating func beginReport() { columns.removeAll() }

  package mutating func keep(_ charge: ChargeRecord) { columns.append(charge) }

  /// Writes the extract of a file, and a SUBSCRIBER report's charges, whose entry is returned.
  ///
  /// Nothing is written for a finance file that cannot be trusted.
  @discardableResult
  package mutating func keep(
    _ extract: inout FileExtract, _ report: FileReport, of file: RecognizedFile, _ index: Int
  ) -> ChargesEntry? {
    let kind = file.kindToKeep
    guard !kind.isFinance || extract.trustedFinance != nil else { return nil }
    let cutoff = cutoff(file).flatMap { extract.lastDay > $0 ? $0 : nil }
    let key = ExtractKey(report.sha256, file, context, until: cutoff)
    var charges: ChargesEntry?
    if kind == .subscriber {
      writer.begin()
      columns.write(with: &writer)
      store.keep(writer.bytes, named: key.chargesName)
      charges = ChargesEntry(index: index, name: key.chargesName, terms: columns.terms)
    }
    writer.begin()
    extract.code(kind, index, with: &writer)
    store.keep(writer.bytes, named: key.name)
    return charges
  }

  // MARK: Dumps of receipts

  /// Reads the extract of a dump, given its place in the run, from its entry, which holds the whole dump.
  ///
  /// `add` receives the content of each response. `nil`, and no response, if there is no entry of use.
  package mutating func recallDump(
    _ file: RecognizedFile, _ index: Int, _ sha256: String,
    add: ([TransactionCopy], [RenewalCopy]) -> Void
  ) -> DumpExtract? {
    let key = ExtractKey(sha256, file, context)
    let asOf = context.plan.receipts.asOf
    // Where as-of cuts off some of the dump, its entry is not rebuilt, so no note is made.
    let about = asOf == nil ? file.file.shownPath : nil
    let place = UInt32(index)
    guard store.open(key.name, about: about, with: &reader) else { return nil }
    // Responses cannot be removed from the store again, so the whole entry is validated first.
    var responses = ResponseReader(file: place)
    while responses.readNext(with: &reader) {}
    var extract = DumpExtract()
    extract.code(file: place, with: &reader)
    guard close(about: about) else { return nil }
    if let newest = extract.newest, let asOf, newest > asOf { return nil }
    reader.rewind()
    responses = ResponseReader(file: place)
    while responses.readNext(with: &reader) { add(responses.transactions, responses.renewals) }
    return extract
  }

  package mutating func beginDump() { responses = ResponseWriter(context.registries) }

  package mutating func keepResponse(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy]) {
    responses.write(transactions, renewals)
  }

  package mutating func keepDump(
    _ extract: DumpExtract, _ report: FileReport, of file: RecognizedFile
  ) {
    // An entry holds the whole dump: a later run may need the responses after as-of.
    guard !extract.hasLaterResponses else { return }
    var extract = extract
    extract.rejects = extract.rejects.map(report.withoutPersonalText)
    let key = ExtractKey(report.sha256, file, context)
    store.keep(responses.end(&extract), named: key.name)
  }

  package mutating func endDump() { responses = ResponseWriter(context.registries) }
}

extension RecognizedFile {
  /// The kind that decides which rows are kept; `unknown` for a file whose rows are only counted.
  package var kindToKeep: ReportKind { isToBeUsed ? kind : .unknown }
}
