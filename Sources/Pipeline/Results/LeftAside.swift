import AppStoreReports

/// Files in folders of which nothing is in a number, though nothing is wrong with them: one line a kind.
struct LeftAside {
  /// What the files are, such as `2 zip archives`.
  let what: String
  /// Where they are: the first one, and how many more there are.
  let paths: [String]
  /// What to do about them.
  let advice: String

  /// The line, with the first path as a format prints paths.
  func text(path: (String) -> String) -> String {
    let first = paths.first.map(path) ?? ""
    let more = paths.count > 1 ? " and \(paths.count - 1) more" : ""
    return "\(what) (\(first)\(more)): \(advice)"
  }
}

extension RunResult {
  /// What lies in folders beside what counts, by kind.
  ///
  /// Hidden files, such as `.DS_Store`, are named in health.csv only.
  var leftAside: [LeftAside] {
    ForeignFile.allCases.compactMap { kind in
      let paths = files.filter { $0.foreign == kind && $0.problem == nil && !$0.file.isHidden }
        .map(\.file.relativePath)
      guard !paths.isEmpty else { return nil }
      return LeftAside(
        what: kind.counted(paths.count), paths: paths, advice: kind.advice(paths.count))
    } + coarserSales
  }

  /// SALES reports of weeks, months and years beside those of shorter periods.
  private var coarserSales: [LeftAside] {
    Frequency.allCases.compactMap { frequency in
      let paths = files.filter { $0.isOtherFrequency && $0.frequency == frequency }
        .map(\.file.relativePath)
      guard !paths.isEmpty else { return nil }
      return LeftAside(
        what: counted(paths.count, "\(frequency.rawValue) SALES report"), paths: paths,
        advice: "the reports of shorter periods hold the same sales")
    }
  }

  /// What lies in folders beside what counts, one line a kind; no line when there is nothing.
  public var leftAsideLines: [String] {
    leftAside.map { "left aside: " + $0.text { $0 } }
  }
}

extension InputFile {
  /// Whether the file itself is hidden, as the system's own are.
  fileprivate var isHidden: Bool { name.hasPrefix(".") }
}
