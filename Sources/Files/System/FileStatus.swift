import Scanning
import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The type, identity, size and times of a file, folder or device at a path.
///
/// Equal until the file changes. `Stat` also compares the time of the last access, which reading changes.
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
  package let mode: UInt32
  /// The user id of the owner.
  package let owner: UInt32
  package let size: Int
  /// Modification time of the bytes, in nanoseconds since 1970.
  package let modified: Int64
  /// Inode change time, in nanoseconds since 1970; programs cannot set it.
  package let changed: Int64

  /// Creates the status of a path; `nil` when the system returns none, usually because nothing is there.
  ///
  /// Links are followed unless `followsLinks` is false.
  package init?(of path: String, followsLinks: Bool = true) {
    let path = SystemPath.bytes(of: path)
    // Safe: the system copies the path during the call.
    guard let status = try? unsafe Stat(path, followTargetSymlink: followsLinks) else { return nil }
    self.init(status)
  }

  /// Returns the status of a path; `nil` when nothing is there, an error when the system cannot say.
  static func ofAnything(at path: String) throws(OutputError) -> FileStatus? {
    do throws(Errno) {
      // Safe: the system copies the path during the call.
      return FileStatus(try unsafe Stat(SystemPath.bytes(of: path)))
    } catch {
      let absences: [Errno] = [
        .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .fileNameTooLong,
      ]
      guard absences.contains(error) else {
        throw OutputFileSystem.failure("look at", path, error)
      }
      return nil
    }
  }

  /// Creates the status of an open file.
  init?(ofDescriptor descriptor: FileDescriptor) {
    guard let status = try? descriptor.stat() else { return nil }
    self.init(status)
  }

  private init(_ status: Stat) {
    kind =
      switch status.type {
      case .regular: .file
      case .directory: .folder
      case .symbolicLink: .link
      default: .other
      }
    device = UInt64(status.deviceID.rawValue)
    inode = UInt64(status.inode.rawValue)
    mode = UInt32(status.permissions.rawValue)
    owner = status.userID.rawValue
    size = Int(status.size)
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
    1_000_000_000 * Int64(time.tv_sec) + Int64(time.tv_nsec)
  }
}

/// Identifies a file or a folder on this system.
struct FileIdentity: Hashable {
  let device: UInt64
  let inode: UInt64
}
