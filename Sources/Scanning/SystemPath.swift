/// Converts paths and file names to text and back, even if their bytes are not UTF-8.
///
/// A file name is a sequence of bytes, for example Latin-1 in an old archive. Each byte that is not
/// part of UTF-8 becomes a private character in the text: U+10FF80 for 0x80, up to U+10FFFF for
/// 0xFF. ``bytes(of:)`` reverses this. Characters of that range in a name are converted byte by
/// byte, too, so that two different names never have the same text.
package enum SystemPath {
  /// The character that stands for the byte 0.
  private static let base: UInt32 = 0x10FF00
  /// The first UTF-8 byte of all characters that stand for a byte.
  private static let firstByte: UInt8 = 0xF4

  /// Returns the text of a path or a name.
  ///
  /// - Parameter bytes: The bytes from the system, without the zero at the end.
  /// - Returns: The text, which ``bytes(of:)`` converts back.
  package static func text(of bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !bytes.contains(firstByte) {
      return text
    }
    var text = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var (rest, offset) = (bytes.makeIterator(), 0)
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = UTF8.decode(encoded)
        let end = offset + encoded.count
        if byte(of: scalar) == nil {
          text.append(scalar)
        } else {
          text.append(contentsOf: bytes[offset..<end].compactMap(character))
        }
        offset = end
      case .error(let length):
        text.append(contentsOf: bytes[offset..<offset + length].compactMap(character))
        offset += length
      case .emptyInput: return String(text)
      }
    }
  }

  /// Returns the text of a path or a name in the system's form, which ends in a zero.
  package static func text(ofCString bytes: UnsafePointer<CChar>) -> String {
    var count = 0
    // Safe: no byte after the zero is read.
    while unsafe bytes[count] != 0 { count += 1 }
    return text(
      of: unsafe UnsafeBufferPointer(start: bytes, count: count).map { UInt8(bitPattern: $0) })
  }

  /// Returns the bytes of a path, as the system needs them.
  ///
  /// - Parameter text: The path, as the user wrote it or as ``text(of:)`` returned it.
  /// - Returns: The bytes, with a zero at their end.
  package static func bytes(of text: String) -> [CChar] {
    guard text.utf8.contains(firstByte) else { return Array(text.utf8CString) }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if let byte = byte(of: scalar) {
        bytes.append(byte)
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    return bytes.map { CChar(bitPattern: $0) } + [0]
  }

  /// Returns a path for display, in messages and tables.
  ///
  /// - Parameter text: The path, or a longer text with paths in it.
  /// - Returns: The text, with bytes that are not UTF-8 written as `\xE9`.
  package static func shown(_ text: String) -> String {
    guard text.utf8.contains(firstByte) else { return text }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let byte = byte(of: scalar) {
        shown.append(contentsOf: "\\x\(String(byte, radix: 16, uppercase: true))".unicodeScalars)
      } else {
        shown.append(scalar)
      }
    }
    return String(shown)
  }

  /// Returns a path, or a longer text with paths in it, on one line and safe for a terminal.
  package static func visible(_ text: String) -> String { printable(shown(text)) }

  private static func character(_ byte: UInt8) -> Unicode.Scalar? {
    Unicode.Scalar(base + UInt32(byte))
  }

  /// Returns the byte that a character stands for.
  private static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    scalar.value >= base + 0x80 ? UInt8(scalar.value - base) : nil
  }
}
