import Scanning

/// Caches the meaning of each text in a column.
///
/// Thousands of descriptions share a handful of durations and offers.
struct TextMeanings<Meaning: Sendable>: Sendable {
  private let meaning: @Sendable (String) -> Meaning?
  private var texts = SymbolTable()
  private var meanings: [Meaning] = []

  /// Creates an empty cache.
  ///
  /// - Parameter meaning: Returns the meaning of a text, or `nil` if it has none.
  init(_ meaning: @escaping @Sendable (String) -> Meaning?) {
    self.meaning = meaning
  }

  /// Returns the meaning of a text.
  ///
  /// - Parameters:
  ///   - line: The line that holds the text.
  ///   - range: Where the text is.
  /// - Returns: Its meaning; `nil` when it has none.
  mutating func meaning(_ line: Span<UInt8>, _ range: Range<Int>) -> Meaning? {
    if let number = texts.find(line, range) { return meanings[Int(number)] }
    // Texts without a meaning are not cached: there may be any number of them.
    guard let meaning = meaning(text(line, range)) else { return nil }
    _ = texts.id(of: line, range)
    meanings.append(meaning)
    return meaning
  }
}
