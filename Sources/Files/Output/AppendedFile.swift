import SystemPackage

/// A file of lines to which one process at a time adds lines at the end.
///
/// The file itself is locked (`flock`), so that runs with different output folders can share it. A last line without its
/// line feed is what a stopped run left, or this is another file: the caller decides whether to remove it. No other byte
/// of the file ever changes.
package struct AppendedFile: ~Copyable {
  package let path: String
  /// The number of bytes up to the end of the last whole line.
  package private(set) var length: Int
  /// The number of bytes after the last whole line.
  package private(set) var unfinishedByteCount: Int
  private let descriptor: FileDescriptor
  private let isNew: Bool

  /// Opens or creates a file in a folder that exists, and locks it.
  ///
  /// A file that was created and to which nothing is added is removed again, also when the program is stopped.
  package init(path: String) throws(OutputError) {
    switch FileStatus(of: path)?.kind {
    case .folder: throw .isAFolder(path: path)
    case .other: throw OutputFileSystem.failure("lock", path, Errno.invalidArgument)
    case .file, .link, nil: break
    }
    _ = try OutputPath(path)
    let (descriptor, isNew) = try Self.openLocked(path)
    do throws(OutputError) {
      if isNew { try Self.markAsTemporary(path) }
      let end = try Self.end(of: descriptor, path)
      (length, unfinishedByteCount) = (end.whole, end.all - end.whole)
    } catch {
      if isNew { OutputFileSystem.removeTree(path) }
      try? descriptor.close()
      throw error
    }
    (self.path, self.descriptor, self.isNew) = (path, descriptor, isNew)
  }

  deinit {
    if isNew { OutputCleanup.shared.release(temporary: path) }
    try? descriptor.close()
  }

  /// Lets a new file be removed as long as nothing was added to it.
  private static func markAsTemporary(_ path: String) throws(OutputError) {
    try OutputCleanup.shared.write(temporary: path, for: path) {}
  }

  /// Reads so many first bytes after the last whole line, fewer at the end of the file.
  package func unfinishedBytes(_ count: Int) throws(OutputError) -> [UInt8] {
    let (descriptor, start) = (descriptor, Int64(length))
    return try OutputFileSystem.call("read", path) { try descriptor.bytes(count, at: start) }
  }

  /// Removes the bytes after the last whole line.
  package mutating func removeUnfinishedLine() throws(OutputError) {
    let (descriptor, end) = (descriptor, Int64(length))
    try OutputFileSystem.call("repair", path) {
      try descriptor.resize(to: end)
      try descriptor.sync()
    }
    unfinishedByteCount = 0
  }

  /// Adds a line with its line feed, and waits until it is on the disk; an unfinished line must have been removed.
  ///
  /// After an error the file is as it was before, if the system lets it.
  package mutating func append(_ line: [UInt8]) throws(OutputError) {
    precondition(unfinishedByteCount == 0, "a line begins after a whole line")
    let (descriptor, path, start) = (descriptor, path, Int64(length))
    // From here on the file stays when the program is stopped.
    if isNew { OutputCleanup.shared.keep(temporary: path) }
    do throws(OutputError) {
      try OutputFileSystem.call("write", path) { try descriptor.seek(offset: start, from: .start) }
      try OutputFileSystem.write(line, to: descriptor.rawValue, path: path)
      try OutputFileSystem.call("sync", path) { try descriptor.sync() }
    } catch {
      try? descriptor.resize(to: start)
      if isNew && length == 0 { try? Self.markAsTemporary(path) }
      throw error
    }
    length += line.count
    if isNew { try OutputFileSystem.syncFolder(OutputPath(path).parent) }
  }

  private static func openLocked(
    _ path: String
  ) throws(OutputError) -> (FileDescriptor, isNew: Bool) {
    // The last holder removes a file that it created and left empty: the next round creates a new one.
    for _ in 0..<100 {
      let (descriptor, isNew) = try open(path)
      do throws(Errno) {
        try descriptor.lock()
      } catch {
        try? descriptor.close()
        guard error == .wouldBlock else { throw OutputFileSystem.failure("lock", path, error) }
        throw .lockedFile(path: path)
      }
      let named = FileStatus(of: path)?.identity
      if named != nil, FileStatus(ofDescriptor: descriptor)?.identity == named {
        return (descriptor, isNew)
      }
      try? descriptor.close()
    }
    throw .lockedFile(path: path)
  }

  private static func open(_ path: String) throws(OutputError) -> (FileDescriptor, isNew: Bool) {
    do {
      let options: FileDescriptor.OpenOptions = [.create, .exclusiveCreate]
      return (try FileDescriptor(opening: path, .readWrite, options, mode: 0o666), true)
    } catch Errno.fileExists {
      // Open it below.
    } catch {
      throw OutputFileSystem.failure("create", path, error)
    }
    let descriptor = try OutputFileSystem.call("open", path) {
      try FileDescriptor(opening: path, .readWrite)
    }
    return (descriptor, false)
  }

  /// Returns the number of bytes up to the end of the last whole line, and of all.
  private static func end(
    of descriptor: FileDescriptor, _ path: String
  ) throws(OutputError) -> (whole: Int, all: Int) {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    var (whole, all) = (0, 0)
    while true {
      let count = try OutputFileSystem.call("read", path) { try descriptor.fill(&block) }
      if count == 0 { return (whole, all) }
      if let last = block[..<count].lastIndex(of: UInt8(ascii: "\n")) { whole = all + last + 1 }
      all += count
    }
  }
}
