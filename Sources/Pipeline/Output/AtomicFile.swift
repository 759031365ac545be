import Glibc

/// Writes a file that appears whole or not at all.
///
/// The bytes go to a temporary file in the same folder, which is synced, gets the permissions of the old file if
/// there is one, and is renamed. A link stays a link: its target is replaced. A device or a pipe is written to directly.
/// So are `/dev/stdout` and `/dev/stderr`, even where they are a file: the shell may append to it.
///
/// - Parameters:
///   - path: The file; the folder that holds it must exist.
///   - bytes: The whole file.
///   - cleanup: Removes the temporary file when the run is stopped.
/// - Throws: ``OutputError/isAFolder(path:)``, ``OutputError/noParent(path:)``,
///   ``OutputError/mountPoint(path:)``, ``OutputError/interrupted(path:)``,
///   ``OutputError/notSynced(path:isFolder:number:)``, or ``OutputError/system(operation:path:number:)``.
public func writeFileAtomically(
  path: String, bytes: [UInt8], cleanup: OutputCleanup = .shared
) throws(OutputError) {
  if let stream = OutputFileSystem.standardStreams[path] {
    return try OutputFileSystem.write(bytes, to: stream, path: path)
  }
  let status = FileStatus(of: path)
  if status?.kind == .other {
    return try OutputFileSystem.writeThrough(path, bytes: bytes)
  }
  guard status?.kind != .folder, !path.hasSuffix("/") else { throw .isAFolder(path: path) }
  let paths = try OutputPath(path)
  let temporary = paths.staging(pid: getpid())
  defer { cleanup.release(temporary: temporary) }
  try cleanup.write(temporary: temporary, for: path) { () throws(OutputError) in
    do throws(OutputError) {
      try replace(paths, temporary: temporary, mode: status?.mode, bytes: bytes)
    } catch {
      throw error.naming(path)
    }
  }
}

private func replace(
  _ paths: OutputPath, temporary: String, mode: mode_t?, bytes: [UInt8]
) throws(OutputError) {
  // A crashed process with the same id may have left one.
  OutputFileSystem.removeTree(temporary)
  try OutputFileSystem.writeNewFile(temporary, bytes: bytes)
  if let mode { try OutputFileSystem.setMode(mode, of: temporary) }
  try OutputFileSystem.rename(temporary, to: paths.target)
  do throws(OutputError) {
    try OutputFileSystem.syncFolder(paths.parent)
  } catch {
    throw error.afterReplacing(paths.target, isFolder: false)
  }
}
