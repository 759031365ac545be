import Files
import Glibc
import Pages
package import Pipeline
import ReportCache
import SubreportTestSupport

/// A folder of reports and a cache beside it.
package struct CacheSandbox {
  /// What outputs do not show of a run: what it says on standard error.
  package struct Said: Equatable {
    package var files: [String]
    package var rows: [String]
  }

  private let sandbox: ReportSandbox
  package let reports: String
  package let cache: String
  package var extracts: String { cache + "/extracts" }
  package var tallies: String { cache + "/tallies" }

  package init(_ files: [String: [UInt8]] = [:]) throws {
    sandbox = try ReportSandbox()
    reports = sandbox.path + "/reports"
    cache = sandbox.path + "/cache"
    sandbox.makeFolder("reports")
    for (name, bytes) in files { try write(name, bytes) }
  }

  package func write(_ name: String, _ bytes: [UInt8]) throws {
    try sandbox.write("reports/" + name, bytes)
  }

  package func remove(_ name: String) { sandbox.remove("reports/" + name) }

  package func bytes(_ name: String) throws -> [UInt8] { try sandbox.bytes("reports/" + name) }

  /// The names of the entries.
  package var entries: [String] { names(inFolder: extracts) }

  package func entry(_ name: String) throws -> [UInt8] { try fileBytes(extracts + "/" + name) }

  package func writeEntry(_ name: String, _ bytes: [UInt8]) throws {
    try sandbox.write("cache/extracts/" + name, bytes)
  }

  package func writeRun(_ name: String, _ bytes: [UInt8]) throws {
    try sandbox.write("cache/runs/" + name, bytes)
  }

  /// The names of the tallies of last runs.
  package var tallyNames: [String] { names(inFolder: tallies) }

  package func tally(_ name: String) throws -> [UInt8] { try fileBytes(tallies + "/" + name) }

  package func writeTally(_ name: String, _ bytes: [UInt8]) throws {
    try sandbox.write("cache/tallies/" + name, bytes)
  }

  package func removeTallies() {
    for name in tallyNames { sandbox.remove("cache/tallies/" + name) }
  }

  package func removeEntry(_ name: String) { sandbox.remove("cache/extracts/" + name) }

  /// Whether the next run need not hash a file if it has not changed.
  package func knowsHash(of path: String) throws -> Bool {
    guard let name = names(inFolder: cache + "/runs").first(where: { $0.hasSuffix("-files") })
    else { return false }
    return String(decoding: try fileBytes(cache + "/runs/" + name), as: UTF8.self).contains(path)
  }

  /// The inodes of the entries: those of an entry that was made anew differ.
  package var inodes: [String: UInt] {
    var inodes: [String: UInt] = [:]
    for name in entries {
      var status = stat()
      _ = unsafe stat(extracts + "/" + name, &status)
      inodes[name] = status.st_ino
    }
    return inodes
  }

  /// Runs without the cache.
  package func plainRun(jobs: Int = 2, change: (inout RunPlan) -> Void = { _ in }) throws
    -> RunOutcome
  {
    try RunOutcome([reports], jobs: jobs, change: change)
  }

  /// Runs with the cache.
  ///
  /// - Parameters:
  ///   - version: The tool's version.
  ///   - jobs: How many threads.
  ///   - isLongAfter: Whether the run is an hour later, so that files are remembered that have just been written.
  ///   - progress: Takes the steps of the run and the numbers of files and bytes read.
  ///   - change: Changes the plan.
  /// - Returns: What came out, and the cache's notes.
  /// - Throws: Whatever makes the cache or the outputs impossible.
  package func run(
    version: String = "1.2.3", jobs: Int = 2, isLongAfter: Bool = false,
    progress: RunProgress = RunProgress(), change: (inout RunPlan) -> Void = { _ in }
  ) throws -> (outcome: RunOutcome, notes: [String]) {
    let opened = try ExtractCache(
      path: cache, version: version, secondsAhead: isLongAfter ? 3_600 : 0)
    let outcome = try RunOutcome([reports], jobs: jobs, progress: progress) { plan in
      change(&plan)
      plan.earlierRuns = opened
    }
    return (outcome, opened.takeNotes().map { $0.replacing(sandbox.path + "/", with: "") })
  }

  /// Runs with and without the cache.
  ///
  /// - Returns: The names of the files that differ, what else does, and the cache's notes.
  package func differences(
    version: String = "1.2.3", jobs: Int = 2, isLongAfter: Bool = false,
    change: (inout RunPlan) -> Void = { _ in }
  ) throws -> [String] {
    let naming: (inout RunPlan) -> Void = { plan in
      change(&plan)
      plan.receipts.customerTable = CustomerTable(.timeline, naming: .clear)
    }
    let plain = try plainRun(change: naming)
    let run = try run(version: version, jobs: jobs, isLongAfter: isLongAfter, change: naming)
    let cached = run.outcome
    return cached.differingFiles(from: plain) + (cached.said == plain.said ? [] : ["said"])
      + (cached.result.customerTable == plain.result.customerTable ? [] : ["customers"])
      + run.notes
  }

  /// The ways in which entries say that files were read.
  package var readings: Set<String> { Set(entries.map { String($0.dropFirst(65)) }) }

  /// Runs with the cache, and compares the run with the last.
  package func changes(of run: (inout RunPlan) -> Void = { _ in }) throws -> [String] {
    let opened = try ExtractCache(path: cache, version: "1.2.3")
    let outcome = try RunOutcome([reports]) { plan in
      run(&plan)
      plan.earlierRuns = opened
    }
    let comparison = try opened.comparisonWithLastRun(outcome.result)
    comparison.keep()
    return comparison.lines
  }

  /// The permission bits of a file or folder.
  package func mode(_ path: String) -> UInt32 {
    var status = stat()
    _ = unsafe stat(path, &status)
    return status.st_mode & 0o777
  }
}

extension RunOutcome {
  /// What the run says on standard error.
  package var said: CacheSandbox.Said {
    CacheSandbox.Said(
      files: result.fileDiagnostics.map(\.text), rows: result.rowDiagnostics.map(\.text))
  }

  /// The names of the files that differ from those of another run.
  package func differingFiles(from other: RunOutcome) -> [String] {
    Set(files.keys).union(other.files.keys).filter { files[$0] != other.files[$0] }.sorted()
  }
}

/// The way in which a file was read without the digits of hashes.
package func withoutDigits(_ reading: String) -> String {
  reading.split(separator: "-").filter { $0.utf8.count < 32 }.joined(separator: "-")
}
