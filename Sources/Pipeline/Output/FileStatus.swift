package import Glibc
import Scanning

/// What a path names, as far as inputs and outputs need to know.
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
  /// The user whose it is.
  package let owner: uid_t
  package let size: Int
  /// When the bytes changed, in nanoseconds since 1970.
  package let modified: Int64
  /// When the bytes or what is said of the file changed; no program can choose it.
  package let changed: Int64

  /// Looks at a path.
  ///
  /// The status is `nil` when the system does not tell, usually because nothing is there.
  /// A link stands for what it names, unless `followsLinks` is false.
  package init?(of path: String, followsLinks: Bool = true) {
    var status = stat()
    let path = SystemPath.bytes(of: path)
    let result = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
    guard result == 0 else { return nil }
    self.init(status)
  }

  /// Looks at a path where there may be nothing.
  ///
  /// - Throws: ``OutputError/system(operation:path:number:)`` when the system does not say whether there is.
  static func ofAnything(at path: String) throws(OutputError) -> FileStatus? {
    if let status = FileStatus(of: path) { return status }
    guard errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENAMETOOLONG else {
      throw OutputFileSystem.failure("look at", path)
    }
    return nil
  }

  /// Looks at an open file.
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

  /// What two paths share that name the same file.
  var identity: FileIdentity { FileIdentity(device: device, inode: inode) }

  /// The present time, in nanoseconds since 1970.
  package static var now: Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// Tells a file or a folder from all others of a system.
struct FileIdentity: Hashable {
  let device: UInt64
  let inode: UInt64
}
