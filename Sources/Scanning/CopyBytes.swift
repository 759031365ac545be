/// Copies a range of bytes into an array.
///
/// - Parameters:
///   - source: The bytes to copy from.
///   - range: The range of the bytes to copy.
///   - target: The bytes to copy to.
///   - offset: The offset in `target` of the first copied byte; all bytes must fit.
@inline(__always)
func copyBytes(
  _ source: Span<UInt8>, _ range: Range<Int>, into target: inout [UInt8], at offset: Int
) {
  precondition(
    range.lowerBound >= 0 && range.upperBound <= source.count && offset >= 0
      && range.count <= target.count &- offset, "copy past the end")
  // Safe: the precondition keeps both ranges inside their memory, and the memory of a mutable array
  // is not shared.
  unsafe source.withUnsafeBytes { from in
    unsafe target.withUnsafeMutableBytes { to in
      unsafe UnsafeMutableRawBufferPointer(rebasing: to[offset..<offset &+ range.count])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: from[range]))
    }
  }
}
