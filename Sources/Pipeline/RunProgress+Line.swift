extension RunProgress.Snapshot {
  /// The cells of the bar.
  private static let barLength = 20

  /// Returns a line for a terminal that says how far the run has come.
  ///
  /// Each stage has words of its own: nothing is "100 %" while the run still counts. A line that reached the last
  /// column would go on in the next one, where it cannot be removed, so parts are left out until it is shorter.
  ///
  /// - Parameters:
  ///   - elapsed: Seconds since the run began.
  ///   - width: The columns of the terminal.
  /// - Returns: The line, without an end.
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

  /// The line of a run that reads, the longest first.
  private func readingLines(_ elapsed: Double) -> [String] {
    let share = min(1, Double(bytes) / Double(max(1, expectedBytes)))
    let percent = "\(Int(share * 100)) %"
    let full = Int(share * Double(Self.barLength))
    let bar =
      String(repeating: "█", count: full)
      + String(repeating: "░", count: Self.barLength - full)
    let count = "\(files) of \(expectedFiles) files"
    let rate = "\(Int(Double(bytes) / 1e6 / max(elapsed, 0.001))) MB/s"
    // Nothing is known about the rest before a hundredth is read, nor when the last file is under way.
    let left = share > 0.01 && share < 1 ? ["\(Int(elapsed / share - elapsed)) s left"] : []
    return [
      ["\(bar) \(percent)", count, rate] + left, ["\(bar) \(percent)", count] + left,
      [percent, count] + left, [percent] + left, [percent],
    ].map { $0.joined(separator: " · ") }
  }
}
