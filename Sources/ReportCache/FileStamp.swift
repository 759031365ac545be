import Pipeline

/// The metadata of a file that change whenever its bytes do.
struct FileStamp: Hashable {
  var device: UInt64 = 0
  var inode: UInt64 = 0
  var size = 0
  /// Modification time, in nanoseconds since 1970.
  var modified: Int64 = 0
  /// Inode change time, in nanoseconds since 1970; programs cannot set it.
  var changed: Int64 = 0

  init() {}

  init(_ status: FileStatus) {
    device = status.device
    inode = status.inode
    size = status.size
    modified = status.modified
    changed = status.changed
  }

  /// Returns whether both times are before a moment, in nanoseconds since 1970.
  func isOlder(than moment: Int64) -> Bool { max(modified, changed) < moment }
}
