/// A file to read, and how reports name it.
///
/// A class, so that the lists of a run's files share it.
public final class InputFile: Sendable {
  /// The path to open.
  public let path: String
  /// The path as messages show it: the argument and what comes below it.
  public let shownPath: String
  /// The path below the input argument, with `/`: the same on every machine.
  ///
  /// A file named as an argument has its last component.
  public let relativePath: String
  /// Whether the user named the file itself rather than a folder that holds it.
  public let isNamed: Bool
  /// What the system said of it before anything of it was read; `nil` when it did not tell.
  package let status: FileStatus?

  init(
    path: String, shownPath: String, relativePath: String, isNamed: Bool, status: FileStatus?
  ) {
    self.path = path
    // Equal texts of some length take their room once.
    self.shownPath = shownPath == path ? path : shownPath
    self.relativePath = relativePath
    self.isNamed = isNamed
    self.status = status
  }

  /// The last component of the path.
  public var name: String {
    relativePath.split(separator: "/").last.map(String.init) ?? relativePath
  }

  /// How many bytes are stored, or 0 where the system does not tell.
  package var byteCount: Int { status?.size ?? 0 }

  /// Whether the system still says the same of it: what was read is then of the file that was listed.
  package var isUnchanged: Bool { status != nil && FileStatus(of: path) == status }
}

/// Why an input cannot be read at all.
public struct InputError: Error, Equatable, Sendable {
  /// The input as the user wrote it.
  public let path: String
  /// A stable code, such as `cannot-open`.
  public let code: String
  /// What was found and what was expected.
  public let message: String
}
