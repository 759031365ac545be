/// Writes a file that appears whole or not at all; the folder that holds it must exist.
///
/// The bytes go to a temporary file in the same folder, which is synced, gets the permissions of the old file if
/// there is one, and is renamed. A link stays a link: its target is replaced. A device or a pipe is written to
/// directly. So are `/dev/stdout` and `/dev/stderr`, even where they are a file: the shell may append to it.
/// `cleanup` removes the temporary file when the run is stopped.
package func writeFileAtomically(
  path: String, bytes: [UInt8], cleanup: OutputCleanup = .shared
) throws(OutputError) {
  try writeFileAtomically(path: path, cleanup: cleanup) { (write) throws(OutputError) in
    try write(bytes)
  }
}

/// Passes the bytes of an output piece by piece to the function that it is given.
package typealias OutputParts = (_ write: ([UInt8]) throws(OutputError) -> Void)
  throws(OutputError) -> Void

/// Writes a file that appears whole or not at all, piece by piece: see ``writeFileAtomically(path:bytes:cleanup:)``.
package func writeFileAtomically(
  path: String, cleanup: OutputCleanup = .shared, parts: OutputParts
) throws(OutputError) {
  if let stream = standardStreams[path] {
    return try parts { (bytes) throws(OutputError) in
      try OutputFileSystem.write(bytes, to: stream.rawValue, path: path)
    }
  }
  guard let paths = try OutputCheck.replaced(path) else {
    return try OutputFileSystem.writeThrough(path, parts: parts)
  }
  let temporary = paths.staging
  defer { cleanup.release(temporary: temporary) }
  try cleanup.write(temporary: temporary, for: path) { () throws(OutputError) in
    do throws(OutputError) {
      try replace(paths, temporary: temporary, parts: parts)
    } catch {
      throw error.naming(path)
    }
  }
}

/// The standard streams that an output may be written to, by their paths.
private let standardStreams: [String: StandardStream] = [
  "/dev/stdout": .output, "/dev/stderr": .error,
]

private func replace(
  _ paths: OutputPath, temporary: String, parts: OutputParts
) throws(OutputError) {
  // A crashed process with the same id may have left one.
  OutputFileSystem.removeTree(temporary)
  let old = FileStatus(of: paths.target)
  try OutputFileSystem.writeNewFile(temporary, writing: parts)
  if let old { try OutputFileSystem.setMode(old.mode, of: temporary) }
  try OutputFileSystem.move(temporary, to: paths.target)
  do throws(OutputError) {
    try OutputFileSystem.syncFolder(paths.parent)
  } catch {
    throw error.afterReplacing(paths.target, isFolder: false)
  }
}

/// Checks an output before a long run instead of after it.
package enum OutputCheck {
  /// Checks that a file can be written at a path: its folder exists, and the path itself is no folder.
  package static func file(_ path: String) throws(OutputError) { _ = try replaced(path) }

  /// Returns the paths for replacing a file; `nil` for a device or a pipe, which is written to directly.
  fileprivate static func replaced(_ path: String) throws(OutputError) -> OutputPath? {
    let kind = FileStatus(of: path)?.kind
    guard kind != .other else { return nil }
    guard kind != .folder, !path.hasSuffix("/") else { throw .isAFolder(path: path) }
    return try OutputPath(path)
  }

  /// Returns whether a file, whose folder exists, is in a folder or in one below it, after following links.
  package static func isInside(_ path: String, _ folder: String) -> Bool {
    guard let parent = try? OutputPath(path).parent,
      let outer = OutputFileSystem.resolved(folder), let inner = OutputFileSystem.resolved(parent)
    else { return false }
    return inner == outer || inner.utf8.starts(with: (outer + "/").utf8)
  }
}
