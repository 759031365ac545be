/// Something to know about the data: a line of `summary.md`, in Markdown.
package struct Problem: Sendable {
  /// The kind, such as `Missing`; blank for a line that counts more of the kind before it.
  let kind: String
  /// The problem, as a sentence.
  let text: String

  init(_ kind: String, _ text: String) {
    self.kind = kind
    self.text = text
  }

  /// The kind in bold, and the sentence.
  ///
  /// A kind with a question mark needs no colon.
  package var line: String {
    kind.isEmpty ? text : "**\(kind)\(kind.hasSuffix("?") ? "" : ":")** \(text)"
  }
}
