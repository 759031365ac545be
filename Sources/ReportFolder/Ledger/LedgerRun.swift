import AppStoreReports
import Counting
import Files
import Pages
import Pipeline
import SubscriptionModel
import Tables

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
