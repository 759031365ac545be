import Scanning
import Testing

/// Where damage is seen depends on the inflater; what is said of it must not.
@Suite("Damaged gzip data")
struct GzipDamageTests {
  /// 97 bytes as zlib 1.2.13 writes them at level 9, with Huffman codes of their own.
  static let member: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x95, 0x8F, 0xC1, 0x0D, 0xC0,
    0x30, 0x08, 0x03, 0xFF, 0xD9, 0xD2, 0x07, 0xEC, 0xBF, 0x42, 0x8D, 0xD3, 0x7F, 0x55, 0x29,
    0x42, 0xB1, 0x39, 0x2C, 0x60, 0x84, 0xC4, 0xD6, 0xD6, 0x3E, 0x2C, 0x63, 0x69, 0xC6, 0xBF,
    0x61, 0x1B, 0x07, 0xBA, 0x3B, 0xAE, 0x45, 0xD9, 0x83, 0xB2, 0x6C, 0xC2, 0x13, 0x30, 0x78,
    0x20, 0x96, 0xDF, 0x0E, 0x49, 0x76, 0x3D, 0x49, 0x47, 0xA5, 0x37, 0x93, 0x63, 0xA0, 0xD7,
    0x15, 0xD5, 0x1E, 0xDD, 0x69, 0x1B, 0x73, 0x17, 0xF8, 0xBF, 0xC1, 0xF7, 0x09, 0x0F, 0x10,
    0xC1, 0x30, 0x9D, 0xEB, 0x00, 0x00, 0x00,
  ]

  /// What zlib finds, and at which byte, when the bit `offset % 8` of one byte is another: a word for
  /// each byte after the first two.
  static let findings = """
    damaged@2 truncated@97 ok ok ok ok ok ok damaged@15 damaged@32 damaged@19 damaged@19
    damaged@19 damaged@19 damaged@19 damaged@19 damaged@36 damaged@27 damaged@39 damaged@40
    damaged@36 damaged@35 damaged@34 damaged@29 damaged@28 damaged@35 damaged@35 damaged@35
    damaged@33 damaged@35 damaged@35 damaged@35 damaged@35 damaged@37 damaged@38 damaged@39
    damaged@41 damaged@42 damaged@42 damaged@43 damaged@44 damaged@46 checksum@89 damaged@48
    checksum@89 damaged@51 damaged@51 checksum@89 checksum@89 checksum@89 damaged@54 damaged@56
    damaged@56 damaged@74 checksum@89 checksum@89 checksum@89 checksum@89 checksum@89
    checksum@67 damaged@67 damaged@67 damaged@74 checksum@89 checksum@89 checksum@89 damaged@74
    damaged@72 damaged@72 checksum@89 checksum@89 checksum@89 checksum@89 damaged@79 damaged@79
    damaged@79 checksum@89 checksum@89 checksum@89 checksum@89 checksum@89 damaged@88 damaged@88
    damaged@86 checksum@89 damaged@88 truncated@97 checksum@89 checksum@89 checksum@89
    checksum@89 length@93 length@93 length@93 length@93
    """

  @Test(arguments: [1, 8, 1 << 16])
  func `says of every damaged byte what zlib finds and where`(blockSize: Int) {
    let found = Self.member.indices.dropFirst(2).map { offset in
      var damaged = Self.member
      damaged[offset] ^= 1 << UInt8(offset % 8)
      return Self.finding(ScannedText(damaged, storedBlockSize: blockSize).error)
    }
    #expect(found == Self.findings.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  private static func finding(_ error: ScanError?) -> String {
    switch error {
    case nil: "ok"
    case .gzipDamaged(let offset): "damaged@\(offset)"
    case .gzipTruncated(let offset): "truncated@\(offset)"
    case .gzipChecksum(let offset): "checksum@\(offset)"
    case .gzipLength(let offset): "length@\(offset)"
    case .some(let error): error.code
    }
  }
}
