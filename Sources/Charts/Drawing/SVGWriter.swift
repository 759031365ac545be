/// Writes the elements of one figure.
///
/// All texts are escaped here, and all coordinates become digits here.
package struct SVGWriter: Sendable {
  /// The id of the figure: ASCII letters, digits, `-` and `_`.
  let id: String

  private(set) var body = ""

  /// Creates an empty drawing.
  ///
  /// - Parameter id: The id of the figure; other bytes than letters, digits, `-` and `_` become `-`.
  init(id: String) {
    let bytes = id.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        byte
      default: UInt8(ascii: "-")
      }
    }
    self.id = String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the start tag of an element.
  mutating func open(_ name: String, _ attributes: Attributes = [:]) {
    body += Self.tag(name, attributes) + ">"
  }

  /// Writes the end tag of an element.
  mutating func close(_ name: String) { body += "</\(name)>" }

  /// Writes an element without content.
  mutating func add(_ name: String, _ attributes: Attributes) {
    body += Self.tag(name, attributes) + "/>"
  }

  /// Writes an element with text.
  mutating func add(_ name: String, _ attributes: Attributes = [:], text: String) {
    body +=
      Self.tag(name, attributes)
      + ">\(XMLText.escaped(text, keepsLines: name == "title"))</\(name)>"
  }

  /// Writes text between tags.
  mutating func add(text: String) { body += XMLText.escaped(text) }

  /// Writes what another writer has written.
  mutating func add(markup other: SVGWriter) { body += other.body }

  private static func tag(_ name: String, _ attributes: Attributes) -> String {
    var tag = "<"
    tag += name
    for (name, value) in attributes.pairs {
      tag += " "
      tag += name
      tag += "=\""
      tag += XMLText.escaped(value, keepsLines: true)
      tag += "\""
    }
    return tag
  }
}
