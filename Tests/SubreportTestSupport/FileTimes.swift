import Glibc

/// When a file changed, in nanoseconds since 1970.
package struct FileTimes {
  /// When its bytes changed; programs can choose it.
  package let modified: Int
  /// When its bytes or what is said of it changed; no program can choose it.
  package let changed: Int

  /// Looks at a file; the times are 0 when there is none.
  package init(of path: String) {
    var status = stat()
    _ = unsafe stat(path, &status)
    modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
    changed = status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec
  }

  /// Sets when a file's bytes are said to have changed.
  package static func setModified(_ path: String, to nanoseconds: Int) {
    let time = timespec(
      tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    let times = [time, time]
    _ = unsafe utimensat(AT_FDCWD, path, times, 0)
  }
}
