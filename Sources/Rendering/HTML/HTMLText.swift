/// Escapes words from the data for HTML.
enum HTMLText {
  /// Appends words so that HTML shows them as they are, between tags and in a quoted attribute.
  ///
  /// `&`, `<`, `>`, `"` and `'` become references. They are compared byte by byte: a quote followed by a combining mark
  /// is one `Character`, and still ends an attribute. Control characters are written out (``VisibleText``), because
  /// HTML forbids them, even as references.
  static func append(_ words: String, to buffer: inout [UInt8]) {
    for byte in VisibleText.of(words).utf8 {
      switch byte {
      case UInt8(ascii: "&"): buffer.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): buffer.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): buffer.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): buffer.append(contentsOf: "&quot;".utf8)
      case UInt8(ascii: "'"): buffer.append(contentsOf: "&#39;".utf8)
      default: buffer.append(byte)
      }
    }
  }

  /// Appends JSON so that it can stand in a `<script>` element.
  ///
  /// No `<` is left that could end the element or begin a comment: in JSON it is only in strings, where `\u003c` means
  /// the same.
  static func append(json: String, to buffer: inout [UInt8]) {
    for byte in json.utf8 {
      if byte == UInt8(ascii: "<") {
        buffer.append(contentsOf: "\\u003c".utf8)
      } else {
        buffer.append(byte)
      }
    }
  }
}
