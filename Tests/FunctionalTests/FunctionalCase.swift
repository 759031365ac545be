import SubreportTestSupport
import Testing

/// A folder that says what to run and what must come out; `CONTRIBUTING.md` describes its files.
struct FunctionalCase: Sendable, CustomTestStringConvertible {
  /// A case without its recorded files.
  struct NotRecorded: Error, CustomStringConvertible {
    let description =
      "nothing is recorded: SUBREPORT_RECORD=1 swift test --filter FunctionalTests"
  }

  /// The files with what came out, by their path in the case's folder.
  typealias Outcome = [String: [UInt8]]

  /// The topic and the name, such as `churn/last-month`.
  let name: String
  private let folder: String

  var testDescription: String { name }

  /// Files of the case that the program does not get to see.
  private static let own: Set = ["command", "stdin", "stdout", "stderr", "status", "expected"]

  /// All cases below a folder, in order.
  static func all(below folder: String) -> [FunctionalCase] {
    names(inFolder: folder).flatMap { topic in
      names(inFolder: folder + "/" + topic).map { name in
        FunctionalCase(name: topic + "/" + name, folder: folder + "/" + topic + "/" + name)
      }
    }
  }

  private init(name: String, folder: String) {
    self.name = name
    self.folder = folder
  }

  /// Runs the commands one after the other, in a copy of the folder.
  ///
  /// What they print is joined, and `status` has a line for each of them. Of the files they write,
  /// the outcome has those that `expected/` names, or all if that folder is empty.
  func run() throws -> Outcome {
    let commands = try CaseCommand.commands(of: Files.text(of: folder + "/command") ?? "")
    let sandbox = try Sandbox()
    let inputs = try copyInputs(to: sandbox.work)
    let input = folder + "/stdin"
    var outcome: Outcome = ["stdout": [], "stderr": [], "status": []]
    for command in commands {
      let result = try Program.run(
        command.arguments, environment: command.environment,
        input: Files.bytes(of: input) == nil ? "/dev/null" : input, in: sandbox)
      outcome["stdout", default: []] += sandbox.withoutPath(result.stdout)
      outcome["stderr", default: []] += sandbox.withoutPath(result.stderr)
      outcome["status", default: []] += Array("\(result.status)\n".utf8)
    }
    for path in outputPaths(in: sandbox.work, inputs: inputs) {
      guard let bytes = Files.bytes(of: sandbox.work + "/" + path) else { continue }
      outcome["expected/" + path] = sandbox.withoutPath(bytes)
    }
    return outcome
  }

  /// Returns the outcome that was recorded.
  func recorded() throws(NotRecorded) -> Outcome {
    let files = ["stdout", "stderr", "status"] + expectedPaths.map { "expected/" + $0 }
    var outcome: Outcome = [:]
    for file in files {
      guard let bytes = Files.bytes(of: folder + "/" + file) else { throw NotRecorded() }
      outcome[file] = bytes
    }
    return outcome
  }

  /// Writes an outcome into the case's folder, and removes what no longer comes out.
  func record(_ outcome: Outcome) throws {
    for path in expectedPaths where outcome["expected/" + path] == nil {
      removeTree(folder + "/expected/" + path)
    }
    for (file, bytes) in outcome { try Files.write(bytes, to: folder + "/" + file) }
  }

  private var expectedPaths: [String] { Files.paths(below: folder + "/expected") }

  private func outputPaths(in work: String, inputs: [String: [UInt8]]) -> [String] {
    guard Files.isFolder(folder + "/expected"), expectedPaths.isEmpty else { return expectedPaths }
    return Files.paths(below: work).filter { path in
      inputs[path] == nil || inputs[path] != Files.bytes(of: work + "/" + path)
    }
  }

  private func copyInputs(to work: String) throws -> [String: [UInt8]] {
    var inputs: [String: [UInt8]] = [:]
    for name in names(inFolder: folder) where !Self.own.contains(name) {
      let path = folder + "/" + name
      let files = Files.isFolder(path) ? Files.paths(below: path).map { name + "/" + $0 } : [name]
      for file in files { inputs[file] = Files.bytes(of: folder + "/" + file) }
    }
    for (file, bytes) in inputs { try Files.write(bytes, to: work + "/" + file) }
    return inputs
  }
}
