import Glibc

/// A temporary folder in which the program runs, removed when the test ends.
package final class Sandbox: Sendable {
  /// The folder that holds all others.
  package let root: String
  /// The working directory of the program.
  package var work: String { root + "/work" }
  /// The home directory of the program, without any file.
  package var home: String { root + "/home" }

  package init() throws {
    // A cache that is the input of a case must not be writable by others.
    umask(0o022)
    root = try Files.makeTemporaryFolder()
    try Files.makeFolders(work)
    try Files.makeFolders(home)
  }

  /// Creates one with a copy of all files in the working directory of another.
  package convenience init(copyOf other: Sandbox) throws {
    try self.init()
    for path in Files.paths(below: other.work) {
      try Files.write(Files.bytes(of: other.work + "/" + path) ?? [], to: work + "/" + path)
    }
  }

  deinit { removeTree(root) }

  /// Runs the program with the words of a line, none of which has a space.
  package func run(
    _ words: String, environment: [String: String] = [:]
  ) throws -> Program.Result {
    try Program.run(
      words.split(separator: " ").map(String.init), environment: environment, in: self)
  }

  /// Runs a script of the shell in which `$0` is the program.
  package func runShell(_ script: String) throws -> Program.Result {
    try Program.run(["-c", script, Program.path], program: "sh", in: self)
  }

  /// Returns bytes with the sandbox's path, which is another one in every run, written as a word.
  package func withoutPath(_ bytes: [UInt8]) -> [UInt8] {
    let path = Array(root.utf8)
    var (result, rest) = ([UInt8](), bytes[...])
    while let first = rest.firstIndex(of: UInt8(ascii: "/")) {
      result += rest[..<first]
      rest = rest[first...]
      let isPath = rest.starts(with: path)
      result += isPath ? Array("SANDBOX".utf8) : [UInt8(ascii: "/")]
      rest = rest.dropFirst(isPath ? path.count : 1)
    }
    return result + rest
  }
}
