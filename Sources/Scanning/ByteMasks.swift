import CByteMasks

/// Finds tabs and bytes past ASCII among 64 bytes: one bit for each byte, the lowest for the first.
///
/// Splitting a row eight bytes a step took a tenth of a run.
enum ByteMasks {
  /// The number of bytes that a mask covers.
  static let length = 64

  /// Returns which of 64 bytes are tabs.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to read from.
  ///   - offset: The offset of the first; 63 more must follow it.
  /// - Returns: A bit for each.
  @inline(__always)
  static func tabs(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    let block = bytes.extracting(offset..<offset &+ length)
    // Safe: the block has the 64 bytes that are read.
    return unsafe block.withUnsafeBytes { raw in
      unsafe raw.baseAddress.map { unsafe subreport_equal_bytes($0, 0x09) } ?? 0
    }
  }

  /// Returns which of 64 bytes are 128 or more.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to read from.
  ///   - offset: The offset of the first; 63 more must follow it.
  /// - Returns: A bit for each.
  @inline(__always)
  static func high(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    let block = bytes.extracting(offset..<offset &+ length)
    // Safe: the block has the 64 bytes that are read.
    return unsafe block.withUnsafeBytes { raw in
      unsafe raw.baseAddress.map { unsafe subreport_high_bytes($0) } ?? 0
    }
  }
}
