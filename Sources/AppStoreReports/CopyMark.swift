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
  private static let endings: [String] = [".txt", ".tsv", ".csv", ".gz", ".zip"]

  /// Reads the name of a file, without folders; `nil` for one without a mark.
  package init?(in name: String) {
    // Before all endings, as in `X (1).txt.gz`, or before the last of them, as in `X.txt (1).gz`.
    let places = Self.stemLengths(name)
    for length in [places.last, places.dropFirst().first].compactMap(\.self) {
      let stem = name.utf8.prefix(length)
      guard let (count, number, isCertain) = Self.mark(endOf: Array(stem)) else { continue }
      let kept = stem.dropLast(count)
      guard !kept.isEmpty else { continue }
      original = String(Substring(kept)) + String(Substring(name.utf8.dropFirst(length)))
      self.number = number
      self.isCertain = isCertain
      return
    }
    return nil
  }

  /// Returns the length of a name, and its lengths without its last ending, without its last two, and so on.
  private static func stemLengths(_ name: String) -> [Int] {
    var lengths = [name.utf8.count]
    let lowercased = name.lowercased()
    guard lowercased.utf8.count == name.utf8.count else { return lengths }
    var rest = Substring(lowercased)
    while let ending = endings.first(where: rest.hasSuffix) {
      rest = rest.dropLast(ending.count)
      lengths.append(rest.utf8.count)
    }
    return lengths
  }

  /// Returns the mark at the end of a name without endings: its length, its number, and whether it is certain.
  private static func mark(endOf stem: [UInt8]) -> (count: Int, number: Int, isCertain: Bool)? {
    for word in [" copy", " - Copy"] where stem.ends(with: word) {
      return (word.utf8.count, -1, true)
    }
    let isInBrackets = stem.last == UInt8(ascii: ")")
    let rest = isInBrackets ? stem.dropLast() : stem[...]
    let digits = rest.suffix(while: { 0x30...0x39 ~= $0 })
    guard (1...9).contains(digits.count), let number = Int(String(decoding: digits, as: UTF8.self))
    else { return nil }
    var kept = Array(rest.dropLast(digits.count))
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

extension [UInt8] {
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
