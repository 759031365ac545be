/// A table in a Markdown document whose first column names commands.
struct MarkdownTable {
  /// The first word of each code span in the first column that is a name, in order.
  let names: [String]

  /// Finds the first table whose first column has a title, whatever its case.
  init(in text: String, headedBy title: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let rows = lines.drop { !Self.isHeader($0, title) }.prefix { $0.hasPrefix("|") }.dropFirst(2)
    names = rows.flatMap { Self.codeSpans(in: Self.firstCell(of: $0)) }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
      .filter { $0.first?.isLowercase == true }
  }

  private static func isHeader(_ line: Substring, _ title: String) -> Bool {
    firstCell(of: line).split(separator: " ").map { $0.lowercased() } == [title]
  }

  private static func firstCell(of line: Substring) -> Substring {
    guard line.hasPrefix("|") else { return "" }
    return line.dropFirst().prefix { $0 != "|" }
  }

  /// Every second part between backticks; an escaped bar may have cut the last one short.
  private static func codeSpans(in cell: Substring) -> [Substring] {
    let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
    return parts.indices.filter { $0.isMultiple(of: 2) == false }.map { parts[$0] }
  }
}
