import Synchronization

/// An unnamed temporary file for elements beyond what memory may hold; it vanishes with the process.
///
/// There is no other copy of its elements: a run that cannot read them back ends without an output.
package final class SpillFile<Element: BitwiseCopyable & Sendable>: Sendable {
  private let file: TemporaryFile
  /// The number of elements.
  private let end = Atomic(0)
  private var stride: Int { MemoryLayout<Element>.stride }

  /// Creates the file in a folder.
  package init(in folder: String) throws(OutputError) {
    file = try TemporaryFile(in: folder)
  }

  /// Writes elements.
  ///
  /// - Returns: The index of the first, or `nil` when the disk has no space for them.
  package func append(_ elements: [Element]) -> Int? {
    // Safe: elements have no references.
    unsafe elements.withUnsafeBytes { bytes in
      let start = end.add(elements.count, ordering: .relaxed).oldValue
      return unsafe file.write(bytes, at: start * stride) ? start : nil
    }
  }

  /// Reads elements written by ``append(_:)``.
  package func elements(_ count: Int, at start: Int) -> [Element] {
    // Safe: exactly the bytes of `count` elements are read back, or the run ends.
    unsafe [Element](unsafeUninitializedCapacity: count) { elements, initialized in
      let isRead = unsafe file.read(
        into: UnsafeMutableRawBufferPointer(elements), at: start * stride)
      precondition(isRead, "a temporary file cannot be read back")
      initialized = count
    }
  }
}
