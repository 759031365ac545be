import Scanning
import Storage
import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads, writes, renames and removes files and folders, with errors that name the path.
///
/// Safe: paths are passed as temporary C strings, and no call keeps a pointer after it returns.
package enum OutputFileSystem {
  /// Writes a new file, part after part.
  ///
  /// Unless it is synced, a power failure may leave any part of it.
  package static func writeNewFile(
    _ path: String, parts: [[UInt8]], mode: UInt32 = 0o666, isSynced: Bool = true
  ) throws(OutputError) {
    try writeNewFile(path, mode: mode, isSynced: isSynced) { (write) throws(OutputError) in
      for part in parts { try write(part) }
    }
  }

  /// Writes a new file piece by piece.
  static func writeNewFile(
    _ path: String, mode: UInt32 = 0o666, isSynced: Bool = true, writing parts: OutputParts
  ) throws(OutputError) {
    let descriptor = try call("create", path) {
      try FileDescriptor(
        opening: path, .writeOnly, [.create, .exclusiveCreate, .noFollow], mode: mode)
    }
    defer { try? descriptor.close() }
    try parts { (bytes) throws(OutputError) in
      try write(bytes, to: descriptor.rawValue, path: path)
    }
    if isSynced { try call("sync", path) { try descriptor.sync() } }
  }

  /// Writes to an existing device, pipe or socket.
  static func writeThrough(_ path: String, parts: OutputParts) throws(OutputError) {
    let descriptor = try call("open", path) { try FileDescriptor(opening: path, .writeOnly) }
    defer { try? descriptor.close() }
    try parts { (bytes) throws(OutputError) in
      try write(bytes, to: descriptor.rawValue, path: path)
    }
  }

  /// Writes to an open file, pipe or device; the path is for the error.
  package static func write(
    _ bytes: [UInt8], to descriptor: Int32, path: String
  ) throws(OutputError) {
    try call("write", path) { try FileDescriptor(rawValue: descriptor).writeAll(bytes) }
  }

  /// The most bytes that a file of an option or a config file may have: 256 MiB.
  private static let mostBytesOfOption = 256 << 20

  /// Reads a file that is small enough for memory; `nil` when it is not a regular file or unreadable.
  package static func contents(of path: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    return read(path, into: &bytes) ? bytes : nil
  }

  /// Reads a file of an option or a config file, also through a link.
  ///
  /// Never a device or a pipe, which may have no end: others can name one in a manifest.
  package static func contents(ofOption path: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    return read(path, [], into: &bytes, atMost: mostBytesOfOption) ? bytes : nil
  }

  /// Reads a file that is small enough for memory, reusing a buffer.
  ///
  /// Returns whether the path is a regular file and all of it was read.
  package static func read(_ path: String, into bytes: inout [UInt8]) -> Bool {
    read(path, .noFollow, into: &bytes, atMost: .max)
  }

  private static func read(
    _ path: String, _ options: FileDescriptor.OpenOptions, into bytes: inout [UInt8],
    atMost limit: Int
  ) -> Bool {
    guard let descriptor = regularFile(path, options) else { return false }
    defer { try? descriptor.close() }
    guard let status = FileStatus(ofDescriptor: descriptor), status.size <= limit else {
      return false
    }
    return read(descriptor, expecting: status.size, into: &bytes)
  }

  /// Opens a file to read it; `nil` for anything but a regular file.
  private static func regularFile(
    _ path: String, _ options: FileDescriptor.OpenOptions = []
  ) -> FileDescriptor? {
    let options = options.union(.nonBlocking)
    guard let descriptor = try? FileDescriptor(opening: path, .readOnly, options) else {
      return nil
    }
    if FileStatus(ofDescriptor: descriptor)?.kind == .file { return descriptor }
    try? descriptor.close()
    return nil
  }

  /// Returns why a file cannot be read: `permission denied`.
  package static func whyUnreadable(_ path: String) -> String {
    do {
      // Without waiting for a writer of a pipe.
      try FileDescriptor(opening: path, .readOnly, [.nonBlocking]).close()
      switch FileStatus(of: path)?.kind {
      case .other: return "this is a device or a pipe, not a regular file"
      case .file: return "it has more than \(mostBytesOfOption >> 20) MiB, or cannot be read"
      default: return "this is no file"
      }
    } catch let error as Errno {
      let isLink = FileStatus(of: path, followsLinks: false)?.kind == .link
      return isLink && error == .noSuchFileOrDirectory
        ? "this link leads to nothing" : OutputError.text(of: error.rawValue)
    } catch {
      return "it cannot be opened"
    }
  }

  /// Why a file cannot be read that does not exist.
  package static var notThere: String { OutputError.text(of: Errno.noSuchFileOrDirectory.rawValue) }

  static func contents(of descriptor: FileDescriptor) -> [UInt8]? {
    var bytes: [UInt8] = []
    return read(descriptor, expecting: 0, into: &bytes) ? bytes : nil
  }

  /// Reads to the end; fastest if the expected size is right.
  private static func read(
    _ descriptor: FileDescriptor, expecting size: Int, into bytes: inout [UInt8]
  ) -> Bool {
    var done = 0
    // One byte more than expected: if it stays unread, the file is at its end.
    var missing = size + 1 - bytes.count
    while true {
      if missing > 0 { bytes.append(contentsOf: repeatElement(0, count: missing)) }
      guard let count = try? descriptor.fill(&bytes, from: done) else { return false }
      done += count
      missing = done == bytes.count ? 4096 : 0
      if count == 0 {
        bytes.removeLast(bytes.count - done)
        return true
      }
    }
  }

  /// Reads a file of any size block by block; returns whether it is a regular file and was read to its end.
  package static func forEachBlock(of path: String, _ body: (Span<UInt8>) -> Void) -> Bool {
    guard let descriptor = regularFile(path) else { return false }
    defer { try? descriptor.close() }
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while let count = try? descriptor.fill(&block) {
      if count == 0 { return true }
      body(block.span.extracting(0..<count))
    }
    return false
  }

  package static func makeFolder(_ path: String, mode: UInt32 = 0o777) throws(OutputError) {
    guard unsafe mkdir(SystemPath.bytes(of: path), mode_t(mode)) == 0 else {
      throw failure("create", path)
    }
  }

  /// Creates a folder and those above it, unless they exist.
  package static func makeFolders(_ path: String, mode: UInt32 = 0o777) throws(OutputError) {
    let bytes = SystemPath.bytes(of: path)
    if unsafe mkdir(bytes, mode_t(mode)) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw failure("create", path)
    }
    try makeFolders(String(path[..<slash]), mode: mode)
    guard unsafe mkdir(bytes, mode_t(mode)) == 0 || errno == EEXIST else {
      throw failure("create", path)
    }
  }

  package static func setMode(_ mode: UInt32, of path: String) throws(OutputError) {
    guard unsafe chmod(SystemPath.bytes(of: path), mode_t(mode)) == 0 else {
      throw failure("change the mode of", path)
    }
  }

  /// Renames a file or a folder, which replaces another one with the new name.
  package static func move(_ source: String, to target: String) throws(OutputError) {
    guard unsafe rename(SystemPath.bytes(of: source), SystemPath.bytes(of: target)) == 0 else {
      throw errno == EBUSY ? .mountPoint(path: target) : failure("replace", target)
    }
  }

  /// Waits until the names in a folder are on the disk; skips file systems that cannot sync folders.
  package static func syncFolder(_ path: String) throws(OutputError) {
    let descriptor = try call("open", path) {
      try FileDescriptor(opening: path, .readOnly, .directory)
    }
    defer { try? descriptor.close() }
    do throws(Errno) {
      try descriptor.sync()
    } catch {
      guard error == .invalidArgument || error == .notSupported else {
        throw failure("sync", path, error)
      }
    }
  }

  /// Waits until the bytes of a file are on the disk.
  package static func syncFile(_ path: String) throws(OutputError) {
    let descriptor = try call("open", path) { try FileDescriptor(opening: path, .readOnly) }
    defer { try? descriptor.close() }
    try call("sync", path) { try descriptor.sync() }
  }

  /// Adds bytes to the end of a file, which only its owner may read if it is new.
  package static func append(_ bytes: [UInt8], to path: String) throws(OutputError) {
    let descriptor = try call("open", path) {
      try FileDescriptor(opening: path, .writeOnly, [.create, .append, .noFollow], mode: 0o600)
    }
    defer { try? descriptor.close() }
    try write(bytes, to: descriptor.rawValue, path: path)
  }

  /// Creates a file for the bodies of answers, which only its owner may read; the caller closes it.
  package static func openNew(_ path: String) throws(OutputError) -> Int32 {
    try call("create", path) {
      try FileDescriptor(
        opening: path, .writeOnly, [.create, .exclusiveCreate, .noFollow], mode: 0o600)
    }.rawValue
  }

  /// Closes a file of ``openNew(_:)``.
  package static func close(_ descriptor: Int32) {
    try? FileDescriptor(rawValue: descriptor).close()
  }

  /// Gives a file a second name; copies it where the file system has no such links.
  package static func linkOrCopy(_ source: String, to target: String) throws(OutputError) {
    guard unsafe link(SystemPath.bytes(of: source), SystemPath.bytes(of: target)) != 0 else {
      return
    }
    guard let bytes = contents(of: source) else { throw failure("read", source) }
    try writeNewFile(target, parts: [bytes], mode: 0o600)
  }

  /// Returns the path without links, `.` and `..`; `nil` when it does not exist.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = unsafe realpath(SystemPath.bytes(of: path), nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe SystemPath.text(ofCString: resolved)
  }

  /// Swaps two folders in one step; returns `false`, with nothing changed, when the system or the file system cannot.
  static func exchange(_ first: String, _ second: String) throws(OutputError) -> Bool {
    typealias Call =
      @convention(c) (
        Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
      ) -> Int32
    let exchangeFlag: UInt32 = 2
    // Safe: the signature is the one in renameat2(2); the C library's header hides the function
    // unless _GNU_SOURCE is defined.
    guard let symbol = unsafe dlsym(nil, "renameat2") else { return false }
    let renameat2 = unsafe unsafeBitCast(symbol, to: Call.self)
    let paths = (SystemPath.bytes(of: first), SystemPath.bytes(of: second))
    if unsafe renameat2(AT_FDCWD, paths.0, AT_FDCWD, paths.1, exchangeFlag) == 0 { return true }
    switch errno {
    case EINVAL, ENOSYS, ENOTSUP: return false
    case EBUSY: throw .mountPoint(path: second)
    default: throw failure("replace", second)
    }
  }

  /// Returns the names in a folder, sorted by their bytes, without `.` and `..`.
  ///
  /// An error when it cannot be read to its end: the caller could not recognize an incomplete list.
  package static func names(in folder: String) throws(OutputError) -> [String] {
    guard let stream = unsafe opendir(SystemPath.bytes(of: folder)) else {
      throw failure("open", folder)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while true {
      // readdir returns nil at the end and on errors; only errno tells them apart.
      errno = 0
      guard let entry = unsafe readdir(stream), let field = unsafe entry.pointer(to: \.d_name)
      else {
        guard errno == 0 else { throw failure("read", folder) }
        return names.sorted { $0.precedes($1) }
      }
      // Safe: readdir ends the name with a zero and keeps it until the next call on the stream.
      let start = unsafe UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self)
      let name = unsafe SystemPath.text(ofCString: start)
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// Removes a file, a link, or a folder with all its contents; links are never followed.
  ///
  /// Ignores failures: the next run on the same output tries again.
  package static func removeTree(_ path: String) {
    let bytes = SystemPath.bytes(of: path)
    guard unsafe unlink(bytes) != 0, errno == EISDIR || errno == EPERM else { return }
    for name in (try? names(in: path)) ?? [] { removeTree(path + "/" + name) }
    _ = unsafe rmdir(bytes)
  }

  /// Calls the system; the error has one word for the operation, such as `write`, and the path.
  @discardableResult
  static func call<Result>(
    _ operation: String, _ path: String, _ body: () throws -> Result
  ) throws(OutputError) -> Result {
    do { return try body() } catch { throw failure(operation, path, error) }
  }

  /// Returns the error of a call of the system; without `error`, of the last one on this thread.
  static func failure(
    _ operation: String, _ path: String, _ error: any Error = Errno(rawValue: errno)
  ) -> OutputError {
    // SystemPackage throws nothing but Errno.
    let number = (error as? Errno ?? .ioError).rawValue
    return .system(operation: operation, path: path, number: number)
  }
}
