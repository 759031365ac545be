/// A text that equals another only if both have the same bytes.
///
/// `String` compares what people see: `é` as one code point equals `e` with a combining accent. In reports these are two
/// names, and on disk two paths. So names, paths and other keys from inputs are compared with `isSame(as:)`, and are keys
/// of dictionaries and members of sets in this type. `Scripts/exact-texts` finds others.
package struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  /// The text.
  package let text: String

  package init(_ text: String) { self.text = text }

  package init(stringLiteral text: String) { self.text = text }

  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.isSame(as: right.text)
  }

  package static func < (left: ExactText, right: ExactText) -> Bool {
    left.text.precedes(right.text)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    // Safe: the hasher only reads the bytes, within the call.
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // A key of several texts: "a" and "bc" are not "ab" and "c".
    hasher.combine(UInt8(0xFF))
  }
}

extension ExactText: CustomStringConvertible {
  package var description: String { text }
}

extension Dictionary where Key == ExactText {
  /// The value of a text.
  @_disfavoredOverload
  package subscript(text: String) -> Value? {
    get { self[ExactText(text)] }
    set { self[ExactText(text)] = newValue }
  }

  /// The value of a text, or a default one.
  @_disfavoredOverload
  package subscript(text: String, default value: @autoclosure () -> Value) -> Value {
    get { self[ExactText(text), default: value()] }
    _modify { yield &self[ExactText(text), default: value()] }
  }
}

extension Set<ExactText> {
  /// Creates the set of some texts.
  package init(of texts: some Sequence<String>) {
    self = texts.reduce(into: []) { $0.insert(ExactText($1)) }
  }

  /// Returns whether a text is a member.
  package func contains(_ text: String) -> Bool { contains(ExactText(text)) }

  /// Adds a text; returns whether it is new.
  @discardableResult
  package mutating func insert(_ text: String) -> Bool { insert(ExactText(text)).inserted }

  /// The texts, ordered by their bytes.
  package var inOrder: [String] { sorted().map(\.text) }
}
