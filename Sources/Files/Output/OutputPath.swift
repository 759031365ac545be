/// The paths used to write one output, all in one folder so that renaming is a single step.
package struct OutputPath {
  /// The output itself.
  let target: String
  /// The folder that contains it.
  let parent: String
  /// The target's last component.
  private let name: String

  /// Splits a path into folder and name; resolves links and paths that end in `.` or `..`.
  package init(_ path: String) throws(OutputError) {
    var (parent, name) = Self.split(path)
    let isLink = FileStatus(of: path, followsLinks: false)?.kind == .link
    if name.isEmpty || name == "." || name == ".." || isLink {
      guard let resolved = OutputFileSystem.resolved(path) else {
        throw isLink ? .danglingLink(path: path) : .noParent(path: path)
      }
      (parent, name) = Self.split(resolved)
    }
    guard FileStatus(of: parent)?.kind == .folder else { throw .noParent(path: path) }
    (self.parent, self.name) = (parent, name)
    target = parent == "." && !path.utf8.starts(with: "./".utf8) ? name : Self.join(parent, name)
  }

  /// The lock file of an output folder.
  var lock: String { Self.join(parent, ".\(name).lock") }

  /// The folder in which this process prepares the output.
  var staging: String { Self.join(parent, stagingPrefix + String(SystemProcess.id)) }

  /// The path to which this process moves the old folder when it cannot swap the two.
  var old: String { Self.join(parent, oldPrefix + String(SystemProcess.id)) }

  /// Returns the staging and old folders that earlier runs left beside the target.
  func leftovers() throws(OutputError) -> (staging: [String], old: [String]) {
    let names = try OutputFileSystem.names(in: parent)
    func paths(_ prefix: String) -> [String] {
      names.filter { name in
        name.utf8.starts(with: prefix.utf8) && Int32(name.dropFirst(prefix.count)) != nil
      }.map { Self.join(parent, $0) }
    }
    return (paths(stagingPrefix), paths(oldPrefix))
  }

  /// Whether the target is or contains the working folder.
  var holdsWorkingFolder: Bool {
    guard let target = OutputFileSystem.resolved(target),
      let working = OutputFileSystem.resolved(".")
    else { return false }
    return working == target || target == "/" || working.utf8.starts(with: (target + "/").utf8)
  }

  private var stagingPrefix: String { ".\(name).staging-" }
  private var oldPrefix: String { ".\(name).old-" }

  private static func join(_ folder: String, _ name: String) -> String {
    folder == "/" ? "/" + name : folder + "/" + name
  }

  static func split(_ path: String) -> (parent: String, name: String) {
    var path = path[...]
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") {
      path = path[..<path.utf8.index(before: path.endIndex)]
    }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", String(path)) }
    let name = String(path[path.utf8.index(after: slash)...])
    return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
  }
}
