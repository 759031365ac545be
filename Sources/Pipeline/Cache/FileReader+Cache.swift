import AppStoreReports
import Scanning
import SubscriptionModel

extension FileReader {
  /// Takes what a report says from the cache.
  ///
  /// - Returns: Whether it was there; if not, nothing has changed.
  mutating func readFromCache(_ scouted: ScoutedFile, _ index: Int) -> Bool {
    guard let cache = context.plan.cache, let (hash, length) = hash(of: scouted) else {
      return false
    }
    let key = ExtractKey(hash, scouted, context)
    let kind = kindToKeep(scouted)
    let name = scouted.file.shownPath
    guard cache.open(key.name, in: cache.folder.extracts, about: name, with: &extractReader) else {
      return false
    }
    extract.code(kind, index, with: &extractReader)
    guard cache.close(&extractReader, about: name),
      kind != .subscriber || readCharges(key, about: name, index)
    else {
      extract.removeAll()
      return false
    }
    context.progress.addBytes(length)
    report.sha256 = hash
    report.rows = extract.rows
    report.rejects = extract.rejects
    report.isUsed = scouted.isToBeUsed
    for last in extract.lastRows { noteNames(scouted.kind, last) }
    return true
  }

  /// Returns a file's SHA-256 and length; `nil` when it cannot be read.
  mutating func hash(of scouted: ScoutedFile) -> (sha256: String, length: Int)? {
    let length = scouted.file.byteCount
    if let known = context.knownFiles[scouted.file] {
      result.knownFiles.append(known)
      return (known.sha256, length)
    }
    guard let hash = storedHash(of: scouted.file.path) else { return nil }
    context.progress.reach(.hashed, scouted.file.path)
    if let file = context.knownFiles.file(scouted, hash) { result.knownFiles.append(file) }
    return (hash, length)
  }

  /// Leaves it to the next run to hash a file again that was just hashed.
  private mutating func forgetHash(of scouted: ScoutedFile) {
    if result.knownFiles.last?.path == scouted.file.path { result.knownFiles.removeLast() }
  }

  /// Adds the charges of a report; those that are in the last tally are left out.
  private mutating func readCharges(_ key: ExtractKey, about name: String, _ index: Int) -> Bool {
    if let known = context.lastTally?.record.extract(named: key.chargesName) {
      result.chargeExtracts.append(
        ChargeExtract(index: index, name: known.name, terms: known.terms, isRead: false))
      return true
    }
    let folder = context.plan.cache?.folder.extracts ?? ""
    guard let cache = context.plan.cache,
      cache.open(key.chargesName, in: folder, about: name, with: &extractReader)
    else { return false }
    extract.charges.codeCharges(with: &extractReader)
    extract.charges.codeTerms(with: &extractReader)
    guard cache.close(&extractReader, about: name) else { return false }
    extract.charges.forEach(inFile: index, extract.charges.terms) {
      result.charges.append($0)
    }
    noteChargeExtract(key, index)
    return true
  }

  /// Keeps what a report says, now that it is read to its end; not a finance file that cannot be trusted, and
  /// nothing of a file that has changed since it was listed: then its rows may not be those of its header.
  mutating func keepInCache(_ scouted: ScoutedFile, _ index: Int) {
    let kind = kindToKeep(scouted)
    guard let cache = context.plan.cache else { return }
    guard scouted.file.isUnchanged else { return forgetHash(of: scouted) }
    guard !kind.isFinance || extract.trustedFinance != nil else { return }
    extract.rows = report.rows
    extract.rejects = report.rejects.map(report.withoutPersonalText)
    extract.lastRows = lastRows(scouted.kind)
    let key = ExtractKey(report.sha256, scouted, context)
    if kind == .subscriber {
      extractWriter.begin()
      extract.charges.codeCharges(with: &extractWriter)
      extract.charges.codeTerms(with: &extractWriter)
      cache.keep(extractWriter.bytes, named: key.chargesName, in: cache.folder.extracts)
      noteChargeExtract(key, index)
    }
    extractWriter.begin()
    extract.code(kind, index, with: &extractWriter)
    cache.keep(extractWriter.bytes, named: key.name, in: cache.folder.extracts)
  }

  private mutating func noteChargeExtract(_ key: ExtractKey, _ index: Int) {
    result.chargeExtracts.append(
      ChargeExtract(index: index, name: key.chargesName, terms: extract.charges.terms))
  }

  /// The kind whose rows are kept; none of a file whose rows are only counted.
  private func kindToKeep(_ scouted: ScoutedFile) -> ReportKind {
    scouted.isToBeUsed ? scouted.kind : .unknown
  }

  private mutating func noteNames(_ kind: ReportKind, _ last: NameTracker.LastRow) {
    switch kind {
    case .subscriptionEvent: result.names.events.note(terms: last.terms, row: last.row)
    // The names of charges are kept as those of snapshots: without what else their terms say.
    case .subscriber, .subscription:
      result.names.snapshots.note(terms: last.terms, row: last.row)
    case .sales: result.names.sales.note(terms: last.terms, row: last.row)
    default: break
    }
  }

  private func lastRows(_ kind: ReportKind) -> [NameTracker.LastRow] {
    switch kind {
    case .subscriber: lastRowsOfNames
    case .subscriptionEvent: result.names.events.lastRows
    case .subscription: result.names.snapshots.lastRows
    case .sales: result.names.sales.lastRows
    default: []
    }
  }

  /// The last row of each of the names that charges of the present file give to products and apps.
  private var lastRowsOfNames: [NameTracker.LastRow] {
    let terms = context.registries.chargeTerms
    var last: [Attributes: UInt32] = [:]
    for row in result.names.charges.lastRows {
      last[terms[Int(row.terms)].attributes.names, default: 0].formMaximum(row.row)
    }
    return last.sorted { $0.value < $1.value }.map { names, row in
      NameTracker.LastRow(terms: context.registries.number(of: names), row: row)
    }
  }
}

/// The charges of a report that counts, as the cache keeps them.
struct ChargeExtract: Sendable {
  /// The file's place in the order of all files of the run.
  var index: Int
  /// The name of the entry.
  var name: String
  /// The run's number of each of the file's terms.
  var terms: [UInt32]
  /// Whether the charges were read; they are left out when the last tally has them.
  var isRead = true
}

extension Attributes {
  /// What they say about names alone.
  fileprivate var names: Attributes {
    var names = Attributes()
    names.app = app
    names.appName = appName
    names.product = product
    names.productName = productName
    return names
  }
}

extension UInt32 {
  fileprivate mutating func formMaximum(_ other: UInt32) { self = Swift.max(self, other) }
}
