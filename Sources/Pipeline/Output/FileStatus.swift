import Glibc

/// What a path names, as far as writing outputs needs to know.
struct FileStatus: Equatable {
  enum Kind: Equatable {
    case file
    case folder
    case link
    /// A device, a pipe or a socket.
    case other
  }

  let kind: Kind
  let device: UInt64
  let inode: UInt64
  /// The permission bits.
  let mode: mode_t

  /// Looks at a path.
  ///
  /// The status is `nil` when the system does not tell, usually because nothing is there.
  /// A link stands for what it names, unless `followsLinks` is false.
  init?(of path: String, followsLinks: Bool = true) {
    var status = stat()
    let result = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
    guard result == 0 else { return nil }
    self.init(status)
  }

  /// Looks at an open file.
  init?(ofDescriptor descriptor: Int32) {
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
  }
}
