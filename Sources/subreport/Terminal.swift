import Glibc

/// The terminal that standard output goes to.
enum Terminal {
  /// Whether standard output is a terminal.
  static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The columns that a table may take: `COLUMNS`, else the terminal's; `nil` without either.
  static var columns: Int? {
    if let text = Settings.environment("COLUMNS"), let number = Int(text), number > 0 {
      return number
    }
    return size.map { Int($0.ws_col) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The lines that a terminal shows at once: its own, else `LINES`, else 24; `nil` without a terminal.
  static var lines: Int? {
    guard isThere else { return nil }
    if let size, size.ws_row > 0 { return Int(size.ws_row) }
    return Settings.environment("LINES").flatMap { Int($0) } ?? 24
  }

  private static var size: winsize? {
    var size = winsize()
    // Safe: the call fills only the structure passed to it.
    guard isThere, unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return size
  }
}
