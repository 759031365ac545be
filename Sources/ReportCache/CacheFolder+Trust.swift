import Glibc
import Pipeline

/// Whether only the user can have written what is in a cache.
///
/// Numbers are made from entries without looking at the reports again, and the checksum of an entry finds damage, not
/// forgery. So a cache must belong to the user, and other users must not be able to write to it.
extension CacheFolder {
  /// Refuses a cache that others could have written to.
  ///
  /// - Throws: ``CacheError/ofAnotherUser`` or ``CacheError/openToOthers`` with the path of what is not the user's
  ///   alone, `OutputError.system`.
  func checkTrust() throws(OutputError) {
    for path in [path, tagPath] { try Self.checkTrust(path) }
    for folder in [extracts, runs, tallies] where FileStatus(of: folder) != nil {
      try Self.checkTrust(folder)
      for name in try Self.entryNames(in: folder) { try Self.checkTrust(folder + "/" + name) }
    }
  }

  /// Refuses a file or folder that others could have written to; another run may have replaced it meanwhile.
  static func checkTrust(_ path: String) throws(OutputError) {
    guard let status = FileStatus(of: path) else { return }
    guard status.owner == geteuid() else { throw CacheError.ofAnotherUser.of(path) }
    guard status.mode & (S_IWGRP | S_IWOTH) == 0 else { throw CacheError.openToOthers.of(path) }
  }
}
