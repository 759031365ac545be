/// An element of a figure, read back by a strict parser of its own.
struct SVGElement {
  var name: String
  var attributes: [String: String]
  var children: [SVGElement] = []

  /// The text directly inside, unescaped.
  var text = ""

  subscript(attribute: String) -> String? { attributes[attribute] }

  /// Returns an attribute as a number.
  func number(_ attribute: String) -> Double? { attributes[attribute].flatMap { Double($0) } }

  /// The attributes that elements have from the group that they stand in.
  private static let inherited: Set = [
    "text-anchor", "font-size", "pointer-events", "color", "fill-opacity",
  ]

  /// The element and all below it in the order of writing, each with what its group gives it.
  var all: [SVGElement] { [self] + children.flatMap { $0.inGroup(self).all } }

  /// Returns the element with the attributes of its parent, if that is a group.
  private func inGroup(_ parent: SVGElement) -> SVGElement {
    guard parent.name == "g" else { return self }
    var element = self
    let given = parent.attributes.filter { Self.inherited.contains($0.key) }
    element.attributes.merge(given) { own, _ in own }
    return element
  }

  /// Returns all elements below with a name.
  func all(named name: String) -> [SVGElement] { all.filter { $0.name == name } }

  /// Returns the elements below that have all of these classes.
  func all(of classes: String...) -> [SVGElement] {
    all.filter { element in
      let own = element["class"]?.split(separator: " ").map { String($0) } ?? []
      return classes.allSatisfy(own.contains)
    }
  }

  /// The text that a reader sees: that of the element and its `tspan`s, without `title`s.
  var shown: String {
    name == "title" ? "" : text + children.map(\.shown).joined()
  }

  /// The text of the child `title`.
  var title: String? { children.first { $0.name == "title" }?.text }
}

/// A fault of a figure's markup.
struct MarkupError: Error {
  let words: String
}

/// Reads the markup that charts write: elements, quoted attributes, a few entities, and nothing else.
struct SVGParser {
  private let bytes: [UInt8]
  private var place = 0

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// Returns the only element of a text.
  ///
  /// - Parameter text: The figure.
  /// - Returns: The element.
  /// - Throws: ``MarkupError`` if the text is not well-formed.
  static func parse(_ text: String) throws -> SVGElement {
    var parser = SVGParser(text)
    let element = try parser.element()
    guard parser.place == parser.bytes.count else { throw MarkupError(words: "text at the end") }
    return element
  }

  private mutating func element() throws -> SVGElement {
    try expect("<")
    var element = SVGElement(name: try name(), attributes: [:])
    while next == UInt8(ascii: " ") {
      place += 1
      let attribute = try name()
      try expect("=\"")
      let value = try text(until: UInt8(ascii: "\""))
      place += 1
      guard element.attributes.updateValue(value, forKey: attribute) == nil else {
        throw MarkupError(words: "\(attribute) twice")
      }
    }
    if next == UInt8(ascii: "/") {
      try expect("/>")
      return element
    }
    try expect(">")
    while true {
      element.text += try text(until: UInt8(ascii: "<"))
      if place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "/") { break }
      element.children.append(try self.element())
    }
    try expect("</\(element.name)>")
    return element
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func expect(_ text: String) throws {
    let wanted = Array(text.utf8)
    guard place + wanted.count <= bytes.count,
      Array(bytes[place..<place + wanted.count]) == wanted
    else { throw MarkupError(words: "no \(text) at byte \(place)") }
    place += wanted.count
  }

  private mutating func name() throws -> String {
    let start = place
    while let byte = next, Self.isNameByte(byte) { place += 1 }
    guard place > start else { throw MarkupError(words: "no name at byte \(start)") }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
  }

  private mutating func text(until end: UInt8) throws -> String {
    var result: [UInt8] = []
    while let byte = next, byte != end {
      switch byte {
      case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0..<32, 127:
        throw MarkupError(words: "byte \(byte) at \(place)")
      case UInt8(ascii: "&"): result += try entity().utf8
      default:
        result.append(byte)
        place += 1
      }
    }
    guard next == end else { throw MarkupError(words: "text without end") }
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func entity() throws -> String {
    let known = [
      "&amp;": "&", "&lt;": "<", "&gt;": ">", "&#34;": "\"", "&#39;": "'", "&#10;": "\n",
    ]
    for (escaped, plain) in known where bytes[place...].starts(with: escaped.utf8) {
      place += escaped.utf8.count
      return plain
    }
    throw MarkupError(words: "an entity at byte \(place)")
  }
}
