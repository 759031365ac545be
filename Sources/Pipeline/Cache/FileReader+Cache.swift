import AppStoreReports
import Scanning
import SubscriptionModel

extension FileReader {
  /// Takes what a report says from the cache.
  ///
  /// - Returns: Whether it was there; if not, nothing has changed.
  mutating func readFromCache(_ scouted: ScoutedFile, _ index: Int) -> Bool {
    var length = 0
    guard let cache = context.plan.cache,
      let hash = storedHash(of: scouted.file.path, onBytes: { length += $0 })
    else { return false }
    let key = ExtractKey(hash, scouted, context)
    let name = scouted.file.shownPath
    guard let entry = cache.entry(named: key.name, in: cache.folder.extracts, about: name) else {
      return false
    }
    extractReader.open(entry.bytes, entry.extract)
    extract.code(kindToKeep(scouted), file: index, with: &extractReader)
    guard extractReader.close() else {
      extract.removeAll()
      cache.noteFault(.damaged, about: name)
      return false
    }
    context.progress.addBytes(length)
    report.sha256 = hash
    report.rows = extract.rows
    report.rejects = extract.rejects
    report.isUsed = scouted.isToBeUsed
    for charge in extract.charges { add(charge) }
    for last in extract.lastRows { noteNames(scouted.kind, last) }
    return true
  }

  /// Keeps what a report says, now that it is read to its end.
  mutating func keepInCache(_ scouted: ScoutedFile, _ index: Int) {
    guard let cache = context.plan.cache else { return }
    extract.rows = report.rows
    extract.rejects = report.rejects.map(report.withoutPersonalText)
    extract.lastRows = lastRows(scouted.kind)
    var writer = ExtractWriter(context.registries)
    extract.code(kindToKeep(scouted), file: index, with: &writer)
    let key = ExtractKey(report.sha256, scouted, context)
    cache.keep(writer.bytes, named: key.name, in: cache.folder.extracts)
  }

  /// The kind whose rows are kept; none of a file whose rows are only counted.
  private func kindToKeep(_ scouted: ScoutedFile) -> ReportKind {
    scouted.isToBeUsed ? scouted.kind : .unknown
  }

  private mutating func noteNames(_ kind: ReportKind, _ last: NameTracker.LastRow) {
    switch kind {
    case .subscriptionEvent: result.names.events.note(terms: last.terms, row: last.row)
    case .subscription: result.names.snapshots.note(terms: last.terms, row: last.row)
    case .sales: result.names.sales.note(terms: last.terms, row: last.row)
    default: break
    }
  }

  private func lastRows(_ kind: ReportKind) -> [NameTracker.LastRow] {
    switch kind {
    case .subscriptionEvent: result.names.events.lastRows
    case .subscription: result.names.snapshots.lastRows
    case .sales: result.names.sales.lastRows
    default: []
    }
  }
}
