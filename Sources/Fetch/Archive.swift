import AppStoreReports
package import Files
import Scanning
import Storage
package import SubscriptionModel

/// The folder of an account's reports: FETCH.md, *The archive*.
///
/// A file appears whole or not at all: it is written to `tmp/`, synced and renamed; then the folders are synced, and
/// up to 64 files enter the index in one transaction. A crash leaves at most files without a row, which the next run
/// adopts.
package final class Archive {
  package let root: String
  package let index: FetchIndex
  private let hidden: String
  private let cleanup: OutputCleanup
  private var isLocked = false
  private var staged: [Staged] = []
  private var firstStaged: Int64 = 0
  private var nextTemporary = 0
  /// How many files this run has put in place.
  package private(set) var storedCount = 0

  private struct Staged {
    var key: FetchKey
    var temporary: String
    var record: FetchRecord
    var stamp: String
    /// Makes the file permanent while others come: the disk then writes its journal once for many.
    var sync: Deferred<OutputError?>
  }

  private static let batch = 64
  private static let batchTime: Int64 = 1_000
  /// The kinds of the files, by their folders.
  private static let kinds = FetchKind.allCases.filter { $0 != .financeDetail }

  /// Opens or creates an archive, takes its lock, and repairs what an earlier run left.
  ///
  /// `now` is in milliseconds since 1970; `rebuilds` makes the index again from the files; `cleanup` releases the
  /// lock when the run is stopped. The exit code is 5 when another run has the lock.
  package init(
    _ root: String, now: Int64, rebuilds: Bool = false, cleanup: OutputCleanup = .shared
  ) throws(FetchError) {
    self.root = root
    self.cleanup = cleanup
    let hidden = root + "/" + FetchedArchive.hiddenName
    self.hidden = hidden
    let mark = OutputFileSystem.contents(of: hidden + "/archive") ?? []
    if mark.starts(with: "subreport archive ".utf8), !FetchedArchive.isMarked(root) {
      throw FetchError("\(root): made by a newer subreport", .unusableInput)
    }
    do throws(OutputError) {
      try OutputFileSystem.makeFolders(hidden, mode: 0o700)
      _ = try cleanup.takeLock(hidden + "/lock", for: root)
      isLocked = true
      if !FetchedArchive.isMarked(root) {
        OutputFileSystem.removeTree(hidden + "/archive")
        try OutputFileSystem.writeNewFile(
          hidden + "/archive", parts: [Array(FetchedArchive.mark.utf8)], mode: 0o600)
      }
      OutputFileSystem.removeTree(hidden + "/tmp")
      try OutputFileSystem.makeFolder(hidden + "/tmp", mode: 0o700)
      if rebuilds { OutputFileSystem.removeTree(hidden + "/index.sqlite") }
    } catch {
      if isLocked { cleanup.release(temporary: "", lock: hidden + "/lock") }
      throw FetchError(error)
    }
    do throws(FetchError) {
      index = try FetchIndex(hidden + "/index.sqlite")
    } catch {
      cleanup.release(temporary: "", lock: hidden + "/lock")
      throw error
    }
    try adopt(now, rebuilds: rebuilds)
  }

  deinit { close() }

  /// Releases the lock.
  package func close() {
    if isLocked { cleanup.release(temporary: "", lock: hidden + "/lock") }
    isLocked = false
  }

  // MARK: Names

  /// Returns a path for the body of an answer.
  package func temporaryPath() -> String {
    nextTemporary += 1
    return "\(hidden)/tmp/\(nextTemporary)"
  }

  /// Returns the path of a report's file below the archive: Apple's name, if it can be used, else ours with the
  /// version.
  static func path(_ key: FetchKey, given: String?, version: String) -> String {
    let year =
      switch key.slot {
      case .day(let day): day.month.year
      case .period(let period): period.fiscalYear
      }
    let app = key.kind.service == .server ? "/\(key.vendor)" : ""
    return "\(key.kind.folder)\(app)/\(year)/\(given ?? name(key, version))"
  }

  private static func name(_ key: FetchKey, _ version: String) -> String {
    let date = key.slot.description.replacing("-", with: "")
    let start = "\(key.vendor)_\(date)"
    let end = version.isEmpty ? ".txt.gz" : "_V\(version).txt.gz"
    return switch key.kind {
    case .sales: "S_D_\(start).txt.gz"
    case .subscription: "Subscription_\(start)\(end)"
    case .subscriptionEvent: "Subscription_Event_\(start)\(end)"
    case .subscriber: "Subscriber_\(start)\(end)"
    case .winBack: "Winback_Eligibility_Report_\(start)\(end)"
    case .offerRedemption: "Subscription_Offer_Redemption_\(start)\(end)"
    case .financial, .financeDetail:
      "\(key.vendor)_\(key.slot.description.dropFirst(2).replacing("P", with: ""))_\(key.kind.reportType.subType).txt.gz"
    case .notifications, .history: "\(key.kind.rawValue)_\(start).jsonl.gz"
    }
  }

  /// Returns Apple's name of a file if it is safe, and names the vendor and the day; `nil` otherwise.
  static func usable(_ name: String?, _ key: FetchKey) -> String? {
    guard let name, (1...120).contains(name.utf8.count),
      name.utf8.allSatisfy({ isAllowed($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }),
      name.utf8.first.map({ isAllowed($0) && $0 != UInt8(ascii: "_") }) == true,
      name.hasSuffix(".gz")
    else { return nil }
    let parts = ReportName(name)
    guard parts.vendor?.utf8.elementsEqual(key.vendor.utf8) == true else { return nil }
    switch key.slot {
    case .day(let day): return parts.date == day ? name : nil
    case .period(let period):
      let region = key.kind.reportType.subType
      return parts.settledMonth == period.nameMonth && parts.region == region ? name : nil
    }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Returns the report that a file of the archive should be; `nil` if its name does not tell.
  private static func key(_ folder: FetchKind, _ app: String?, _ name: String) -> FetchKey? {
    let parts = ReportName(name)
    if let app {
      let digits = name.utf8.suffix(17).prefix(8)
      let date = String(decoding: digits, as: UTF8.self)
      return Day("\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))").map {
        FetchKey(folder, app, .day($0))
      }
    }
    guard folder == .financial else {
      guard let vendor = parts.vendor, let day = parts.date else { return nil }
      return FetchKey(folder, vendor, .day(day))
    }
    let words = name.utf8.prefix { $0 != UInt8(ascii: ".") }.split(separator: UInt8(ascii: "_"))
      .map { String(Substring($0)) }
    guard words.count == 3,
      let kind = [FetchKind.financial, .financeDetail].first(where: {
        $0.reportType.subType == words[2]
      })
    else { return nil }
    let period = FiscalPeriod("FY\(words[1].prefix(4))-P\(words[1].suffix(2))")
    return (words[1].utf8.count == 7 ? period : parts.settledMonth.map(FiscalPeriod.init(named:)))
      .map { FetchKey(kind, words[0], .period($0)) }
  }

  // MARK: Storing

  /// Takes a file in `tmp/` as the newest answer for a report; ``flush()`` puts it in place.
  ///
  /// The record is its row for the index, with the path.
  func store(
    _ temporary: String, _ key: FetchKey, _ record: FetchRecord, now: Int64
  ) throws(FetchError) {
    if staged.isEmpty { firstStaged = now }
    let sync = Deferred<OutputError?>(jobs: 2) {
      do throws(OutputError) { try OutputFileSystem.syncFile(temporary) } catch { return error }
      return nil
    }
    staged.append(
      Staged(key: key, temporary: temporary, record: record, stamp: Self.stamp(now), sync: sync))
    if staged.count >= Self.batch || now - firstStaged >= Self.batchTime { try flush() }
  }

  /// Puts a file of `tmp/` in place that the index has no row for.
  func place(_ temporary: String, at path: String) throws(FetchError) {
    do throws(OutputError) {
      try OutputFileSystem.syncFile(temporary)
      let folder = try makeFolder(of: root + "/" + path)
      try OutputFileSystem.move(temporary, to: root + "/" + path)
      try OutputFileSystem.syncFolder(folder)
      storedCount += 1
    } catch {
      throw FetchError(error)
    }
  }

  /// Removes a file in `tmp/`.
  package func drop(_ temporary: String) { OutputFileSystem.removeTree(temporary) }

  /// Puts the files in place, then writes the index.
  package func flush() throws(FetchError) {
    let items = staged
    // What a failure leaves is adopted by the next run.
    staged = []
    do throws(OutputError) {
      for item in items { if let error = item.sync.value() { throw error } }
      var folders: Set<ExactText> = []
      for item in items {
        let target = root + "/" + item.record.file
        let folder = try makeFolder(of: target)
        folders.insert(ExactText(folder))
        if let old = index[item.key]?.file, !old.isEmpty {
          try replace(old, item, &folders)
        }
        try OutputFileSystem.move(item.temporary, to: target)
        storedCount += 1
        if let old = index[item.key]?.file, !old.isEmpty, !old.isSame(as: item.record.file) {
          OutputFileSystem.removeTree(root + "/" + old)
        }
        index[item.key] = item.record
      }
      for folder in folders { try OutputFileSystem.syncFolder(folder.text) }
    } catch {
      throw FetchError(error)
    }
    try index.commit()
  }

  private func makeFolder(of path: String) throws(OutputError) -> String {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    let folder = String(path[..<end])
    if FileStatus(of: folder) == nil {
      try OutputFileSystem.makeFolders(folder, mode: 0o700)
      let above = folder.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(folder[..<$0]) }
      if let above { try OutputFileSystem.syncFolder(above) }
    }
    return folder
  }

  /// Gives the earlier answer of a report a name in `replaced/`.
  private func replace(
    _ old: String, _ item: Staged, _ folders: inout Set<ExactText>
  ) throws(OutputError) {
    guard FileStatus(of: root + "/" + old) != nil else { return }
    let ends = [".txt.gz", ".jsonl.gz", ".gz"]
    let end = ends.first { old.hasSuffix($0) } ?? ""
    let name = "\(old.dropLast(end.count)).\(item.stamp)\(end)"
    let target = "\(hidden)/replaced/\(name)"
    folders.insert(ExactText(try makeFolder(of: target)))
    if FileStatus(of: target) == nil {
      try OutputFileSystem.linkOrCopy(root + "/" + old, to: target)
    }
    index.noteReplaced(name, by: item.record.file)
  }

  /// Returns a time as `20260622T173000Z`.
  package static func stamp(_ milliseconds: Int64) -> String {
    let text = Instant(seconds: UInt32(clamping: milliseconds / 1_000)).description
    return text.replacing("-", with: "").replacing(":", with: "")
  }

  // MARK: Repairing

  /// Adopts files without a row, and forgets rows without their file.
  private func adopt(_ now: Int64, rebuilds: Bool) throws(FetchError) {
    let known = Dictionary(
      index.records.lazy.filter { !$0.value.file.isEmpty }.map {
        (ExactText($0.value.file), $0.key)
      }
    ) { $1 }
    let isNew = index.records.isEmpty
    var found: Set<ExactText> = []
    for kind in Self.kinds {
      for (folder, app) in Self.folders(root, kind) {
        for name in (try? OutputFileSystem.names(in: root + "/" + folder)) ?? [] {
          let path = folder + "/" + name
          found.insert(ExactText(path))
          guard known[ExactText(path)] == nil, let key = Self.key(kind, app, name) else { continue }
          adopt(path, key, now, byTime: rebuilds)
        }
      }
    }
    for (file, key) in known where !found.contains(file) { index[key] = nil }
    finishReplacements(ofNewIndex: isNew)
    try index.commit()
  }

  /// Returns the folders with files of a kind, below the archive, with the app of the Server API.
  private static func folders(_ root: String, _ kind: FetchKind) -> [(String, app: String?)] {
    func below(_ folder: String) -> [String] {
      ((try? OutputFileSystem.names(in: root + "/" + folder)) ?? []).map { folder + "/" + $0 }
    }
    guard kind.service == .server else { return below(kind.folder).map { ($0, nil) } }
    return below(kind.folder).flatMap { app in
      let name = String(app.dropFirst(kind.folder.count + 1))
      return below(app).map { ($0, name) }
    }
  }

  private func adopt(_ path: String, _ key: FetchKey, _ now: Int64, byTime: Bool) {
    let whole = root + "/" + path
    var record = FetchRecord(.present)
    if key.kind.service != .server {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      guard let check = try? ReportCheck(whole, key, name: name) else { return }
      record.fingerprint = check.fingerprint
      record.version = ReportName(name).version ?? ""
    } else {
      record.fingerprint.size = FileStatus(of: whole)?.size ?? 0
    }
    let time = byTime ? (FileStatus(of: whole)?.modified ?? 0) / 1_000_000 : now
    let today = Instant(seconds: UInt32(clamping: time / 1_000)).pacificClock.day
    record.asked = byTime ? time : now
    record.answeredAge = max(0, today - key.slot.lastDay)
    record.file = path
    if let old = index[key], !old.file.isEmpty {
      // A run was stopped between the new file, which has another name, and the removal of the old one.
      record.restated = old.restated + 1
      OutputFileSystem.removeTree(root + "/" + old.file)
    }
    index[key] = record
  }

  /// Notes earlier answers in `replaced/` without a row: of a run that was stopped, or all where the index is new.
  private func finishReplacements(ofNewIndex isNew: Bool) {
    for kind in Self.kinds {
      let base = "\(hidden)/replaced"
      for (folder, app) in Self.folders(base, kind) {
        let names = (try? OutputFileSystem.names(in: base + "/" + folder)) ?? []
        for name in names where !index.replaced.contains(ExactText(folder + "/" + name)) {
          let parts = name.split(separator: ".", omittingEmptySubsequences: false)
          let isStamp = { (part: Substring) in part.hasSuffix("Z") && part.utf8.count == 16 }
          guard let place = parts.lastIndex(where: isStamp) else { continue }
          let original = (parts[..<place] + parts[(place + 1)...]).joined(separator: ".")
          guard let key = Self.key(kind, app, original) else { continue }
          finishReplacement("\(folder)/\(name)", key, ofNewIndex: isNew)
        }
      }
    }
  }

  private func finishReplacement(_ path: String, _ key: FetchKey, ofNewIndex isNew: Bool) {
    guard var record = index[key], !record.file.isEmpty else { return }
    let (old, new) = ("\(hidden)/replaced/\(path)", "\(root)/\(record.file)")
    if FileStatus(of: old)?.inode == FileStatus(of: new)?.inode {
      // The new file never came: it is requested again.
      return OutputFileSystem.removeTree(old)
    }
    if key.kind.service != .server, let check = try? ReportCheck(new, key, name: ""),
      let earlier = try? ReportCheck(old, key, name: "")
    {
      if !isNew, earlier.fingerprint.bytes == check.fingerprint.bytes {
        return OutputFileSystem.removeTree(old)
      }
      if isNew || check.fingerprint.bytes != record.fingerprint.bytes {
        if earlier.fingerprint.lines != check.fingerprint.lines { record.restated += 1 }
        record.fingerprint = check.fingerprint
        index[key] = record
      }
    }
    index.noteReplaced(path, by: record.file)
  }

  // MARK: Days

  /// Returns a text with quotes as a cell of CSV.
  private static func cell(_ text: String) -> String {
    "\"\(text.replacing("\"", with: "\"\""))\""
  }

  /// Writes `days.csv`: the state of every day of the daily kinds, for `report` and `check`.
  ///
  /// `newest` is the newest day that is due; `isLeftOut` returns whether a kind of a vendor has no data at all.
  package func writeDays(
    newest: Day, isLeftOut: (FetchKind, String) -> Bool
  ) throws(FetchError) {
    var lines = ["kind,vendor,day,state,file,restated,until,words"]
    let daily = index.records.filter { $0.key.kind.service == .sales }
    let groups = Dictionary(grouping: daily.keys) { [$0.kind.rawValue, $0.vendor] }
    for (name, keys) in groups.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      guard let kind = FetchKind(rawValue: name[0]), !isLeftOut(kind, name[1]) else { continue }
      let days = keys.map(\.slot.lastDay)
      guard let first = days.min(), let last = days.max() else { continue }
      for number in first.number...max(last, newest).number {
        let day = Day(number: number)
        let record = index[FetchKey(kind, name[1], .day(day))]
        let state = record?.state ?? .missing
        let until: Day? =
          switch state {
          // A late one may still come, as a missing one.
          case .pending where Schedule.until(.day(day)) > newest: Schedule.until(.day(day))
          case .pending: day + Schedule.lastAge
          case .missing, .refused: day + Schedule.lastAge
          default: nil
          }
        let cells = [
          name[0], name[1], day.description, state.rawValue, record?.file ?? "",
          (record?.restated ?? 0) > 0 ? "yes" : "no", until?.description ?? "",
          record?.unknownWords.map { Self.cell(quotedExcerpt($0)) } ?? "",
        ]
        lines.append(cells.joined(separator: ","))
      }
    }
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    let (path, temporary) = (hidden + "/days.csv", temporaryPath())
    if OutputFileSystem.contents(of: path) == bytes { return }
    do throws(OutputError) {
      try OutputFileSystem.writeNewFile(temporary, parts: [bytes], mode: 0o600)
      try OutputFileSystem.move(temporary, to: path)
      try OutputFileSystem.syncFolder(hidden)
    } catch {
      throw FetchError(error)
    }
  }
}
