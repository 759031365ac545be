import Files
import Testing

@Suite("A file to which lines are added")
struct AppendedFileTests {
  private func openingError(_ path: String) -> OutputError? {
    do throws(OutputError) {
      _ = try AppendedFile(path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test
  func `keeps what it has`() throws {
    let sandbox = try OutputSandbox()
    let path = sandbox.root + "/lines"
    for number in 1...3 {
      var file = try AppendedFile(path: path)
      #expect(file.length == (number - 1) * 2 && file.unfinishedByteCount == 0)
      try file.append(Array("\(number)\n".utf8))
      #expect(file.length == number * 2)
    }
    #expect(sandbox.read("lines") == "1\n2\n3\n")
  }

  @Test
  func `loses an unfinished line when asked to, and nothing else`() throws {
    let sandbox = try OutputSandbox()
    let path = sandbox.root + "/lines"
    for (text, kept) in [("1\n2", "1\n"), ("12", ""), ("1\n\n", "1\n\n"), ("\n23", "\n")] {
      try sandbox.write("lines", text)
      var file = try AppendedFile(path: path)
      let unfinished = Array(text.utf8.dropFirst(kept.utf8.count))
      #expect(file.length == kept.utf8.count && file.unfinishedByteCount == unfinished.count)
      let (first, all) = (try file.unfinishedBytes(1), try file.unfinishedBytes(9))
      #expect(first == Array(unfinished.prefix(1)) && all == unfinished)
      #expect(sandbox.read("lines") == text)
      try file.removeUnfinishedLine()
      #expect(sandbox.read("lines") == kept && file.unfinishedByteCount == 0)
      try file.append(Array("3\n".utf8))
      #expect(sandbox.read("lines") == kept + "3\n")
    }
  }

  @Test
  func `is not there when nothing was added to a new one`() throws {
    let sandbox = try OutputSandbox()
    #expect(openingError(sandbox.root + "/lines") == nil)
    #expect(sandbox.names() == [])
    try sandbox.write("lines", "")
    #expect(openingError(sandbox.root + "/lines") == nil)
    #expect(sandbox.names() == ["lines"])
  }

  @Test
  func `is refused while another run has it, and where no file can be`() throws {
    let sandbox = try OutputSandbox()
    let path = sandbox.root + "/lines"
    var first = try AppendedFile(path: path)
    #expect(openingError(path) == .lockedFile(path: path))
    sandbox.makeLink("link", to: "lines")
    #expect(openingError(sandbox.root + "/link") == .lockedFile(path: sandbox.root + "/link"))
    try first.append([UInt8(ascii: "\n")])
    sandbox.makeFolder("folder")
    #expect(openingError(sandbox.root + "/folder") == .isAFolder(path: sandbox.root + "/folder"))
    let none = sandbox.root + "/none/lines"
    #expect(openingError(none) == .noParent(path: none))
  }
}
