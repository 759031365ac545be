import Synchronization

/// The system calls on files that failed, such as for lack of descriptors.
///
/// A run reports each file that it cannot read. A step reads copies of files that another machine has read, so such a
/// failure is none of the file, even where the run would go on without it.
package enum SystemFault {
  /// The last failure of each path.
  private static let last = Mutex<[[UInt8]: ScanError]>([:])

  /// Notes an error if it is of a system call, not of the file's bytes.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - path: The file.
  /// - Returns: The same error, to throw it.
  package static func noted(_ error: ScanError, _ path: String) -> ScanError {
    if !error.isCorruption { last.withLock { $0[Array(path.utf8)] = error } }
    return error
  }

  /// Returns the last failure of a path, once.
  ///
  /// - Parameter path: The file.
  /// - Returns: The failure; `nil` if no call has failed since the last one that was returned.
  package static func take(_ path: String) -> ScanError? {
    last.withLock { $0.removeValue(forKey: Array(path.utf8)) }
  }
}
