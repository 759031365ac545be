import CZlib

/// Compresses text into one gzip member, whose bytes depend only on the text and on the version of zlib.
///
/// The header has no time, no name and no system.
@safe
package struct GzipWriter: ~Copyable {
  /// The length of the header: it has no name, no comment and no extra field.
  private static let headerLength = 10
  /// The length of the checksum and of the length of the text, after the deflated data.
  private static let trailerLength = 8

  private let stream: UnsafeMutablePointer<z_stream>
  private let header: UnsafeMutablePointer<gz_header>
  private var member: [UInt8] = []
  private var block = [UInt8](repeating: 0, count: 65_536)

  package init() {
    // Safe: one value each, released in deinit; zlib requires both to stay at their addresses.
    unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe header = UnsafeMutablePointer<gz_header>.allocate(capacity: 1)
    unsafe header.initialize(to: gz_header())
    unsafe header.pointee.os = 255
    // 16 more than the size of the window means a gzip container.
    let code = unsafe deflateInit2_(
      stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(code == Z_OK, "zlib gets memory to compress")
    let headerCode = unsafe deflateSetHeader(stream, header)
    precondition(headerCode == Z_OK, "a new gzip stream takes a header")
  }

  deinit {
    // Safe: both were initialized once in init, and no other code has the pointers.
    unsafe _ = deflateEnd(stream)
    unsafe stream.deallocate()
    unsafe header.deallocate()
  }

  /// Adds text.
  package mutating func append(_ text: [UInt8]) { compress(text, Z_NO_FLUSH) }

  /// Ends the member.
  ///
  /// - Returns: Its bytes.
  package consuming func finish() -> [UInt8] {
    compress([], Z_FINISH)
    return member
  }

  private mutating func compress(_ text: [UInt8], _ flush: Int32) {
    let stream = unsafe stream
    unsafe text.withUnsafeBufferPointer { text in
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: text.baseAddress)
      unsafe stream.pointee.avail_in = UInt32(text.count)
      var isFull = true
      while isFull {
        let room = block.count
        // Safe: zlib reads at most avail_in and writes at most avail_out bytes, both inside their buffers, and keeps
        // neither pointer in use after the call.
        let (code, free) = unsafe block.withUnsafeMutableBufferPointer { block in
          unsafe stream.pointee.next_out = block.baseAddress
          unsafe stream.pointee.avail_out = UInt32(block.count)
          let code = unsafe deflate(stream, flush)
          return unsafe (code, Int(stream.pointee.avail_out))
        }
        precondition(code != Z_STREAM_ERROR, "the stream was set up in init")
        member.append(contentsOf: block[..<(room - free)])
        isFull = free == 0
      }
    }
  }

  // MARK: Reading

  /// Returns the text of a member that a writer has made, also with another version of zlib.
  ///
  /// - Parameter member: The bytes of the member.
  /// - Returns: The text; `nil` for anything else.
  package static func text(of member: [UInt8]) -> [UInt8]? {
    let end = member.count - trailerLength
    guard end > headerLength, member.starts(with: [0x1F, 0x8B, 8, 0]),
      var inflater = try? ZlibInflater()
    else { return nil }
    var text: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    var place = headerLength
    while true {
      let step = inflater.inflate(
        member.span.extracting(place..<end), into: &block, block.indices)
      text.append(contentsOf: block[..<step.textCount])
      place += step.usedCount
      switch step.state {
      case .needsMore: guard step.usedCount > 0 || step.textCount > 0 else { return nil }
      case .ended:
        let checksum = member[end..<end + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return place == end && checksum == inflater.checksum ? text : nil
      case .damaged, .outOfMemory: return nil
      }
    }
  }
}
