import Pipeline

/// What the system says of a file that changes whenever its bytes do.
struct FileStamp: Hashable {
  var device: UInt64 = 0
  var inode: UInt64 = 0
  var size = 0
  /// When the bytes changed, in nanoseconds since 1970.
  var modified: Int64 = 0
  /// When the bytes or what is said of the file changed; no program can choose it.
  var changed: Int64 = 0

  init() {}

  init(_ status: FileStatus) {
    device = status.device
    inode = status.inode
    size = status.size
    modified = status.modified
    changed = status.changed
  }

  /// Whether nothing has changed since a moment, in nanoseconds since 1970.
  func isOlder(than moment: Int64) -> Bool { max(modified, changed) < moment }
}
