import AppStoreReports
import Scanning
import SubscriptionModel

extension DumpReader {
  /// Takes what a dump says from the cache, and gives what its responses hold to the run's store.
  ///
  /// An entry holds what all of the dump says, so it is of no use when as-of cuts off some of it.
  ///
  /// - Returns: The rest of what it says; `nil` when it must be read: then nothing has changed.
  mutating func readFromCache(
    _ scouted: ScoutedFile, _ index: Int, _ hash: (sha256: String, length: Int),
    _ report: inout FileReport
  ) -> DumpExtract? {
    guard let cache = context.plan.cache else { return nil }
    let key = ExtractKey(hash.sha256, scouted, context)
    // Where as-of cuts off some of the dump, its entry is not made anew.
    let about = context.plan.receipts.asOf == nil ? scouted.file.shownPath : nil
    let file = UInt32(index)
    guard cache.open(key.name, in: cache.folder.extracts, about: about, with: &extractReader)
    else { return nil }
    // Nothing can be taken out of the store again, so all of the entry must have made sense before.
    var responses = ResponseReader(file: file)
    while responses.readNext(with: &extractReader) {}
    var extract = DumpExtract()
    extract.code(file: file, with: &extractReader)
    guard extractReader.isReadToEnd else {
      if let about { cache.noteFault(.damaged, about: about) }
      return nil
    }
    if let newest = extract.newest, let asOf = context.plan.receipts.asOf, newest > asOf {
      return nil
    }
    extractReader.rewind()
    responses = ResponseReader(file: file)
    while responses.readNext(with: &extractReader) {
      context.receipts.add(responses.transactions, responses.renewals)
    }
    context.progress.addBytes(hash.length)
    report.sha256 = hash.sha256
    return extract
  }

  /// Keeps what a dump says, now that it is read to its end, unless as-of has cut off some of it.
  func keepInCache(
    _ found: inout DumpCounts, _ scouted: ScoutedFile, _ report: FileReport
  ) {
    guard let cache = context.plan.cache, !found.sawLaterRecords else { return }
    var extract = found.extract
    extract.rejects = extract.rejects.map(report.withoutPersonalText)
    guard let bytes = found.responses?.end(&extract) else { return }
    let key = ExtractKey(report.sha256, scouted, context)
    cache.keep(bytes, named: key.name, in: cache.folder.extracts)
  }
}
