import Scanning
import SubreportTestSupport
import Testing

@Suite("Gzip")
struct GzipTests {
  static let text = Array("Event Date\tEvent\n2026-01-01\tRenew\n2026-01-02\tCancel\n".utf8)

  @Test(arguments: [1, 2, 3, 7, 1 << 18])
  func `reads members one after the other, also empty ones`(blockSize: Int) {
    let file = gzip(Array("a\nb".utf8)) + gzip([]) + gzip(Array("c\n".utf8)) + gzip(Array("d".utf8))
    let scanned = ScannedText(file, storedBlockSize: blockSize, textBlockSize: blockSize)
    #expect(scanned.error == nil)
    #expect(scanned.texts == ["a", "bc", "d"])
  }

  @Test(arguments: 0..<32 as Range<UInt8>)
  func `skips every optional part of a header`(flags: UInt8) {
    let scanned = ScannedText(Self.member(flags: flags), storedBlockSize: 3)
    #expect(scanned.error == nil)
    #expect(scanned.textBytes == Self.text)
  }

  @Test(arguments: [1, 5, 1 << 18])
  func `tells every cut from a whole file`(blockSize: Int) {
    let file = Self.member(flags: 0x1E) + gzip(Self.text)
    let boundary = Self.member(flags: 0x1E).count
    for length in 2..<file.count where length != boundary {
      let scanned = ScannedText(Array(file[..<length]), storedBlockSize: blockSize)
      #expect(scanned.error == .gzipTruncated(byteOffset: length))
    }
    #expect(ScannedText(Array(file[..<boundary])).error == nil)
    #expect(ScannedText(file).error == nil)
  }

  @Test(arguments: 0..<8 as Range<UInt8>)
  func `never takes a damaged file for another text`(bit: UInt8) {
    let file = Self.member(flags: 0x1E) + gzip(Self.text)
    // Without its first two bytes a file is not gzip but text.
    for offset in file.indices.dropFirst(2) {
      var damaged = file
      damaged[offset] ^= 1 << bit
      let scanned = ScannedText(damaged)
      if scanned.error == nil { #expect(scanned.textBytes == Self.text + Self.text) }
      if let error = scanned.error { #expect(error.isCorruption) }
    }
  }

  @Test(arguments: 0..<4)
  func `finds a wrong checksum and a wrong length, each in its member`(byte: Int) {
    let first = gzip(Self.text)
    let file = first + gzip(Self.text)
    var damaged = file
    damaged[file.count - 8 + byte] ^= 0x10
    #expect(ScannedText(damaged).error == .gzipChecksum(byteOffset: file.count - 8))
    damaged = file
    damaged[file.count - 4 + byte] ^= 0x10
    #expect(ScannedText(damaged).error == .gzipLength(byteOffset: file.count - 4))
    damaged = file
    damaged[first.count - 8 + byte] ^= 0x10
    #expect(ScannedText(damaged).error == .gzipChecksum(byteOffset: first.count - 8))
  }

  @Test
  func `finds a wrong header checksum`() {
    var file = Self.member(flags: 0x02)
    file[10] ^= 1
    #expect(ScannedText(file).error == .gzipChecksum(byteOffset: 10))
  }

  static let tails: [([UInt8], ScanError?)] = [
    ([0], nil), (Array(repeating: 0, count: 600), nil),
    (Array("garbage".utf8), .gzipTrailingGarbage(byteOffset: 0)),
    ([0, 0, 7], .gzipTrailingGarbage(byteOffset: 2)),
    ([0x1F, 0x1F], .gzipTrailingGarbage(byteOffset: 0)),
    ([0, 0x1F, 0x8B], .gzipTrailingGarbage(byteOffset: 1)),
    ([0x1F], .gzipTruncated(byteOffset: 1)),
    ([0x1F, 0x8B, 0x07], .gzipDamaged(byteOffset: 2)),
    ([0x1F, 0x8B, 0x08, 0x80], .gzipDamaged(byteOffset: 3)),
  ]

  @Test(arguments: tails)
  func `accepts zeros after the last member and nothing else`(tail: [UInt8], error: ScanError?) {
    let file = gzip(Self.text)
    for blockSize in [1, 2, 3, 1 << 18] {
      let scanned = ScannedText(file + tail, storedBlockSize: blockSize)
      #expect(scanned.textBytes == Self.text)
      let expected: ScanError? =
        switch error {
        case .gzipTrailingGarbage(let offset): .gzipTrailingGarbage(byteOffset: file.count + offset)
        case .gzipTruncated(let offset): .gzipTruncated(byteOffset: file.count + offset)
        case .gzipDamaged(let offset): .gzipDamaged(byteOffset: file.count + offset)
        default: error
        }
      #expect(scanned.error == expected)
    }
  }

  @Test
  func `hands out the lines before the place where a file was cut`() {
    var random = SeededGenerator(seed: 1)
    let text = (0..<200_000).flatMap { _ in
      Array("\(UInt64.random(in: 0...99_999, using: &random))\n".utf8)
    }
    let file = gzip(text)
    let scanned = ScannedText(Array(file.dropLast(9)))
    #expect(scanned.error == .gzipTruncated(byteOffset: file.count - 9))
    #expect(scanned.lines.count > 199_990)
    #expect(text.starts(with: scanned.textBytes))
  }

  @Test
  func `keeps its codes`() {
    let errors: [ScanError] = [
      .cannotOpen(errno: 2), .cannotRead(errno: 5, byteOffset: 7), .gzipTruncated(byteOffset: 7),
      .gzipChecksum(byteOffset: 7), .gzipLength(byteOffset: 7),
      .gzipTrailingGarbage(byteOffset: 7), .gzipDamaged(byteOffset: 7),
    ]
    #expect(
      errors.map(\.code) == [
        "cannot-open", "cannot-read", "gzip-truncated", "gzip-wrong-checksum", "gzip-wrong-length",
        "gzip-trailing-garbage", "gzip-damaged",
      ])
    let withOffset = errors.dropFirst().filter { $0.message.contains("byte 7") }
    #expect(withOffset.count == 6)
  }

  /// Returns a member with the given flags, every flagged part being there.
  static func member(flags: UInt8) -> [UInt8] {
    var header: [UInt8] = [0x1F, 0x8B, 8, flags, 1, 2, 3, 4, 0, 3]
    if flags & 0x04 != 0 { header += [5, 0, 0, 1, 2, 3, 4] }
    if flags & 0x08 != 0 { header += Array("events.txt".utf8) + [0] }
    if flags & 0x10 != 0 { header += Array("a comment".utf8) + [0] }
    if flags & 0x02 != 0 {
      // The trailer of a member that holds the header has the header's CRC-32.
      header += gzip(header).suffix(8).prefix(2)
    }
    return header + gzip(text).dropFirst(10)
  }
}
