import Glibc
import Pipeline

/// Checks that only the user can have written what is in a cache.
///
/// Numbers come from entries without another look at the reports, and an entry's checksum detects damage, not
/// forgery. So a cache must belong to the user, and other users must not be able to write to it.
extension CacheFolder {
  /// Refuses a cache that others could have written to.
  ///
  /// - Throws: ``CacheError/ofAnotherUser`` or ``CacheError/openToOthers`` with the path at fault, or
  ///   `OutputError.system`.
  func checkTrust() throws(OutputError) {
    for path in [path, tagPath] { try Self.checkTrust(path) }
    for folder in [extracts, runs, tallies] where FileStatus(of: folder) != nil {
      try Self.checkTrust(folder)
      for name in try Self.entryNames(in: folder) { try Self.checkTrust(folder + "/" + name) }
    }
  }

  /// Refuses a file or folder that others could have written to; one that no longer exists passes.
  static func checkTrust(_ path: String) throws(OutputError) {
    guard let status = FileStatus(of: path) else { return }
    guard status.owner == geteuid() else { throw CacheError.ofAnotherUser.of(path) }
    guard status.mode & (S_IWGRP | S_IWOTH) == 0 else { throw CacheError.openToOthers.of(path) }
  }
}
