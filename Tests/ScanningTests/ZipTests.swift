import Scanning
import SubreportTestSupport
import Testing

private let text = Array("Event Date\tUnits\n2026-01-04\t1\n".utf8)

/// What an archive holds: each member's name with its text, or the code of the error.
private func content(of archive: [UInt8], blockSize: Int = 1 << 16) -> [String] {
  let file = TemporaryFile(archive)
  // It is there until its members are read.
  defer { _ = file.path }
  do throws(ZipError) {
    return try ZipDirectory(path: file.path).members.map { member in
      switch member.content {
      case .success(let content): "\(member.name): \(said(by: content, blockSize))"
      case .failure(let error): "\(member.name): \(error.code)"
      }
    }
  } catch {
    return [error.code]
  }
}

private func said(by member: ZipMember, _ blockSize: Int) -> String {
  var bytes: [UInt8] = []
  do throws(ScanError) {
    var scanner = try LineScanner(
      path: member.path, storedBlockSize: blockSize, textBlockSize: blockSize)
    try scanner.forEachLine(onTextBytes: { bytes += $0.bytes() }) { _, _ in .next }
  } catch {
    return error.code
  }
  return bytes == text ? "right" : "\(bytes.count) other bytes"
}

@Suite("A zip archive")
struct ZipTests {
  @Test(arguments: [1, 8, 1 << 16])
  func `holds deflated, stored and gzip files`(blockSize: Int) {
    var described = ZipMaker.Member("descriptor.txt", text)
    described.hasDescriptor = true
    var long = ZipMaker.Member("long.txt", text)
    long.isZip64 = true
    var maker = ZipMaker([
      .init("a/x.txt", text), .init("stored.txt", text, isDeflated: false),
      .init("x.txt.gz", gzip(text)), described, long,
    ])
    let names = ["a/x.txt", "stored.txt", "x.txt.gz", "descriptor.txt", "long.txt"]
    #expect(content(of: maker.archive, blockSize: blockSize) == names.map { $0 + ": right" })
    maker.isZip64 = true
    #expect(content(of: maker.archive, blockSize: blockSize) == names.map { $0 + ": right" })
    #expect(content(of: ZipMaker([]).archive) == [])
  }

  @Test
  func `is read like the file that it holds`() {
    let file = TemporaryFile(ZipMaker.archive([("x.txt.gz", gzip(text))]))
    defer { _ = file.path }
    let members = (try? ZipDirectory(path: file.path))?.members ?? []
    guard case .success(let member)? = members.first?.content else {
      Issue.record("no member")
      return
    }
    #expect(ZipMember(path: member.path) == member)
    #expect(ZipMember(path: file.path) == nil)
    #expect(StoredContent.all(of: member.path) == gzip(text))
    #expect(member.byteCount == gzip(text).count)
  }

  @Test
  func `has members that are not read, and names of all systems`() {
    var windows = ZipMaker.Member("2026\\x.txt", text)
    windows.system = 0
    let maker = ZipMaker([
      .init("folder/", []), .init("__MACOSX/._x.txt", text), .init("a/.DS_Store", text),
      .init("a/..txt", text), .init("../up.txt", text), .init("/root.txt", text),
      .init([0x4A, 0x75, 0x6E, 0x81, 0x2E, 0x74, 0x78, 0x74], text), .init("Jünï.txt", text),
      windows, .init("a\nb\u{1B}.txt", text),
    ])
    let names = [
      "../up.txt", "/root.txt", "Junü.txt", "Jünï.txt", "2026/x.txt", "a\\nb\\u{1B}.txt",
    ]
    #expect(content(of: maker.archive) == names.map { $0 + ": right" })
  }

  @Test
  func `is an error where it cannot be trusted`() {
    var encrypted = ZipMaker.Member("secret.txt", text)
    encrypted.isEncrypted = true
    let good = ZipMaker.Member("x.txt", text)
    #expect(
      content(of: ZipMaker([encrypted, good]).archive) == [
        "secret.txt: zip-needs-password", "x.txt: right",
      ])
    #expect(content(of: ZipMaker([good, good]).archive) == ["zip-damaged"])
    var fewer = ZipMaker([good])
    fewer.statedCount = 2
    #expect(content(of: fewer.archive) == ["zip-damaged"])
    // The bytes say another number than the archive.
    for count in [text.count - 1, text.count + 1, 0] {
      for isDeflated in [true, false] {
        var lie = ZipMaker.Member("lie.txt", text, isDeflated: isDeflated)
        lie.statedCount = count
        #expect(content(of: ZipMaker([lie]).archive) == ["lie.txt: zip-damaged"])
      }
    }
    var bomb = ZipMaker.Member("bomb.txt", text)
    bomb.statedCount = 100_000_001
    #expect(content(of: ZipMaker([bomb]).archive) == ["bomb.txt: zip-too-large"])
    bomb.isZip64 = true
    bomb.statedCount = 1 << 37
    #expect(content(of: ZipMaker([bomb]).archive) == ["zip-too-large"])
    // Two entries for the same bytes.
    let archive = ZipMaker([good, .init("y.txt", text)]).archive
    let entries = archive.ranges(of: [0x50, 0x4B, 1, 2]).map(\.lowerBound)
    var shared = archive
    shared.replaceSubrange(entries[1] + 42..<entries[1] + 46, with: [0, 0, 0, 0])
    #expect(content(of: shared) == ["zip-damaged"])
    for count in archive.indices {
      #expect(content(of: Array(archive[..<count])) == ["zip-damaged"])
    }
  }

  @Test
  func `of which any byte is another ends in an error or the right bytes`() {
    let archive = ZipMaker([
      .init("a.txt", text), .init("b.txt", text, isDeflated: false),
    ]).archive
    for offset in archive.indices {
      for bit in [0, 3, 6, 7] {
        var damaged = archive
        damaged[offset] ^= 1 << UInt8(bit)
        for said in content(of: damaged) {
          #expect(!said.contains("other bytes"), "byte \(offset), bit \(bit): \(said)")
        }
      }
    }
  }

  private static func isSpreadsheet(_ archive: [UInt8]) throws(ZipError) -> Bool {
    let file = TemporaryFile(archive)
    defer { _ = file.path }
    return try ZipDirectory(path: file.path).isSpreadsheet
  }

  @Test
  func `is a spreadsheet by its parts, also inside another one`() throws {
    for part in ["[Content_Types].xml", "Index/Document.iwa"] {
      let sheet = ZipMaker.archive([("docProps/app.xml", text), (part, [])])
      #expect(try Self.isSpreadsheet(sheet))
      for size in [1, 7, 1 << 16] {
        var search = SpreadsheetSearch()
        for start in stride(from: 0, to: sheet.count, by: size) {
          search.feed(sheet[start..<min(start + size, sheet.count)].span)
        }
        search.finish()
        #expect(search.isFound)
      }
    }
    let reports = ZipMaker.archive([("x.txt", text)])
    #expect(try !Self.isSpreadsheet(reports))
    var search = SpreadsheetSearch()
    search.feed(reports.span)
    search.finish()
    #expect(!search.isFound)
    #expect(search.hasFiles)
  }
}
