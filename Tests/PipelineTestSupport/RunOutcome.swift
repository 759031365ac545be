package import Pages
package import Pipeline
import ReportCache
package import ReportFolder
import SubreportTestSupport
package import SubscriptionModel
package import Tables

/// The views of `report`, and one of two dimensions.
package let usualViews: [[Dimension]] = [
  [], [.startMonth], [.product], [.country], [.offer], [.country, .product],
]

/// Reads the files of a sandbox, or other inputs, as `report` does.
package func carryOut(
  _ inputs: [String], views: [[Dimension]] = usualViews, jobs: Int = 2,
  progress: RunProgress = RunProgress(), change: (inout RunPlan) -> Void = { _ in }
) -> RunResult {
  var plan = RunPlan(inputs: inputs, views: views, jobs: jobs)
  change(&plan)
  defer { (plan.earlierRuns as? ExtractCache)?.wait() }
  return Run.carryOut(plan, progress: progress)
}

/// A run of a folder and the files that `report` would write.
package struct RunOutcome: Sendable {
  package let result: RunResult
  package let checks: Checks
  /// The files as the run made them.
  package let report: ReportFiles
  /// The bytes of each file by its name.
  package let files: [String: [UInt8]]

  package init(
    _ inputs: [String], views: [[Dimension]] = usualViews, jobs: Int = 2,
    conversion: CurrencyConversion? = nil, options: [(name: String, value: String)] = [],
    ledger: LedgerBefore? = nil, progress: RunProgress = RunProgress(),
    change: (inout RunPlan) -> Void = { _ in }
  ) throws {
    try self.init(
      carryOut(inputs, views: views, jobs: jobs, progress: progress, change: change),
      conversion: conversion, options: options, ledger: ledger)
  }

  /// Makes the files of a run that was carried out already.
  package init(
    _ result: RunResult, conversion: CurrencyConversion? = nil,
    options: [(name: String, value: String)] = [], ledger: LedgerBefore? = nil
  ) throws {
    self.result = result
    var call = RecordedCall()
    call.options = options.map { RecordedCall.Option($0.name, .text($0.value)) }
    report = try ReportFiles(
      result, conversion: conversion, finance: FinanceReport(result), ledger: ledger,
      version: "1.2.3", call: call)
    checks = report.checks
    files = Dictionary(report.files.map { ($0.name, $0.bytes) }) { _, last in last }
  }

  package init(
    _ sandbox: ReportSandbox, views: [[Dimension]] = usualViews, jobs: Int = 2,
    conversion: CurrencyConversion? = nil, change: (inout RunPlan) -> Void = { _ in }
  ) throws {
    self = try withExtendedLifetime(sandbox) {
      try RunOutcome(
        [sandbox.path], views: views, jobs: jobs, conversion: conversion, change: change)
    }
  }

  /// The text of a file, blank when there is none.
  package func text(_ name: String) -> String { String(decoding: files[name] ?? [], as: UTF8.self) }

  /// The files that hold numbers: each `TABLE.csv` and `TABLE-by-DIM.csv`.
  package var tables: [String: String] {
    let others: Set = ["health.csv", "days.csv", "checks.csv", "rejects.csv"]
    let names = files.keys.filter { $0.hasSuffix(".csv") && !others.contains($0) }
    return Dictionary(uniqueKeysWithValues: names.map { ($0, text($0)) })
  }

  /// The lines of tables that another run does not have, with `+`, and those it alone has, with `-`.
  package func difference(from other: RunOutcome) -> [String] {
    let (tables, others) = (tables, other.tables)
    return Set(tables.keys).union(others.keys).sorted().flatMap { name -> [String] in
      guard tables[name] != others[name] else { return [] }
      let lines = tables[name]?.split(separator: "\n") ?? ["no such table"]
      let otherLines = others[name]?.split(separator: "\n") ?? ["no such table"]
      let changes = lines.difference(from: otherLines).map { change in
        switch change {
        case .insert(_, let line, _): "\(name): + \(line)"
        case .remove(_, let line, _): "\(name): - \(line)"
        }
      }
      return changes.isEmpty ? ["\(name): other line endings"] : changes
    }
  }

  /// The rows of a CSV file by the names of its columns.
  package func rows(_ name: String, source: String? = nil) -> [[String: String]] {
    let rows = csvRows(text(name))
    return source.map { source in rows.filter { $0["source"] == source } } ?? rows
  }

  /// The row of health.csv about a file.
  package func health(_ path: String) -> [String: String] {
    rows("health.csv").first { $0["path"] == path } ?? [:]
  }

  /// What `health.csv` says became of a file's rows: read, used, rejected, ignored, and the note.
  package func account(_ path: String) -> [String] {
    let row = health(path)
    return ["rows_read", "rows_used", "rows_rejected", "rows_ignored", "note"].map {
      row[$0] ?? "no such file"
    }
  }
}

/// Returns the rows of CSV text by the names of its columns.
package func csvRows(_ text: String) -> [[String: String]] {
  let lines = CSVText.lines(text)
  guard let header = lines.first else { return [] }
  return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
}
