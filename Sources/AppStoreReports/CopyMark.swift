/// The mark in the name of a copy, such as ` (1)`, `-2` or ` copy`, which decides the newer of two downloads.
///
/// Browsers write `X (1).txt` (Chrome, Firefox) or `X-2.txt` (Safari), and the Finder `X 2.txt`. A copy made by hand is
/// `X copy.txt` or `X - Copy.txt`. METRICS.md section 8 has the rule.
package struct CopyMark: Equatable, Sendable {
  /// The name without the mark.
  package let original: String
  /// Its number: the higher, the newer; -1 for a copy made by hand, which is not newer.
  package let number: Int
  /// Whether it is a mark whatever other files there are; if not, it is one beside the file ``original``.
  package let isCertain: Bool

  /// The endings of names before which a mark stands.
  private static let endings = [".txt", ".tsv", ".csv", ".gz", ".zip"].map { Array($0.utf8) }

  /// Reads the name of a file, without folders; `nil` for one without a mark.
  package init?(in name: String) {
    // Before all endings, as in `X (1).txt.gz`, or before the last of them, as in `X.txt (1).gz`.
    let bytes = Array(name.utf8)
    let places = Self.stemLengths(bytes)
    for length in [places.last, places.dropFirst().first].compactMap(\.self) {
      guard let (count, number, isCertain) = Self.mark(endOf: bytes[..<length]), count < length
      else { continue }
      original = String(decoding: bytes[..<(length - count)] + bytes[length...], as: UTF8.self)
      self.number = number
      self.isCertain = isCertain
      return
    }
    return nil
  }

  /// Returns the length of a name, and its lengths without its last ending, without its last two, and so on.
  private static func stemLengths(_ name: [UInt8]) -> [Int] {
    var lengths = [name.count]
    var rest = name[...]
    while let ending = endings.first(where: { rest.suffix($0.count).elementsEqual($0, by: isSame) })
    {
      rest = rest.dropLast(ending.count)
      lengths.append(rest.count)
    }
    return lengths
  }

  /// Returns whether a byte is a character of an ending, or its capital letter.
  private static func isSame(_ byte: UInt8, _ character: UInt8) -> Bool {
    byte == character || (0x41...0x5A).contains(byte) && byte + 0x20 == character
  }

  /// Returns the mark at the end of a name without endings: its length, its number, and whether it is certain.
  private static func mark(endOf stem: ArraySlice<UInt8>) -> (
    count: Int, number: Int, isCertain: Bool
  )? {
    for word in [" copy", " - Copy"] where stem.ends(with: word) {
      return (word.utf8.count, -1, true)
    }
    let isInBrackets = stem.last == UInt8(ascii: ")")
    let rest = isInBrackets ? stem.dropLast() : stem
    let digits = rest.suffix(while: { 0x30...0x39 ~= $0 })
    guard (1...9).contains(digits.count), let number = Int(String(decoding: digits, as: UTF8.self))
    else { return nil }
    var kept = rest.dropLast(digits.count)
    if isInBrackets {
      guard kept.last == UInt8(ascii: "(") else { return nil }
      kept.removeLast()
      if kept.ends(with: " - Copy ") { return (stem.count - kept.count + 8, -1, true) }
      if kept.last == UInt8(ascii: " ") { kept.removeLast() }
      return (stem.count - kept.count, number, true)
    }
    if kept.ends(with: " copy ") { return (stem.count - kept.count + 6, -1, true) }
    guard let sign = kept.last, [UInt8(ascii: "-"), UInt8(ascii: " ")].contains(sign),
      (2...99).contains(number), digits.first != UInt8(ascii: "0")
    else { return nil }
    return (digits.count + 1, number, false)
  }
}

extension ArraySlice<UInt8> {
  fileprivate func ends(with text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}

extension BidirectionalCollection {
  /// Returns the longest end whose elements all meet a condition.
  fileprivate func suffix(while holds: (Element) -> Bool) -> SubSequence {
    var start = endIndex
    while start > startIndex, holds(self[index(before: start)]) { start = index(before: start) }
    return self[start...]
  }
}
