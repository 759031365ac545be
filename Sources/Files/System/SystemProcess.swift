#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The process that runs this program.
package enum SystemProcess {
  /// Its id.
  package static var id: Int32 { getpid() }
  /// The id of the user whose permissions it has.
  package static var user: UInt32 { geteuid() }

  /// The folder in which it works; `nil` when that is removed.
  package static var folder: String? {
    guard let text = unsafe getcwd(nil, 0) else { return nil }
    // Safe: the system made the text for this call; it is copied before it is freed.
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }

  /// Returns whether there is a process with an id.
  package static func exists(_ id: Int32) -> Bool { kill(id, 0) == 0 || errno != ESRCH }

  /// Returns the value of an environment variable; `nil` when it is not set.
  package static func environment(_ name: String) -> String? {
    // Safe: the text is copied before anything can change the environment.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
