/// What is wrong with an output can be said before a long run instead of after it.
public enum OutputCheck {
  /// Tests that a file can be named by a path: its folder exists, and it is no folder itself.
  ///
  /// - Parameter path: The file that will be written.
  /// - Throws: ``OutputError/isAFolder(path:)`` or ``OutputError/noParent(path:)``.
  public static func file(_ path: String) throws(OutputError) {
    let status = FileStatus(of: path)
    guard status?.kind != .other else { return }
    guard status?.kind != .folder, !path.hasSuffix("/") else { throw .isAFolder(path: path) }
    _ = try OutputPath(path)
  }

  /// Whether a file lies in a folder or in one below it.
  ///
  /// - Parameters:
  ///   - path: The file, which need not exist; its folder does.
  ///   - folder: The folder.
  /// - Returns: Whether it does, links followed.
  public static func isInside(_ path: String, _ folder: String) -> Bool {
    guard let parent = try? OutputPath(path).parent,
      let outer = OutputFileSystem.resolved(folder), let inner = OutputFileSystem.resolved(parent)
    else { return false }
    return inner == outer || inner.utf8.starts(with: (outer + "/").utf8)
  }
}
