extension RunProgress.Snapshot {
  /// The number of cells in the bar.
  private static let barLength = 20

  /// Returns a line for a terminal that shows the progress of the run.
  ///
  /// Each stage has its own words, so that no line says "100 %" while the run still counts. A line that reaches
  /// the last column would wrap and could not be removed, so parts are left out until it is shorter.
  ///
  /// - Parameters:
  ///   - elapsed: Seconds since the run began.
  ///   - width: The columns of the terminal.
  /// - Returns: The line, without a line feed.
  public func line(elapsed: Double, width: Int) -> String {
    let lines =
      switch stage {
      case .listing: ["looking for files", "listing"]
      case .looking: ["looking at \(expectedFiles) files", "looking"]
      case .learning: ["reading names from \(expectedFiles) files", "reading names"]
      case .reading: readingLines(elapsed)
      case .counting:
        [
          "\(expectedFiles) files read, counting · \(Int(elapsed)) s",
          "counting · \(Int(elapsed)) s",
        ]
      case .making: ["making tables · \(Int(elapsed)) s", "making tables"]
      case .writing:
        ["writing \(expectedFiles) files · \(Int(elapsed)) s", "writing · \(Int(elapsed)) s"]
      }
    let fitting = lines.first { $0.count < width }
    return fitting ?? String((lines.last ?? "").prefix(max(0, width - 1)))
  }

  /// Returns the possible lines while files are read, the longest first.
  private func readingLines(_ elapsed: Double) -> [String] {
    let share = min(1, Double(bytes) / Double(max(1, expectedBytes)))
    let percent = "\(Int(share * 100)) %"
    let full = Int(share * Double(Self.barLength))
    let bar =
      String(repeating: "█", count: full)
      + String(repeating: "░", count: Self.barLength - full)
    let count = "\(files) of \(expectedFiles) files"
    let rate = "\(Int(Double(bytes) / 1e6 / max(elapsed, 0.001))) MB/s"
    // Show no remaining time before a hundredth is read, nor when all bytes are read.
    let left = share > 0.01 && share < 1 ? ["\(Int(elapsed / share - elapsed)) s left"] : []
    return [
      ["\(bar) \(percent)", count, rate] + left, ["\(bar) \(percent)", count] + left,
      [percent, count] + left, [percent] + left, [percent],
    ].map { $0.joined(separator: " · ") }
  }
}
