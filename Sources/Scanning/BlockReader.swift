import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads a file, or the member of a zip, block by block into one buffer; the file is closed with the reader.
///
/// This is the part of the gzip reader that calls the system; its only unsafe code is system calls.
struct BlockReader: ~Copyable {
  /// The number of used bytes kept before the block, so that an inflater can return them.
  private static let keptCount = InflaterStep.longestLookAhead

  private let fileDescriptor: Int32
  /// The path of the file, or of the member's archive.
  private let path: String
  /// The reader of a zip's member; `nil` for a file.
  private var member: ZipMemberReader?
  private var block: [UInt8]
  private var position = keptCount
  private var end = keptCount
  /// The offset in the file of the first byte of ``block``, which is a kept byte.
  private var blockOffset = -keptCount
  /// The number of bytes of the file already passed to `onStoredBytes`.
  private var reportedByteCount: Int

  /// Opens a file and reads its first block.
  init(path: String, blockSize: Int, reportedByteCount: Int) throws(ScanError) {
    let member = ZipMember(path: path)
    let reader: ZipMemberReader? =
      if let member { try ZipMemberReader(member, blockSize: blockSize) } else { nil }
    let path = member?.archive ?? path
    // Safe: the system copies the path during the call.
    let fileDescriptor = unsafe open(SystemPath.bytes(of: path), O_RDONLY | O_CLOEXEC)
    if fileDescriptor < 0 { throw SystemFault.noted(.cannotOpen(errno: errno), path) }
    try self.init(
      fileDescriptor: fileDescriptor, path, member: reader, blockSize: blockSize,
      reportedByteCount: reportedByteCount)
  }

  /// Uses an open file, which the reader will close, and reads its first block.
  private init(
    fileDescriptor: Int32, _ path: String, member: consuming ZipMemberReader?, blockSize: Int,
    reportedByteCount: Int
  ) throws(ScanError) {
    self.fileDescriptor = fileDescriptor
    self.path = path
    self.member = member
    self.reportedByteCount = reportedByteCount
    block = Array(repeating: 0, count: Self.keptCount + max(blockSize, 2))
    // Both magic bytes are needed to recognize gzip, but a pipe may deliver one at a time.
    while byteCount < 2, try readMore() > 0 {}
  }

  deinit { _ = close(fileDescriptor) }

  /// Returns the length of a regular file that has a byte; `nil` for anything else, such as the member of a zip.
  static func byteCount(of path: String) -> Int? {
    var status = stat()
    // Safe: the system copies the path and fills the structure during the call.
    guard unsafe stat(SystemPath.bytes(of: path), &status) == 0, status.st_size > 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Int(status.st_size)
  }

  /// The number of bytes read from the file so far.
  var byteCount: Int { blockOffset + end }

  /// The offset in the file of the next unused byte.
  var byteOffset: Int { blockOffset + position }

  /// Returns whether the first block starts with two bytes.
  func startsWith(_ first: UInt8, _ second: UInt8) -> Bool {
    byteCount >= 2 && block[Self.keptCount] == first && block[Self.keptCount + 1] == second
  }

  /// Calls `onStoredBytes` with the bytes of the block that it was not called with before.
  mutating func report(to onStoredBytes: ((Span<UInt8>) -> Void)?) {
    guard reportedByteCount < byteCount else { return }
    let start = max(reportedByteCount - blockOffset, Self.keptCount)
    reportedByteCount = byteCount
    if let onStoredBytes { onStoredBytes(block.span.extracting(start..<end)) }
  }

  /// Returns whether there is an unused byte, after reading the next block if necessary.
  @inline(__always)
  mutating func ensureBytes(_ onStoredBytes: ((Span<UInt8>) -> Void)?) throws(ScanError) -> Bool {
    if position < end { return true }
    return try readNextBlock(onStoredBytes)
  }

  /// Returns the next byte; call ``ensureBytes(_:)`` first.
  mutating func next() -> UInt8 {
    let byte = block[position]
    position += 1
    return byte
  }

  /// Passes the rest of the block to a function, which returns its result and the number of bytes used.
  ///
  /// A negative number returns bytes to the reader, at most ``InflaterStep/longestLookAhead``.
  mutating func consume<Result>(_ body: (Span<UInt8>) -> (Result, Int)) -> Result {
    let (result, count) = body(block.span.extracting(position..<end))
    precondition(count <= end - position, "more bytes used than were offered")
    precondition(count >= -Self.keptCount, "more bytes returned than are kept")
    position += count
    return result
  }

  /// Copies bytes of the block to a place in another buffer.
  mutating func copy(into target: inout [UInt8], at offset: Int, atMost limit: Int) -> Int {
    let count = min(limit, end - position, target.count - offset)
    target.replaceSubrange(offset..<offset + count, with: block[position..<position + count])
    position += count
    return count
  }

  /// Passes all bytes of the file to a function, block by block; for a reader from which no byte was used.
  mutating func forEachBlock(_ body: (Span<UInt8>) -> Void) throws(ScanError) {
    while try ensureBytes(nil) {
      consume { block in
        body(block)
        return ((), block.count)
      }
    }
  }

  private mutating func readNextBlock(
    _ onStoredBytes: ((Span<UInt8>) -> Void)?
  ) throws(ScanError) -> Bool {
    for offset in 0..<Self.keptCount { block[offset] = block[end - Self.keptCount + offset] }
    blockOffset += end - Self.keptCount
    position = Self.keptCount
    end = Self.keptCount
    guard try readMore() > 0 else { return false }
    report(to: onStoredBytes)
    return true
  }

  /// Reads as many bytes as the system returns into the free part of the block.
  private mutating func readMore() throws(ScanError) -> Int {
    do throws(ScanError) {
      if let count = try member?.read(from: fileDescriptor, into: &block, at: end) {
        end += count
        return count
      }
    } catch {
      throw SystemFault.noted(error, path)
    }
    while true {
      let start = end
      // Safe: read writes at most as many bytes as the buffer has left.
      let count = unsafe block.withUnsafeMutableBytes { buffer in
        let free = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
        return unsafe read(fileDescriptor, free.baseAddress, free.count)
      }
      if count >= 0 {
        end += count
        return count
      }
      let code = errno
      if code == EISDIR { throw .isDirectory }
      if code != EINTR {
        throw SystemFault.noted(.cannotRead(errno: code, byteOffset: byteCount), path)
      }
    }
  }
}

/// The system's error number for lack of memory, ENOMEM.
var outOfMemory: Int32 { ENOMEM }

/// Returns the system's message for an error number.
///
/// - Parameter errno: The number.
/// - Returns: The message, in lower case and without a full stop, such as `is a directory`. A lack of permission names
///   the user, because a nightly job often runs as another one: `permission denied as user subreport`.
package func systemMessage(_ errno: Int32) -> String {
  // Safe: the system returns a text that ends in a zero and lives until the next call.
  guard let text = unsafe strerror(errno) else { return "error \(errno)" }
  let message = unsafe String(cString: text).lowercased()
  return errno == EACCES ? "\(message) as user \(ownName)" : message
}

/// The name of the user who runs the program; the number of a user without a name.
private let ownName = userName(of: geteuid()) ?? String(geteuid())

/// Returns the name of a user; `nil` for one without a name.
///
/// - Parameter user: The number of the user.
/// - Returns: The name, such as `subreport`.
package func userName(of user: UInt32) -> String? {
  userNames.withLock { _ in
    // Safe: the system's record and the name in it live until the next call, and the lock lets no other call begin.
    guard let record = unsafe getpwuid(user), let name = unsafe record.pointee.pw_name else {
      return nil
    }
    return unsafe String(cString: name)
  }
}

/// Lets one thread at a time ask the system for the name of a user.
private let userNames = Mutex(())
