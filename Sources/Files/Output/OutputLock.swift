import SystemPackage

/// A lock file beside an output folder that keeps a second run out.
///
/// The lock is `flock`, which the system releases when the process ends: neither a crash nor a reused process id
/// can keep a folder locked. The file's text, the holder's process id and a line feed, is only for messages.
enum OutputLock {
  /// Takes the lock of a folder.
  ///
  /// Returns the open lock file, and a note if an earlier process left it behind.
  static func take(_ path: String, for folder: String)
    throws(OutputError) -> (descriptor: FileDescriptor, note: String?)
  {
    // If the holder ends between open and the check, it removes the file, and the next round creates a new one.
    for _ in 0..<100 {
      guard let (descriptor, isNew) = try open(path, for: folder) else { continue }
      do throws(Errno) {
        try descriptor.lock()
      } catch {
        defer { try? descriptor.close() }
        guard error != .wouldBlock else { throw .locked(path: folder, pid: holder(descriptor)) }
        // The file system cannot lock files: remove the lock file that this run created.
        if isNew { OutputFileSystem.removeTree(path) }
        throw OutputFileSystem.failure("lock", folder, error)
      }
      guard isSame(descriptor, path) else {
        try? descriptor.close()
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
  static func release(_ path: String, descriptor: FileDescriptor) {
    if isSame(descriptor, path) { OutputFileSystem.removeTree(path) }
    try? descriptor.close()
  }

  /// Creates the lock file, or opens the one that exists; `nil` if that was removed in between.
  private static func open(_ path: String, for folder: String) throws(OutputError) -> (
    FileDescriptor, isNew: Bool
  )? {
    do {
      let options: FileDescriptor.OpenOptions = [.create, .exclusiveCreate, .noFollow]
      return (try FileDescriptor(opening: path, .readWrite, options, mode: 0o666), true)
    } catch Errno.fileExists {
      // Open it below.
    } catch let error as Errno
      where [.permissionDenied, .notPermitted, .readOnlyFileSystem].contains(error)
    {
      let parent = OutputPath.split(path).parent
      throw .unwritableParent(path: folder, parent: parent, number: error.rawValue)
    } catch {
      throw OutputFileSystem.failure("lock", folder, error)
    }
    do {
      return (try FileDescriptor(opening: path, .readWrite, .noFollow), false)
    } catch Errno.noSuchFileOrDirectory {
      return nil
    } catch {
      throw OutputFileSystem.failure("lock", folder, error)
    }
  }

  /// Returns whether the open file still has the path: the last holder removes the lock file.
  private static func isSame(_ descriptor: FileDescriptor, _ path: String) -> Bool {
    guard let opened = FileStatus(ofDescriptor: descriptor),
      let named = FileStatus(of: path, followsLinks: false)
    else { return false }
    return opened.identity == named.identity
  }

  /// Returns the process id in the lock file; `nil` if there is none.
  private static func holder(_ descriptor: FileDescriptor) -> Int32? {
    guard (try? descriptor.seek(offset: 0, from: .start)) != nil,
      let text = OutputFileSystem.contents(of: descriptor)
    else { return nil }
    return Int32(String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  /// Returns the note about a lock file that an earlier process did not remove.
  private static func leftBehind(by pid: Int32?, folder: String) -> String {
    let process = pid.map { "process \($0)" } ?? "an earlier run"
    return "\(folder): took over the lock that \(process) left behind"
  }

  private static func writeHolder(
    to descriptor: FileDescriptor, for folder: String
  ) throws(OutputError) {
    try OutputFileSystem.call("lock", folder) {
      try descriptor.resize(to: 0)
      try descriptor.seek(offset: 0, from: .start)
    }
    let text = Array("\(SystemProcess.id)\n".utf8)
    try OutputFileSystem.write(text, to: descriptor.rawValue, path: folder)
  }
}
