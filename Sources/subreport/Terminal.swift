import Files

/// The terminal that standard output goes to.
enum Terminal {
  /// Whether standard output is a terminal.
  static var isThere: Bool { StandardStream.output.isTerminal }

  /// The columns that a table may take: `COLUMNS`, else the terminal's; `nil` without either.
  static var columns: Int? {
    if let text = Settings.environment("COLUMNS"), let number = Int(text), number > 0 {
      return number
    }
    guard let size = StandardStream.output.terminalSize, size.columns > 0 else { return nil }
    return size.columns
  }

  /// The lines that a terminal shows at once: its own, else `LINES`, else 24; `nil` without a terminal.
  static var lines: Int? {
    guard isThere else { return nil }
    if let size = StandardStream.output.terminalSize, size.lines > 0 { return size.lines }
    return Settings.environment("LINES").flatMap { Int($0) } ?? 24
  }
}
