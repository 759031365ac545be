/// Makes zip archives, with the faults that a test needs.
package struct ZipMaker {
  /// A file of the archive.
  package struct Member {
    package var name: [UInt8]
    package var bytes: [UInt8]
    package var isDeflated = true
    package var isEncrypted = false
    /// Whether sizes and checksum follow the bytes, and are not before them.
    package var hasDescriptor = false
    /// Whether the sizes are in an extra field of 64-bit numbers.
    package var isZip64 = false
    /// The program's system in the central directory: 0 DOS, 3 Unix.
    package var system = 3
    /// The number of bytes that the archive states; `nil` for the right one.
    package var statedCount: Int?

    package init(_ name: String, _ bytes: [UInt8], isDeflated: Bool = true) {
      self.init(Array(name.utf8), bytes, isDeflated: isDeflated)
    }

    package init(_ name: [UInt8], _ bytes: [UInt8], isDeflated: Bool = true) {
      self.name = name
      self.bytes = bytes
      self.isDeflated = isDeflated
    }
  }

  package var members: [Member]
  /// Whether the end has a record of 64-bit numbers.
  package var isZip64 = false
  /// The number of members that the end states; `nil` for the right one.
  package var statedCount: Int?

  package init(_ members: [Member]) { self.members = members }

  /// Returns an archive of deflated files.
  package static func archive(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    ZipMaker(files.map { Member($0.name, $0.bytes) }).archive
  }

  /// The bytes of the archive.
  package var archive: [UInt8] {
    var bytes: [UInt8] = []
    var directory: [UInt8] = []
    for member in members {
      let offset = bytes.count
      let packed = member.packed
      bytes += member.header(packed.bytes.count, packed.checksum) + packed.bytes
      if member.hasDescriptor {
        bytes += [0x50, 0x4B, 7, 8] + packed.checksum + little(packed.bytes.count, 4)
        bytes += little(member.bytes.count, 4)
      }
      directory += member.entry(packed.bytes.count, packed.checksum, offset)
    }
    let start = bytes.count
    let count = statedCount ?? members.count
    bytes += directory
    if isZip64 {
      let record = bytes.count
      bytes += [0x50, 0x4B, 6, 6] + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 8)
      bytes += little(count, 8) + little(count, 8) + little(directory.count, 8) + little(start, 8)
      bytes += [0x50, 0x4B, 6, 7] + little(0, 4) + little(record, 8) + little(1, 4)
    }
    bytes += [0x50, 0x4B, 5, 6] + little(0, 4) + little(count, 2) + little(count, 2)
    return bytes + little(directory.count, 4) + little(start, 4) + little(0, 2)
  }
}

extension ZipMaker.Member {
  fileprivate var packed: (bytes: [UInt8], checksum: [UInt8]) {
    let member = gzip(bytes)
    let checksum = Array(member.suffix(8).prefix(4))
    return (isDeflated ? Array(member.dropFirst(10).dropLast(8)) : bytes, checksum)
  }

  private var start: [UInt8] {
    let flags = (isEncrypted ? 1 : 0) + (hasDescriptor ? 8 : 0)
    return little(20, 2) + little(flags, 2) + little(isDeflated ? 8 : 0, 2) + little(0x21 << 16, 4)
  }

  private func sizes(_ packedCount: Int) -> [UInt8] {
    isZip64
      ? little(0xFFFF_FFFF, 4) + little(0xFFFF_FFFF, 4)
      : little(packedCount, 4) + little(statedCount ?? bytes.count, 4)
  }

  private func extra(_ packedCount: Int) -> [UInt8] {
    isZip64
      ? little(1, 2) + little(16, 2) + little(statedCount ?? bytes.count, 8)
        + little(packedCount, 8) : []
  }

  fileprivate func header(_ packedCount: Int, _ checksum: [UInt8]) -> [UInt8] {
    let numbers = hasDescriptor ? little(0, 12) : checksum + sizes(packedCount)
    let extra = extra(packedCount)
    return [0x50, 0x4B, 3, 4] + start + numbers + little(name.count, 2) + little(extra.count, 2)
      + name + extra
  }

  fileprivate func entry(_ packedCount: Int, _ checksum: [UInt8], _ offset: Int) -> [UInt8] {
    let extra = extra(packedCount)
    return [0x50, 0x4B, 1, 2] + little(system << 8 | 20, 2) + start + checksum + sizes(packedCount)
      + little(name.count, 2) + little(extra.count, 2) + little(0, 2) + little(0, 2) + little(0, 2)
      + little(0, 4) + little(offset, 4) + name + extra
  }
}

/// Returns a number as bytes, the lowest first.
private func little(_ number: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 0 }
}
