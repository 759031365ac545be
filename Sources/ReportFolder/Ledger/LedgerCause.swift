import AppStoreReports
import Rendering
import Storage
package import SubscriptionModel

/// Why numbers of a run differ from those of the run before: other definitions, options or inputs.
struct LedgerCause {
  /// How many files a reason names.
  private static let namedFiles = 5

  /// The change of an input.
  private enum Event: String, CaseIterable {
    case restated
    case late = "came late"
    case gone
    case added
  }

  /// The inputs of one source that were added, changed or removed.
  private struct Inputs {
    var paths: [Event: [String]] = [:]
    var newDays: ClosedRange<Day>?

    mutating func add(_ event: Event, _ path: String) { paths[event, default: []].append(path) }

    mutating func add(_ day: Day) {
      newDays = newDays.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
    }

    var parts: [String] {
      var parts = Event.allCases.compactMap { event in
        paths[event].map { "\(event.rawValue): \(LedgerCause.names($0))" }
      }
      guard let newDays else { return parts }
      parts.append(
        newDays.lowerBound == newDays.upperBound
          ? "new day \(newDays.lowerBound)"
          : "new days \(newDays.lowerBound) to \(newDays.upperBound)")
      return parts
    }
  }

  private let ofRun: [String]
  /// The change of as-of; it is a reason only if no other was found.
  private var otherEnd = ""
  /// The inputs by the source whose numbers they change; those of no table under `nil`.
  private var inputs: [Source?: Inputs] = [:]

  init(_ entry: LedgerEntry, since before: LedgerState) {
    guard let last = before.last else {
      ofRun = ["the first run in the ledger"]
      return
    }
    ofRun = Self.differences(of: entry, last)
    if let now = entry.asOf, let then = last.asOf, now != then {
      otherEnd = "as-of \(now) instead of \(then)"
    }
    let added = Set(entry.files.added.map(\.sha256))
    let removed = Set(entry.files.removed.map(\.sha256))
    let versions = Set(entry.files.added.compactMap(LedgerState.Report.init))
    for change in entry.files.changed {
      inputs[change.file.source, default: Inputs()].add(.restated, change.file.path)
    }
    for file in entry.files.added where !removed.contains(file.sha256) {
      add(file, before)
    }
    for file in entry.files.removed where !added.contains(file.sha256) {
      let isReplaced = LedgerState.Report(file).map(versions.contains) ?? false
      if !isReplaced { inputs[file.source, default: Inputs()].add(.gone, file.path) }
    }
  }

  private mutating func add(_ file: LedgerEntry.File, _ before: LedgerState) {
    let source = file.source
    guard let report = LedgerState.Report(file) else {
      inputs[source, default: Inputs()].add(.added, file.path)
      return
    }
    if let hashes = before.versions[report] {
      // A copy changes nothing.
      guard !hashes.contains(file.sha256) else { return }
      inputs[source, default: Inputs()].add(.restated, file.path)
    } else if let last = before.lastDays[report.name], report.day <= last {
      inputs[source, default: Inputs()].add(.late, file.path)
    } else {
      inputs[source, default: Inputs()].add(report.day)
    }
  }

  /// Returns such as `restated: subscriber/a.txt; new day 2026-10-02`; blank when no cause is in the ledger.
  func text(_ source: String?) -> String {
    // Settlements come from finance files, which have no source, and from SALES.
    let sources: [Source?] =
      source == "finance" ? [nil, .sales] : source.flatMap(Source.init).map { [$0] } ?? []
    let own = sources.flatMap { inputs[$0]?.parts ?? [] }
    guard own.isEmpty else { return (ofRun + own).joined(separator: "; ") }
    let others = inputs.sorted { ($0.key?.rawValue ?? "") < ($1.key?.rawValue ?? "") }
    let all = (ofRun + others.flatMap(\.value.parts)).unique
    return all.isEmpty ? otherEnd : all.joined(separator: "; ")
  }

  private static func differences(of entry: LedgerEntry, _ last: LedgerEntry) -> [String] {
    var parts: [String] = []
    if entry.definitions != last.definitions {
      parts.append("definitions \(entry.definitions) instead of \(last.definitions)")
    }
    if entry.version != last.version {
      parts.append("subreport \(entry.version) instead of \(last.version)")
    }
    // The preferred source chooses a number of the headlines, and changes none; nor does the day that reports must reach.
    let names = Set(entry.options.keys).union(last.options.keys)
      .subtracting(["primary", "through"])
    let others = names.filter { entry.options[$0] != last.options[$0] }.sorted()
    if !others.isEmpty { parts.append("other options: \(others.joined(separator: ", "))") }
    return parts
  }

  static func names(_ paths: [String]) -> String {
    let shown = paths.prefix(namedFiles).joined(separator: ", ")
    let more = paths.count - namedFiles
    return more > 0 ? "\(shown) and \(counted(more, "more file"))" : shown
  }
}

extension LedgerEntry.File {
  /// The word for the kind of every dump of receipts.
  static let receipts = "receipts"

  /// The source whose numbers the file changes; `nil` for a file of no table.
  package var source: Source? {
    guard let kind = report?.prefix(while: { $0 != " " }) else { return nil }
    return kind == Self.receipts ? .receipts : ReportKind(rawValue: String(kind))?.source
  }
}
