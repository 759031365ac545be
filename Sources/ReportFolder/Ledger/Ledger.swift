import AppStoreReports
import Counting
import Crypto
import Files
import Pages
import Pipeline
import Scanning
import SubscriptionModel
import Tables

/// The whole lines of a ledger, with their hash.
package struct Ledger: Sendable {
  /// The number of bytes that were read, and their hash, as the manifest has them.
  package struct Part: Hashable, Sendable {
    /// The path as pages show it: of an absolute path only the last part.
    package var path: String
    package var length: Int
    package var sha256: String

    package init(path: String, length: Int, sha256: String) {
      (self.path, self.length, self.sha256) = (path, length, sha256)
    }
  }

  private let path: String
  package let length: Int
  package let sha256: String

  /// Opens the first bytes of a ledger, or all whole lines; `nil` when the file cannot be read, or is shorter.
  package init?(_ path: String, length: Int? = nil) {
    guard let wanted = length ?? Self.lengthOfLines(path), FileStatus(of: path)?.kind == .file
    else { return nil }
    var hash = SHA256()
    var rest = wanted
    let isWhole = OutputFileSystem.forEachBlock(of: path) { block in
      let used = block.extracting(0..<min(rest, block.count))
      // Safe: the buffer is read within the call, while the span keeps the bytes alive.
      unsafe used.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
      rest -= used.count
    }
    guard isWhole, rest == 0 else { return nil }
    self.path = path
    self.length = wanted
    sha256 = hexadecimal(hash.finalize())
  }

  /// Returns the number of bytes up to the end of the last whole line; `nil` when the file cannot be read.
  private static func lengthOfLines(_ path: String) -> Int? {
    var (length, all) = (0, 0)
    let isWhole = OutputFileSystem.forEachBlock(of: path) { block in
      for place in block.indices.reversed() where block[place] == UInt8(ascii: "\n") {
        length = all + place + 1
        break
      }
      all += block.count
    }
    return isWhole ? length : nil
  }

  /// Goes through the lines until `body` returns `false`; memory holds one of them.
  package func forEachEntry(_ body: (LedgerEntry) -> Bool) throws(LedgerError) {
    guard length > 0 else { return }
    let stream: ByteStream
    do throws(ScanError) {
      stream = try ByteStream(path: path)
    } catch {
      throw LedgerError(line: 1, message: error.message)
    }
    var reader = LedgerReader(stream, length: length)
    while let entry = try reader.next() {
      if !body(entry) { return }
    }
  }

  /// Returns the inputs and tables of the last run, put together from all lines.
  package func state() throws(LedgerError) -> LedgerState {
    var state = LedgerState()
    try forEachEntry { entry in
      state.apply(entry)
      return true
    }
    return state
  }
}

/// The ledger of a run, as it was before the run.
package struct LedgerBefore: Sendable {
  /// The inputs and tables of its last run.
  package let state: LedgerState
  /// The part that was read, for the manifest.
  package let part: Ledger.Part

  package init(_ state: LedgerState, _ part: Ledger.Part) {
    (self.state, self.part) = (state, part)
  }

  func entry(
    _ result: RunResult, _ tables: [ReportTable], version: String, _ call: RecordedCall
  ) -> LedgerEntry {
    var entry = LedgerEntry(
      asOf: result.sources.map(\.completeness.asOf).max(), sequence: 0,
      definitions: Manifest.definitionVersion, version: version)
    entry.options = call.ledgerOptions
    return state.completed(
      entry, inputs: result.files.map { LedgerEntry.File($0) }, tables: tables)
  }

  /// Returns the numbers of `changes.csv` that the pages show: main ones of months that were over at the last run.
  func changedNumbers(_ changes: ReportTable, _ system: MonthSystem) -> ChangedNumbers {
    let lastMonth = state.last?.asOf.map { asOf in
      let month = system.month(of: asOf)
      return system.name(system.lastDay(of: month) == asOf ? month : month - 1)
    }
    return ChangedNumbers(changes, isFirst: state.last == nil, lastMonth: lastMonth ?? "")
  }

  /// Returns `changes.csv` of a run.
  func changes(_ entry: LedgerEntry) -> ReportTable {
    LedgerChanges.table(entry, since: state, order: LedgerTable.names)
  }
}

extension LedgerEntry.File {
  /// Creates the input for a file of a run.
  fileprivate init(_ file: FileReport) {
    self.init(file.file.relativePath, file.sha256, day: file.day)
    if file.isReceiptDump {
      report = Self.receipts
    } else if file.kind != .unknown {
      let frequency = file.frequency.flatMap { $0 == .daily ? nil : $0.rawValue }
      report = [file.kind.rawValue, frequency, file.vendor].compactMap { $0 }
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
  }
}

extension RecordedCall {
  /// The options on which no number of a whole population depends, and as-of, which each line has anyway.
  private static let leftOut: Set<String> = ["as_of", "by", "evidence", "tolerance", "plan"]

  /// The options, sections and files on which numbers of whole populations depend, by name.
  package var ledgerOptions: [String: String] {
    var texts: [String: String] = [:]
    for option in options where !Self.leftOut.contains(option.name) {
      texts[option.name] =
        switch option.value {
        case .text(let text): text
        case .list(let list): list.joined(separator: "; ")
        }
    }
    for section in sections {
      texts["[\(section.name)]"] = section.entries.map { "\($0.key) = \($0.text)" }
        .joined(separator: "; ")
    }
    for file in files where !file.sha256.isEmpty && !Self.leftOut.contains(file.option) {
      texts[file.option] = [texts[file.option], file.sha256].compactMap { $0 }
        .joined(separator: "; ")
    }
    return texts
  }
}
