import Scanning

/// What the texts of a column mean, each worked out once: thousands of descriptions name a handful of
/// durations and offers.
struct TextMeanings<Meaning: Sendable>: Sendable {
  private let meaning: @Sendable (String) -> Meaning?
  private var texts = SymbolTable()
  private var meanings: [Meaning] = []

  /// Creates a list without texts.
  ///
  /// - Parameter meaning: Returns what a text means; `nil` when that is nothing.
  init(_ meaning: @escaping @Sendable (String) -> Meaning?) {
    self.meaning = meaning
  }

  /// Returns what a text means.
  ///
  /// - Parameters:
  ///   - line: The line that holds the text.
  ///   - range: Where the text is.
  /// - Returns: Its meaning; `nil` when it has none.
  mutating func meaning(_ line: Span<UInt8>, _ range: Range<Int>) -> Meaning? {
    if let number = texts.find(line, range) { return meanings[Int(number)] }
    // What means nothing is not kept: there may be any number of such texts.
    guard let meaning = meaning(text(line, range)) else { return nil }
    _ = texts.id(of: line, range)
    meanings.append(meaning)
    return meaning
  }
}
