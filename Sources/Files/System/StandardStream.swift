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

  /// Whether it is a terminal.
  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// The columns and lines that its terminal has now; `nil` without a terminal.
  package var terminalSize: (columns: Int, lines: Int)? {
    var size = winsize()
    // Safe: the call fills only the structure passed to it.
    guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Writes bytes.
  ///
  /// - Throws: ``OutputError/system(operation:path:number:)``, with the path `standard output` or `standard error`.
  package func write(_ bytes: [UInt8]) throws(OutputError) {
    try OutputFileSystem.write(bytes, to: rawValue, path: "standard \(self)")
  }
}
