import Files
import SubscriptionModel
import Synchronization

/// An unnamed temporary file for records beyond the memory limit; it vanishes with the process.
final class SpillFile: Sendable {
  private let file: TemporaryFile
  private let end = Atomic(0)

  /// Creates the file in a folder.
  init(in folder: String) throws(OutputError) {
    file = try TemporaryFile(in: folder)
  }

  /// Writes records.
  ///
  /// - Returns: Their position, or `nil` when the disk has no space for them.
  func append(_ records: [ChargeRecord]) -> Int? {
    // Safe: records are numbers and flags without references.
    unsafe records.withUnsafeBytes { bytes in
      let start = end.add(bytes.count, ordering: .relaxed).oldValue
      return unsafe file.write(bytes, at: start) ? start : nil
    }
  }

  /// Reads records written by ``append(_:)``.
  func records(_ count: Int, at start: Int) -> [ChargeRecord] {
    // Safe: exactly the bytes of `count` records are read back, or the run ends.
    unsafe [ChargeRecord](unsafeUninitializedCapacity: count) { records, initialized in
      let isRead = unsafe file.read(into: UnsafeMutableRawBufferPointer(records), at: start)
      precondition(isRead, "a temporary file cannot be read back")
      initialized = count
    }
  }
}
