/// Reads an HTML page in the most obvious way, to compare it with the files beside it.
package struct PageReader {
  package let text: String

  package init(_ text: String) { self.text = text }

  /// The number of elements.
  package var elementCount: Int {
    let bytes = Array(text.utf8)
    return zip(bytes, bytes.dropFirst()).count { byte, next in
      byte == UInt8(ascii: "<") && next >= UInt8(ascii: "A")
    }
  }

  /// Returns the commands of the page, as a user copies them.
  ///
  /// - Parameter start: The first words of the commands, such as `subreport explain `.
  /// - Returns: Each command once, in the order of the page.
  package func commands(_ start: String) -> [String] {
    var found: [String] = []
    for part in Self.parts(of: text, from: "\"copy\">", to: "</code>").map(Self.unescaped)
    where part.hasPrefix(start) && !found.contains(part) {
      found.append(part)
    }
    return found
  }

  private static func unescaped(_ text: String) -> String {
    text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }

  /// Returns the texts between two others, each beginning where the one before ended.
  package static func parts(
    of text: some StringProtocol, from start: String, to end: String
  ) -> [String] {
    var parts: [String] = []
    var rest = Array(text.utf8)[...]
    while let first = place(of: start, in: rest) {
      rest = rest[(first + start.utf8.count)...]
      guard let last = place(of: end, in: rest) else { break }
      parts.append(String(decoding: rest[..<last], as: UTF8.self))
      rest = rest[(last + end.utf8.count)...]
    }
    return parts
  }

  private static func place(of word: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let wanted = Array(word.utf8)
    guard let first = wanted.first, bytes.count >= wanted.count else { return nil }
    return (bytes.startIndex...(bytes.endIndex - wanted.count)).first { place in
      bytes[place] == first && bytes[place...].starts(with: wanted)
    }
  }
}
