import ReportCache
import Scanning
import SubreportTestSupport

/// Frames and cache entries with changed contents and right checksums.
enum Forgery {
  /// One frame, or one cache entry.
  struct Part {
    /// The third line: the label of a frame, the name of an entry.
    var name: String
    /// The version of the program, in the second line.
    var version: String
    var content: [UInt8]

    /// Reads a frame without its length, or an entry; `nil` for other bytes.
    init?(_ bytes: [UInt8]) {
      let lines = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
      guard lines.count == 4, lines[3].count >= 8 else { return nil }
      let second = String(decoding: lines[1], as: UTF8.self)
      version = second.split(separator: " ").last.map(String.init) ?? ""
      name = String(decoding: lines[2], as: UTF8.self)
      content = Array(lines[3].dropLast(8))
    }

    /// The kind of a frame.
    var kind: Substring { name.split(separator: " ").first ?? "" }

    /// The header, the content and the checksum of both.
    var bytes: [UInt8] {
      let (header, checksum) = CacheEntry.headerAndChecksum(
        of: content, name: name, version: version)
      return header + content + checksum
    }

    /// The plan that a frame is, as the labels of later frames name it.
    var identity: String {
      var hasher = ByteHasher()
      hasher.add(content.span, content.indices)
      let digits = String(hasher.finished(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
  }

  /// Reads the frames of a step.
  static func frames(_ bytes: [UInt8]) -> [Part] {
    var frames: [Part] = []
    var rest = bytes[...]
    while rest.count > 8 {
      let length = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(8)
      if let part = Part(Array(rest.prefix(length))) { frames.append(part) }
      rest = rest.dropFirst(length)
    }
    return frames
  }

  /// Returns frames as a step reads them.
  static func bytes(of frames: [Part]) -> [UInt8] {
    frames.flatMap { frame in
      let bytes = frame.bytes
      return (0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
    }
  }

  // MARK: Changes

  /// Numbers at which readers of numbers and sums fail.
  private static let numbers: [UInt64] = [
    0, 1, 2, 3, 126, 127, 128, 255, 256, 65_535, 1 << 16, 1 << 31 - 1, 1 << 31, 1 << 32 - 1,
    1 << 32,
    1 << 33 - 1, 1 << 40, 1 << 53, 1 << 56, 1 << 62, 1 << 63, .max, .max - 1,
  ]

  /// Returns a content with one to three numbers changed.
  static func changed(_ content: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var content = content
    for _ in 0..<Int.random(in: 1...3, using: &random) where !content.isEmpty {
      let place = Int.random(in: content.indices, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: content[place] = UInt8.random(in: 0...255, using: &random)
      case 2:
        content[place] = [0, 1, 2, 3, 0x7E, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
      case 3: content[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 4:
        // A number in a column takes eight or four bytes.
        let number = numbers.randomElement(using: &random) ?? 0
        for byte in 0..<8 where place + byte < content.count {
          content[place + byte] = UInt8(truncatingIfNeeded: number >> UInt64(8 * byte))
        }
      default: replaceNumber(at: place, in: &content, &random)
      }
    }
    return content
  }

  /// Replaces a number of seven bits a byte by one that may be longer, and mends the length before it.
  private static func replaceNumber(
    at place: Int, in content: inout [UInt8], _ random: inout SeededGenerator
  ) {
    var number = numbers.randomElement(using: &random) ?? 0
    var new: [UInt8] = []
    repeat {
      new.append(UInt8(number & 0x7F) | (number > 0x7F ? 0x80 : 0))
      number >>= 7
    } while number > 0
    let end = content[place...].firstIndex { $0 < 0x80 }.map { $0 + 1 } ?? content.count
    let growth = new.count - (end - place)
    // Any number before it that may be the length of a run with this place in it.
    var lengths: [Int] = []
    for start in (0..<place).reversed() {
      guard let (length, from) = Self.number(at: start, in: content) else { continue }
      if length > 16, from <= place, from + length >= end, from + length <= content.count {
        lengths.append(start)
      }
    }
    content.replaceSubrange(place..<end, with: new)
    guard growth != 0, let start = lengths.prefix(40).randomElement(using: &random),
      let (length, from) = Self.number(at: start, in: content)
    else { return }
    var mended = UInt64(max(0, length + growth))
    for byte in start..<from {
      content[byte] = UInt8(mended & 0x7F) | (byte + 1 < from ? 0x80 : 0)
      mended >>= 7
    }
  }

  /// Returns the number at a place, and the place after it; `nil` for one that is no length.
  private static func number(at place: Int, in content: [UInt8]) -> (Int, Int)? {
    var (value, end) = (0, place)
    while end < content.count, end - place < 4 {
      value |= Int(content[end] & 0x7F) << (7 * (end - place))
      end += 1
      if content[end - 1] < 0x80 { return (value, end) }
    }
    return nil
  }
}
