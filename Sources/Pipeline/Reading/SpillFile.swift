import Files
import Glibc
import SubscriptionModel
import Synchronization

/// An unnamed temporary file for records beyond the memory limit; it vanishes with the process.
final class SpillFile: Sendable {
  private let descriptor: Int32
  private let end = Atomic(0)

  /// Creates the file in a folder.
  init(in folder: String) throws(OutputError) {
    descriptor = try TemporaryFile.open(in: folder)
  }

  deinit { _ = close(descriptor) }

  /// Writes records.
  ///
  /// - Returns: Their position, or `nil` when the disk has no space for them.
  func append(_ records: [ChargeRecord]) -> Int? {
    // Safe: records are numbers and flags without references, and pwrite reads no more than they take.
    unsafe records.withUnsafeBytes { bytes in
      let start = end.add(bytes.count, ordering: .relaxed).oldValue
      var done = 0
      while done < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(start + done))
        guard count > 0 || (count < 0 && errno == EINTR) else { return nil }
        done += max(0, count)
      }
      return start
    }
  }

  /// Reads records written by ``append(_:)``.
  func records(_ count: Int, at start: Int) -> [ChargeRecord] {
    // Safe: exactly the bytes of `count` records are read back, or the run ends.
    unsafe [ChargeRecord](unsafeUninitializedCapacity: count) { records, initialized in
      let bytes = UnsafeMutableRawBufferPointer(records)
      var done = 0
      while done < bytes.count {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
        let read = unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(start + done))
        precondition(
          read > 0 || (read < 0 && errno == EINTR), "a temporary file cannot be read back")
        done += max(0, read)
      }
      initialized = count
    }
  }
}
