import Glibc
import Scanning

/// A lock file beside an output folder that keeps a second run out.
///
/// The lock is `flock`, which the system releases when the process ends: neither a crash nor a reused process id
/// can keep a folder locked. The file's text, the holder's process id and a line feed, is only for messages.
enum OutputLock {
  /// Takes the lock.
  ///
  /// - Parameters:
  ///   - path: The lock file.
  ///   - folder: The folder it guards, for errors.
  /// - Returns: The open lock file, and a note if an earlier process left it behind.
  /// - Throws: ``OutputError/locked(path:pid:)`` when another run holds it.
  static func take(_ path: String, for folder: String)
    throws(OutputError) -> (descriptor: Int32, note: String?)
  {
    // If the holder ends between open and the check, it removes the file, and the next round creates a new one.
    for _ in 0..<100 {
      guard let (descriptor, isNew) = try open(path, for: folder) else { continue }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let failure = OutputFileSystem.failure("lock", folder)
        let isHeld = errno == EWOULDBLOCK
        defer { close(descriptor) }
        // The file system cannot lock files: remove the lock file that this run created.
        if isNew, !isHeld { _ = unsafe unlink(SystemPath.bytes(of: path)) }
        throw isHeld ? .locked(path: folder, pid: holder(descriptor)) : failure
      }
      guard isSame(descriptor, path) else {
        close(descriptor)
        continue
      }
      let note = isNew ? nil : leftBehind(by: holder(descriptor), folder: folder)
      do throws(OutputError) {
        try writeHolder(to: descriptor, for: folder)
      } catch {
        release(path, descriptor: descriptor)
        throw error
      }
      return (descriptor, note)
    }
    throw .locked(path: folder, pid: nil)
  }

  /// Removes the lock file, then closes it, which releases the lock.
  static func release(_ path: String, descriptor: Int32) {
    if isSame(descriptor, path) { _ = unsafe unlink(SystemPath.bytes(of: path)) }
    close(descriptor)
  }

  /// Creates the lock file, or opens the one that exists; `nil` if that was removed in between.
  private static func open(_ path: String, for folder: String) throws(OutputError) -> (
    Int32, isNew: Bool
  )? {
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW
    let created = unsafe Glibc.open(SystemPath.bytes(of: path), flags | O_CREAT | O_EXCL, 0o666)
    if created >= 0 { return (created, true) }
    guard errno == EEXIST else { throw OutputFileSystem.failure("lock", folder) }
    let found = unsafe Glibc.open(SystemPath.bytes(of: path), flags)
    if found >= 0 { return (found, false) }
    guard errno == ENOENT else { throw OutputFileSystem.failure("lock", folder) }
    return nil
  }

  /// Returns whether the open file still has the path: the last holder removes the lock file.
  private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
    guard let opened = FileStatus(ofDescriptor: descriptor),
      let named = FileStatus(of: path, followsLinks: false)
    else { return false }
    return opened.identity == named.identity
  }

  /// Returns the process id in the lock file; `nil` if there is none.
  private static func holder(_ descriptor: Int32) -> Int32? {
    guard lseek(descriptor, 0, SEEK_SET) == 0,
      let text = OutputFileSystem.contents(ofDescriptor: descriptor)
    else { return nil }
    return Int32(String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  /// Returns the note about a lock file that an earlier process did not remove.
  private static func leftBehind(by pid: Int32?, folder: String) -> String {
    let process = pid.map { "process \($0)" } ?? "an earlier run"
    return "\(folder): took over the lock that \(process) left behind"
  }

  private static func writeHolder(to descriptor: Int32, for folder: String) throws(OutputError) {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw OutputFileSystem.failure("lock", folder)
    }
    try OutputFileSystem.write(Array("\(getpid())\n".utf8), to: descriptor, path: folder)
  }
}
