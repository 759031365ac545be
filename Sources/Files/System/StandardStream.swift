#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif
import SystemPackage

/// A stream that is open when the program starts.
package enum StandardStream: Int32 {
  case input, output, error

  /// Whether it is a terminal.
  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// The columns and lines that its terminal has now; `nil` without a terminal.
  package var terminalSize: (columns: Int, lines: Int)? {
    var size = winsize()
    // Safe: the call fills only the structure passed to it.
    guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Reads on.
  ///
  /// - Parameter count: How many bytes; fewer are read at the end of the stream.
  /// - Returns: The bytes.
  /// - Throws: ``OutputError/system(operation:path:number:)``, with the path `standard input`.
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

  /// Reads the bytes that have arrived, and waits only for the first one.
  ///
  /// - Parameter limit: The most bytes.
  /// - Returns: The bytes; none at the end of the stream.
  /// - Throws: ``OutputError/system(operation:path:number:)``, with the path `standard input`.
  package func readAvailable(_ limit: Int) throws(OutputError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let length = try OutputFileSystem.call("read", "standard \(self)") {
      try FileDescriptor(rawValue: rawValue).fill(&bytes)
    }
    bytes.removeLast(limit - length)
    return bytes
  }

  /// Writes bytes.
  ///
  /// - Throws: ``OutputError/system(operation:path:number:)``, with the path `standard output` or `standard error`.
  package func write(_ bytes: [UInt8]) throws(OutputError) {
    try OutputFileSystem.write(bytes, to: rawValue, path: "standard \(self)")
  }
}
