package import Glibc
import Scanning

/// The type, identity, size and times of a file, folder or device at a path.
package struct FileStatus: Equatable {
  package enum Kind: Equatable {
    case file
    case folder
    case link
    /// A device, a pipe or a socket.
    case other
  }

  package let kind: Kind
  package let device: UInt64
  package let inode: UInt64
  /// The permission bits.
  package let mode: mode_t
  /// The user id of the owner.
  package let owner: uid_t
  package let size: Int
  /// Modification time of the bytes, in nanoseconds since 1970.
  package let modified: Int64
  /// Inode change time, in nanoseconds since 1970; programs cannot set it.
  package let changed: Int64

  /// Creates the status of a path; `nil` when the system returns none, usually because nothing is there.
  ///
  /// Links are followed unless `followsLinks` is false.
  package init?(of path: String, followsLinks: Bool = true) {
    var status = stat()
    let path = SystemPath.bytes(of: path)
    let result = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
    guard result == 0 else { return nil }
    self.init(status)
  }

  /// Returns the status of a path; `nil` when nothing is there.
  ///
  /// - Throws: ``OutputError/system(operation:path:number:)`` when the system cannot say whether something is
  ///   there.
  static func ofAnything(at path: String) throws(OutputError) -> FileStatus? {
    if let status = FileStatus(of: path) { return status }
    guard errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENAMETOOLONG else {
      throw OutputFileSystem.failure("look at", path)
    }
    return nil
  }

  /// Creates the status of an open file.
  package init?(ofDescriptor descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    mode = status.st_mode & 0o7777
    owner = status.st_uid
    size = Int(status.st_size)
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
  }

  /// The device and inode: equal for two paths to the same file.
  var identity: FileIdentity { FileIdentity(device: device, inode: inode) }

  /// The current time, in nanoseconds since 1970.
  package static var now: Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// Identifies a file or a folder on this system.
struct FileIdentity: Hashable {
  let device: UInt64
  let inode: UInt64
}
