import Glibc
import SubreportTestSupport

/// A small world, an old output of a part of it, and what each kind of run on it prints and writes when all goes
/// well.
///
/// Faults are tried in copies of the outputs and the cache; the inputs are shared.
struct FailingWorld: Sendable {
  /// A kind of run.
  enum Scenario: String, CaseIterable, Sendable {
    /// A report that replaces an old one.
    case report
    /// The same with a cache that is made by the run.
    case coldCache
    /// The same with the cache of an earlier run.
    case warmCache
    /// One table of standard input into a file.
    case table
    /// A check of folders.
    case check

    var arguments: [String] {
      let words =
        switch self {
        case .report: "report . -o out -j 2"
        case .coldCache, .warmCache: "report in -o out -j 2 --cache cache"
        case .table: "churn - in/subscription-event -o out.csv --all-months"
        case .check: "check in"
        }
      return words.split(separator: " ").map(String.init)
    }

    /// The outputs that the run replaces.
    fileprivate var output: String { self == .table ? "out.csv" : "out" }
  }

  /// What a sound run leaves behind.
  struct Sound: Sendable {
    let stdout: String
    let output: [String: [UInt8]]
    let old: [String: [UInt8]]
    /// How often each function is called.
    let counts: [String: Int]
  }

  private let base: Sandbox
  private let sounds: [Scenario: Sound]

  /// Makes the world and tries each kind of run.
  init() throws {
    base = try Sandbox()
    let simulate =
      "simulate -o in --subscribers 20 --from 2026-01-30 --to 2026-02-01 --seed 3 --notified 1 --clean"
    try Self.succeed(simulate, in: base)
    removeTree(base.work + "/in/truth")
    try Self.succeed("report in/sales -o out", in: base)
    try Self.succeed("churn in -o out.csv", in: base)
    // A config file that cannot be read must not be one that is not there.
    try Files.write(Array("by = [\"product\"]\n".utf8), to: base.work + "/subreport.toml")
    try Self.succeed("report in -o other --cache cache", in: base)
    removeTree(base.work + "/other")
    var sounds: [Scenario: Sound] = [:]
    for scenario in Scenario.allCases {
      let sandbox = try Self.copy(of: base, for: scenario)
      let old = Self.files(scenario, in: sandbox)
      let result = try FailingCalls.run(
        scenario.arguments, fault: nil, input: Self.input(base), in: sandbox)
      guard result.status == 0 else { throw FailedSetup(description: result.stderr) }
      sounds[scenario] = Sound(
        stdout: result.stdout, output: Self.files(scenario, in: sandbox), old: old,
        counts: result.counts)
    }
    self.sounds = sounds
  }

  func sound(_ scenario: Scenario) -> Sound? { sounds[scenario] }

  /// Runs with a fault in a copy, and then without one.
  ///
  /// - Returns: What is wrong with what both leave behind, `nil` when the run had no call to fail.
  func problems(_ scenario: Scenario, _ fault: FailingCalls.Fault) throws -> [String]? {
    guard let sound = sounds[scenario] else { return nil }
    let sandbox = try Self.copy(of: base, for: scenario)
    let input = Self.input(base)
    let run = try FailingCalls.run(scenario.arguments, fault: fault, input: input, in: sandbox)
    guard run.hasFailed else { return nil }
    var problems: [String] = []
    let files = Self.files(scenario, in: sandbox)
    if run.status >= 128 { problems.append("signal \(run.status - 128)") }
    if run.status == 0 {
      if files != sound.output { problems.append("exit 0 with another output") }
      if run.stdout != sound.stdout { problems.append("exit 0 with another standard output") }
    } else {
      if run.stderr.isEmpty, fault.function != "write" { problems.append("no line says why") }
      if files != sound.old, files != sound.output, !Self.isWhole(files, scenario) {
        problems.append("the output is neither the old one nor a new one")
      }
    }
    // What cannot be removed stays until the next run.
    let mayStay: Set = [
      "unlink", "rmdir", "opendir", "readdir", "lstat", "stat", "fstat", "malloc",
    ]
    let left = Self.leftovers(in: sandbox)
    if !left.isEmpty, !mayStay.contains(fault.function) { problems.append("leaves \(left)") }
    let next = try FailingCalls.run(scenario.arguments, fault: nil, input: input, in: sandbox)
    if next.status != 0 { problems.append("the next run exits with \(next.status)") }
    if Self.files(scenario, in: sandbox) != sound.output || next.stdout != sound.stdout {
      problems.append("the next run has another output")
    }
    if case let left = Self.leftovers(in: sandbox), !left.isEmpty {
      problems.append("the next run leaves \(left)")
    }
    return problems.map { "\($0) (exit \(run.status): \(run.stderr.suffix(200)))" }
  }

  /// Whether an output folder has just the files that its manifest lists, with their hashes.
  private static func isWhole(_ files: [String: [UInt8]], _ scenario: Scenario) -> Bool {
    guard scenario != .table, let manifest = files["manifest.json"] else { return false }
    let text = String(decoding: manifest, as: UTF8.self)
    guard let outputs = text.split(separator: "\"outputs\"").last else { return false }
    let listed = outputs.matches(of: /"path": "([^"]*)",\s*"sha256": "([0-9a-f]*)"/)
    return listed.count == files.count - 1
      && listed.allSatisfy { match in
        files[String(match.1)].map { referenceSHA256($0) } == String(match.2)
      }
  }

  /// The file that is standard input.
  private static func input(_ base: Sandbox) -> String {
    let folder = base.work + "/in/subscriber"
    return folder + "/" + (names(inFolder: folder).first ?? "")
  }

  private static func succeed(_ command: String, in sandbox: Sandbox) throws {
    let result = try sandbox.run(command)
    guard result.status == 0 else { throw FailedSetup(description: result.errors) }
  }

  private static func copy(of base: Sandbox, for scenario: Scenario) throws -> Sandbox {
    let sandbox = try Sandbox()
    _ = unsafe symlink(base.work + "/in", sandbox.work + "/in")
    var names = [scenario.output, "subreport.toml"]
    if scenario == .warmCache { names.append("cache") }
    for path in Files.paths(below: base.work) where names.contains(where: path.hasPrefix) {
      guard let bytes = Files.bytes(of: base.work + "/" + path) else { continue }
      try Files.write(bytes, to: sandbox.work + "/" + path)
    }
    return sandbox
  }

  /// The output as it is on disk, by path.
  private static func files(_ scenario: Scenario, in sandbox: Sandbox) -> [String: [UInt8]] {
    let output = sandbox.work + "/" + scenario.output
    if scenario == .table { return ["": Files.bytes(of: output) ?? []] }
    let paths = Files.paths(below: output).map { ($0, Files.bytes(of: output + "/" + $0) ?? []) }
    return Dictionary(uniqueKeysWithValues: paths)
  }

  /// What no run should leave beside its output or in the cache.
  private static func leftovers(in sandbox: Sandbox) -> [String] {
    (names(inFolder: sandbox.work) + names(inFolder: sandbox.work + "/cache"))
      .filter { $0.hasPrefix(".") }
  }
}
