/// The members of a zip archive, as its central directory lists them.
///
/// Trusts nothing in the archive: numbers that do not fit each other are damage. Nothing is unpacked.
package struct ZipDirectory: Sendable {
  /// A member to read, or the reason why it cannot be read.
  package struct Member: Sendable {
    /// The path in the archive, as messages show it.
    package let name: String
    package let content: Result<ZipMember, ZipError>
  }

  /// The most members of an archive.
  static let mostMembers = 100_000
  /// The most bytes of all members together, 64 GiB.
  static let mostBytes = 64 << 30
  /// The most bytes of the central directory, far more than that many members need.
  private static let longestDirectory = 64 << 20
  /// The most bytes of a member that may have any number of packed bytes.
  private static let largestMember = 100_000_000
  /// A larger member has fewer bytes than this times its packed bytes.
  private static let mostGrowth = 1_000

  /// The members to read, in the order of the central directory.
  package let members: [Member]
  /// Whether the archive is a document of a spreadsheet program.
  package let isSpreadsheet: Bool

  /// Returns whether a file begins as a zip archive does.
  package static func isZip(path: String) -> Bool {
    do throws(ScanError) {
      let start = try FileBytes(path: path).bytes(4, at: 0)
      return start == ZipEntry.localSignature || start == End.signature
    } catch {
      return false
    }
  }

  /// Reads the central directory of an archive, and the headers of its members.
  ///
  /// - Parameter path: The archive.
  /// - Throws: ``ZipError`` for an archive that is not read at all.
  package init(path: String) throws(ZipError) {
    let archive = try Archive(path)
    let entries = try Self.entries(archive)
    let names = Set(entries.map(\.name))
    isSpreadsheet =
      !names.isDisjoint(with: SpreadsheetSearch.names)
      || names.isSuperset(of: ["mimetype", "content.xml"])
    try Self.checkPlaces(entries)
    let read = entries.filter(\.isRead)
    var found: Set<[UInt8]> = []
    for entry in read where !found.insert(Array(entry.name.utf8)).inserted {
      throw .damaged("two members have the name \(entry.name)")
    }
    // No number here can overflow: each is at most the largest of 32 bits, or was checked.
    var rest = Self.mostBytes
    for entry in read {
      guard entry.byteCount <= rest else { throw .tooManyBytes }
      rest -= entry.byteCount
    }
    members = read.map { Member(name: $0.name, content: Self.content($0, path)) }
  }

  private static func content(_ entry: ZipEntry, _ path: String) -> Result<ZipMember, ZipError> {
    if entry.isEncrypted { return .failure(.encrypted) }
    guard [0, 8].contains(entry.method) else { return .failure(.otherMethod(entry.method)) }
    if entry.byteCount > largestMember, entry.byteCount / mostGrowth >= entry.packedCount {
      return .failure(.bomb(packedCount: entry.packedCount, byteCount: entry.byteCount))
    }
    return .success(
      ZipMember(
        archive: path, offset: entry.dataOffset, packedCount: entry.packedCount,
        byteCount: entry.byteCount, isDeflated: entry.method == 8, checksum: entry.checksum))
  }

  /// Checks that no byte of the archive belongs to two members.
  private static func checkPlaces(_ entries: [ZipEntry]) throws(ZipError) {
    let sorted = entries.sorted { $0.headerOffset < $1.headerOffset }
    for (entry, next) in zip(sorted, sorted.dropFirst()) where entry.endOffset > next.headerOffset {
      throw .damaged("\(entry.name) and \(next.name) have bytes in common")
    }
  }
}

// MARK: - Reading

extension ZipDirectory {
  /// An open archive.
  private struct Archive: ~Copyable {
    let file: FileBytes
    var byteCount: Int { file.byteCount }

    init(_ path: String) throws(ZipError) {
      do throws(ScanError) { file = try FileBytes(path: path) } catch { throw .unreadable(error) }
    }

    func bytes(_ count: Int, at offset: Int) throws(ZipError) -> [UInt8] {
      do throws(ScanError) {
        return try file.bytes(count, at: offset)
      } catch {
        throw .unreadable(error)
      }
    }
  }

  /// The record at the end of an archive: where the central directory is.
  private struct End {
    static let signature: [UInt8] = [0x50, 0x4B, 5, 6]
    private static let signature64: [UInt8] = [0x50, 0x4B, 6, 6]
    private static let locatorSignature: [UInt8] = [0x50, 0x4B, 6, 7]
    private static let byteCount = 22
    private static let locatorByteCount = 20
    private static let byteCount64 = 56
    private static let longestComment = 0xFFFF

    /// The number of members; of a record without zip64 its lower 16 bits.
    private let memberCount: Int
    private let isZip64: Bool
    let directoryOffset: Int
    let directoryByteCount: Int

    init(_ archive: borrowing Archive) throws(ZipError) {
      let tailOffset = max(0, archive.byteCount - Self.byteCount - Self.longestComment)
      let tail = try archive.bytes(archive.byteCount - tailOffset, at: tailOffset)
      guard let place = Self.place(in: tail) else { throw .damaged("its end is missing") }
      let record = Array(tail[place...])
      let locatorOffset = tailOffset + place - Self.locatorByteCount
      let locator = try archive.bytes(Self.locatorByteCount, at: locatorOffset)
      var numbers = (
        count: record.uint16(10), byteCount: record.uint32(12), offset: record.uint32(16)
      )
      var disks = [record.uint16(4), record.uint16(6)]
      var end = tailOffset + place
      isZip64 = locator.starts(with: Self.locatorSignature)
      if isZip64 {
        end = locator.uint64(8)
        let record = try archive.bytes(Self.byteCount64, at: end)
        guard record.count == Self.byteCount64, record.starts(with: Self.signature64),
          end <= locatorOffset - Self.byteCount64
        else { throw .damaged("its zip64 record is missing") }
        numbers = (record.uint64(32), record.uint64(40), record.uint64(48))
        disks = [record.uint32(16), record.uint32(20)]
      }
      guard disks == [0, 0] else { throw .damaged("it is one part of several") }
      memberCount = numbers.count
      directoryOffset = numbers.offset
      directoryByteCount = numbers.byteCount
      guard directoryOffset <= end, directoryByteCount == end - directoryOffset else {
        throw .damaged("its central directory is not where its end says")
      }
      if memberCount > ZipDirectory.mostMembers { throw .tooManyMembers }
    }

    /// Returns the offset of the record in the last bytes of an archive.
    private static func place(in tail: [UInt8]) -> Int? {
      guard tail.count >= byteCount else { return nil }
      return (0...(tail.count - byteCount)).last { offset in
        tail[offset] == signature[0] && tail[offset...].starts(with: signature)
          && tail.uint16(offset + 20) == tail.count - offset - byteCount
      }
    }

    /// Returns whether the central directory has as many members as the record says.
    func has(_ count: Int) -> Bool {
      isZip64 ? count == memberCount : count & 0xFFFF == memberCount
    }
  }

  /// Returns all entries of the central directory.
  private static func entries(_ archive: borrowing Archive) throws(ZipError) -> [ZipEntry] {
    let end = try End(archive)
    guard end.directoryByteCount <= longestDirectory else { throw .tooManyMembers }
    let bytes = try archive.bytes(end.directoryByteCount, at: end.directoryOffset)
    var entries: [ZipEntry] = []
    var offset = 0
    while offset < bytes.count {
      guard var entry = ZipEntry(bytes, &offset) else {
        throw .damaged(
          "its central directory has no member at byte \(end.directoryOffset + offset)")
      }
      if entries.count == mostMembers { throw .tooManyMembers }
      let header = try archive.bytes(entry.headerByteCount, at: entry.headerOffset)
      guard entry.agrees(with: header) else {
        throw .damaged("the header of \(entry.name) is not that of its central directory")
      }
      entry.dataOffset += header.uint16(28)
      guard entry.endOffset <= end.directoryOffset else {
        throw .damaged("\(entry.name) does not end before the central directory")
      }
      entries.append(entry)
    }
    guard end.has(entries.count) else { throw .damaged("its central directory is cut off") }
    return entries
  }
}
