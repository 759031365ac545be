import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The process that runs this program.
package enum SystemProcess {
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

  package static func exists(_ id: Int32) -> Bool { kill(id, 0) == 0 || errno != ESRCH }

  /// Returns the value of an environment variable; `nil` when it is not set.
  package static func environment(_ name: String) -> String? {
    // Safe: the text is copied before anything can change the environment.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A stream that is open when the program starts.
package enum StandardStream: Int32 {
  case input, output, error

  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// The columns and lines that its terminal has now; `nil` without a terminal.
  package var terminalSize: (columns: Int, lines: Int)? {
    var size = winsize()
    // Safe: the call fills only the structure passed to it.
    guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Reads so many bytes on, fewer at the end of the stream.
  package func read(_ count: Int) throws(OutputError) -> [UInt8] {
    let descriptor = FileDescriptor(rawValue: rawValue)
    var bytes: [UInt8] = []
    while bytes.count < count {
      // A length in damaged bytes may be huge, so memory grows with the bytes that are there.
      let end = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: min(count - end, 1 << 20)))
      let length = try OutputFileSystem.call("read", "standard \(self)") {
        try descriptor.fill(&bytes, from: end)
      }
      bytes.removeLast(bytes.count - end - length)
      if length == 0 { break }
    }
    return bytes
  }

  /// Reads at most `limit` bytes that have arrived, and waits only for the first one; none at the end of the stream.
  package func readAvailable(_ limit: Int) throws(OutputError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let length = try OutputFileSystem.call("read", "standard \(self)") {
      try FileDescriptor(rawValue: rawValue).fill(&bytes)
    }
    bytes.removeLast(limit - length)
    return bytes
  }

  package func write(_ bytes: [UInt8]) throws(OutputError) {
    try OutputFileSystem.write(bytes, to: rawValue, path: "standard \(self)")
  }
}
