/// A member in the central directory of a zip archive.
struct ZipEntry {
  static let localSignature: [UInt8] = [0x50, 0x4B, 3, 4]
  static let signature: [UInt8] = [0x50, 0x4B, 1, 2]
  static let byteCountBeforeName = 46
  static let localByteCount = 30
  /// The number in a field of 32 bits whose value is in the zip64 field.
  private static let isElsewhere = 0xFFFF_FFFF

  /// The path in the archive, as messages show it.
  let name: String
  let method: Int
  let checksum: UInt32
  /// The number of bytes in the archive.
  private(set) var packedCount: Int
  /// The number of bytes after inflating.
  private(set) var byteCount: Int
  /// The offset in the archive of the header before the member's bytes.
  private(set) var headerOffset: Int
  /// The offset in the archive of the member's first packed byte, without the extra field of the header at first.
  var dataOffset: Int
  private let flags: Int
  private let storedName: [UInt8]

  /// Reads the member at an offset of the central directory, and moves the offset to the next one.
  ///
  /// `nil` if there is none, or if its numbers are too large for any file.
  init?(_ bytes: [UInt8], _ offset: inout Int) {
    let start = offset
    guard bytes[start...].starts(with: Self.signature),
      start + Self.byteCountBeforeName <= bytes.count
    else {
      return nil
    }
    let nameEnd = start + Self.byteCountBeforeName + bytes.uint16(start + 28)
    let extraEnd = nameEnd + bytes.uint16(start + 30)
    let end = extraEnd + bytes.uint16(start + 32)
    // A member of another disk is not here.
    guard end <= bytes.count, bytes.uint16(start + 34) == 0 else { return nil }
    storedName = Array(bytes[(start + Self.byteCountBeforeName)..<nameEnd])
    flags = bytes.uint16(start + 8)
    method = bytes.uint16(start + 10)
    checksum = UInt32(bytes.uint32(start + 16))
    packedCount = bytes.uint32(start + 20)
    byteCount = bytes.uint32(start + 24)
    headerOffset = bytes.uint32(start + 42)
    dataOffset = 0
    name = ZipName.text(of: storedName, madeBy: bytes.uint16(start + 4))
    guard readZip64(Array(bytes[nameEnd..<extraEnd])) else { return nil }
    // So that no sum of them overflows.
    guard [packedCount, byteCount, headerOffset].allSatisfy({ $0 < 1 << 60 }), !name.isEmpty else {
      return nil
    }
    dataOffset = headerOffset + Self.localByteCount + storedName.count
    offset = end
  }

  /// Reads the numbers that need 64 bits; returns whether all are there.
  private mutating func readZip64(_ extra: [UInt8]) -> Bool {
    var missing = [packedCount, byteCount, headerOffset].count { $0 == Self.isElsewhere }
    var offset = 0
    while missing > 0, offset + 4 <= extra.count {
      let (kind, size) = (extra.uint16(offset), extra.uint16(offset + 2))
      offset += 4
      if kind == 1 {
        guard size >= 8 * missing, offset + size <= extra.count else { return false }
        for path in [\Self.byteCount, \Self.packedCount, \Self.headerOffset]
        where self[keyPath: path] == Self.isElsewhere {
          self[keyPath: path] = extra.uint64(offset)
          offset += 8
        }
        missing = 0
      } else {
        offset += size
      }
    }
    return missing == 0
  }

  /// Whether the member is a file to read.
  var isRead: Bool { Self.isRead(name) }

  /// Returns whether a member of this name is a file to read.
  static func isRead(_ name: String) -> Bool {
    guard !name.hasSuffix("/") else { return false }
    let parts = name.split(separator: "/")
    return !parts.contains("__MACOSX") && parts.last?.hasPrefix(".") == false
  }

  var isEncrypted: Bool { flags & 0x41 != 0 }

  /// The offset in the archive after the member's last packed byte.
  var endOffset: Int { dataOffset + packedCount }

  /// The number of bytes of the header before the member's bytes, without its extra field.
  var headerByteCount: Int { Self.localByteCount + storedName.count }

  /// Returns whether the header before the member's bytes says the same.
  ///
  /// It has no sizes and no checksum where these follow the bytes, or need 64 bits.
  func agrees(with header: [UInt8]) -> Bool {
    guard header.count == headerByteCount, header.starts(with: Self.localSignature),
      header.uint16(8) == method, header.uint16(6) & 0x41 == flags & 0x41,
      header[Self.localByteCount...].elementsEqual(storedName)
    else { return false }
    guard header.uint16(6) & 8 == 0 else { return true }
    let numbers = [(14, Int(checksum)), (18, packedCount), (22, byteCount)]
    return numbers.allSatisfy { offset, number in
      let found = header.uint32(offset)
      return found == number || found == Self.isElsewhere && offset > 14
    }
  }
}

/// Names of members as text.
enum ZipName {
  /// The characters of the bytes from 128 on in the code page of DOS, which names have that are not UTF-8.
  private static let upperHalf = Array(
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}"
      .unicodeScalars)

  /// Returns a name as messages show it.
  ///
  /// - Parameters:
  ///   - bytes: The name in the archive.
  ///   - version: The version and the system of the program that made the archive.
  /// - Returns: The text, with control characters escaped.
  static func text(of bytes: [UInt8], madeBy version: Int) -> String {
    var text = String.UnicodeScalarView()
    if let name = String(validating: bytes, as: UTF8.self) {
      text = SystemPath.shown(SystemPath.text(of: Array(name.utf8))).unicodeScalars
    } else {
      text.append(
        contentsOf: bytes.map { $0 < 0x80 ? Unicode.Scalar($0) : upperHalf[Int($0 & 0x7F)] })
    }
    // Programs of DOS and Windows separate folders by "\".
    if [0, 10].contains(version >> 8), !text.contains("/") {
      text = String.UnicodeScalarView(text.map { $0 == "\\" ? "/" : $0 })
    }
    return text.map(escaped).joined()
  }

  /// Returns a character, or what stands for a control character: `\n` for a line feed, `\u{1B}` for escape.
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case _ where scalar.properties.generalCategory == .control:
      "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    default: String(scalar)
    }
  }
}
