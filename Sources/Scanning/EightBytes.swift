#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads eight bytes as one little-endian number: the first byte is the lowest.
///
/// Numbers, hashes and JSON are read eight bytes a step. Other sizes are below and in
/// ``ByteMasks``.
///
/// - Parameters:
///   - bytes: The bytes to read from.
///   - offset: The offset of the first; seven more must follow it.
/// - Returns: The eight bytes.
@inlinable
@inline(__always)
func eightBytes(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
  let last = bytes.count &- 8
  // The compiler moves the first comparison out of loops. As an unsigned number, a negative offset
  // is past every end, so one more comparison is enough.
  precondition(
    last >= 0 && UInt(bitPattern: offset) <= UInt(bitPattern: last), "eight bytes past the end")
  // Safe: the precondition keeps all eight bytes inside the span.
  return unsafe bytes.withUnsafeBytes { raw in
    UInt64(littleEndian: unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

/// Reads 32 bytes as four little-endian numbers, with one check of the bounds.
///
/// - Parameters:
///   - bytes: The bytes to read from.
///   - offset: The offset of the first; 31 more must follow it.
/// - Returns: The bytes, eight a number.
@inline(__always)
func thirtyTwoBytes(
  _ bytes: Span<UInt8>, at offset: Int
) -> (UInt64, UInt64, UInt64, UInt64) {
  let block = bytes.extracting(offset..<offset &+ 32)
  // Safe: the block has the bytes that are read.
  return unsafe block.withUnsafeBytes { raw in
    (
      UInt64(littleEndian: unsafe raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
      UInt64(littleEndian: unsafe raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
      UInt64(littleEndian: unsafe raw.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
      UInt64(littleEndian: unsafe raw.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
    )
  }
}

/// Reads up to seven bytes as one little-endian number; missing bytes are 0.
///
/// - Parameters:
///   - bytes: The bytes to read from.
///   - offset: The offset of the first.
///   - count: How many to read, from 0 to 7; all must be inside `bytes`.
/// - Returns: The bytes, the first being the lowest.
@inline(__always)
func fewBytes(_ bytes: Span<UInt8>, at offset: Int, count: Int) -> UInt64 {
  let mask = (1 as UInt64) << UInt64(truncatingIfNeeded: count &* 8) &- 1
  if offset &+ 8 <= bytes.count { return eightBytes(bytes, at: offset) & mask }
  if bytes.count >= 8 {
    let last = bytes.count &- 8
    return (eightBytes(bytes, at: last) >> UInt64(truncatingIfNeeded: (offset &- last) &* 8)) & mask
  }
  var word: UInt64 = 0
  for index in 0..<count { word |= UInt64(bytes[offset + index]) << UInt64(index * 8) }
  return word
}

/// Searches a word for a byte.
///
/// - Parameters:
///   - word: Eight bytes.
///   - pattern: The byte to look for, eight times.
/// - Returns: A word in which the top bit of at least one byte is set if, and only if, the byte was
///   found. The lowest such bit marks the first occurrence; all other bits mean nothing.
@inline(__always)
func mayMatch(_ word: UInt64, _ pattern: UInt64) -> UInt64 {
  let difference = word ^ pattern
  return (difference &- 0x0101_0101_0101_0101) & ~difference
}

/// Returns the offset of the first byte of a value in a range.
///
/// - Parameters:
///   - byte: The value.
///   - bytes: The bytes to search.
///   - start: The offset of the first byte to look at.
///   - end: The offset after the last.
/// - Returns: The offset, or nil if there is none.
@inline(__always)
package func firstOffset(
  of byte: UInt8, in bytes: Span<UInt8>, from start: Int, to end: Int
) -> Int? {
  let range = bytes.extracting(start..<end)
  // Safe: memchr reads only the bytes of the buffer, and returns a pointer inside it or nil.
  return unsafe range.withUnsafeBytes { raw in
    guard let base = raw.baseAddress, let found = unsafe memchr(base, Int32(byte), raw.count) else {
      return nil
    }
    return unsafe start &+ (UnsafeRawPointer(found) - base)
  }
}

/// Returns whether two runs of bytes are the same.
///
/// - Parameters:
///   - first: The bytes that hold the first run.
///   - firstStart: Where it begins.
///   - second: The bytes that hold the second run.
///   - secondStart: Where it begins.
///   - count: How many bytes each has.
/// - Returns: Whether they are the same.
@inline(__always)
package func areEqual(
  _ first: Span<UInt8>, _ firstStart: Int, _ second: Span<UInt8>, _ secondStart: Int, count: Int
) -> Bool {
  let first = first.extracting(firstStart..<firstStart &+ count)
  let second = second.extracting(secondStart..<secondStart &+ count)
  // Safe: both buffers have `count` bytes.
  return unsafe first.withUnsafeBytes { first in
    unsafe second.withUnsafeBytes { second in
      guard let one = first.baseAddress, let other = second.baseAddress else { return true }
      return unsafe memcmp(one, other, count) == 0
    }
  }
}
