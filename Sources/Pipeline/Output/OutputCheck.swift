/// Checks an output before a long run instead of after it.
public enum OutputCheck {
  /// Checks that a file can be written at a path: its folder exists, and the path itself is no folder.
  ///
  /// - Parameter path: The file that will be written.
  /// - Throws: ``OutputError/isAFolder(path:)`` or ``OutputError/noParent(path:)``.
  public static func file(_ path: String) throws(OutputError) {
    let status = FileStatus(of: path)
    guard status?.kind != .other else { return }
    guard status?.kind != .folder, !path.hasSuffix("/") else { throw .isAFolder(path: path) }
    _ = try OutputPath(path)
  }

  /// Returns whether a file is in a folder or in one below it.
  ///
  /// - Parameters:
  ///   - path: The file, which need not exist; its folder must.
  ///   - folder: The folder.
  /// - Returns: Whether it is, after following links.
  public static func isInside(_ path: String, _ folder: String) -> Bool {
    guard let parent = try? OutputPath(path).parent,
      let outer = OutputFileSystem.resolved(folder), let inner = OutputFileSystem.resolved(parent)
    else { return false }
    return inner == outer || inner.utf8.starts(with: (outer + "/").utf8)
  }
}
