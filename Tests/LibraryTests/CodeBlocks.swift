/// The Swift examples in a text: lines between a fence with `swift` and the closing fence.
struct CodeBlocks {
  /// The lines of each block, without blanks at their ends.
  private(set) var blocks: [[String]] = []

  /// Reads the blocks of a Markdown page, or of the doc comments of a source file.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isSource: Whether only doc comments count.
  init(_ text: String, isSource: Bool) {
    var block: [String]?
    for line in Self.lines(text) {
      guard !isSource || line.hasPrefix("///") else {
        block = nil
        continue
      }
      let content = isSource ? Self.trimmed(line.dropFirst(3)) : line
      if content == "```swift" {
        block = []
      } else if content == "```" {
        if let block { blocks.append(block) }
        block = nil
      } else {
        block?.append(content)
      }
    }
  }

  /// The lines of a text, without blanks at their ends.
  static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(trimmed)
  }

  private static func trimmed(_ line: Substring) -> String {
    var line = line.drop { $0 == " " }
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}
