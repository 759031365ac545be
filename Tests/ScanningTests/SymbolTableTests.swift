import Scanning
import SubreportTestSupport
import Testing

@Suite("Symbol table")
struct SymbolTableTests {
  @Test(arguments: seeds(100))
  func `agrees with a dictionary`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = SymbolTable()
    var ids: [[UInt8]: UInt32] = [:]
    var texts: [[UInt8]] = []
    for _ in 0..<600 {
      let line = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 0x60...0x61, using: &random)
      }
      let start = Int.random(in: 0...line.count, using: &random)
      let range = start..<Int.random(in: start...line.count, using: &random)
      let text = Array(line[range])
      #expect(table.find(line.span, range) == ids[text])
      let expected = ids[text] ?? UInt32(ids.count)
      let id = table.id(of: line.span, range)
      #expect(id == expected)
      let isSame = table.isText(of: id, equalTo: line.span, range)
      #expect(isSame)
      if ids.updateValue(id, forKey: text) == nil { texts.append(text) }
    }
    #expect(table.count == texts.count)
    for (index, text) in texts.enumerated() {
      #expect(table.text(of: UInt32(index)) == String(decoding: text, as: UTF8.self))
      #expect(table.find(String(decoding: text, as: UTF8.self)) == UInt32(index))
    }
  }

  @Test(arguments: seeds(100))
  func `finds texts that lie in pieces as a dictionary does`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = SymbolTable()
    var ids: [[UInt8]: UInt32] = [:]
    for _ in 0..<600 {
      // Pieces of 4 bytes and of up to 40, with other bytes between them.
      let last = Int.random(in: 0...40, using: &random)
      let line = (0..<last + 8).map { _ in UInt8.random(in: 0x60...0x61, using: &random) }
      let pieces = [1..<5, 7..<7 + last]
      let text = pieces.flatMap { Array(line[$0]) }
      let expected = ids[text] ?? UInt32(ids.count)
      #expect(table.find(line.span, pieces: pieces) == ids[text])
      let id = table.id(of: line.span, pieces: pieces)
      #expect(id == expected)
      #expect(table.text(of: id) == String(decoding: text, as: UTF8.self))
      ids[text] = id
    }
    #expect(table.count == ids.count)
  }

  @Test
  func `brings two tables together`() {
    var first = SymbolTable()
    for text in ["US", "GB", "FR"] { _ = first.id(of: text) }
    var second = SymbolTable()
    for text in ["FR", "DE", "US", ""] { _ = second.id(of: text) }
    #expect(first.merge(second) == [2, 3, 0, 4])
    #expect(first.count == 5)
    #expect(first.text(of: 3) == "DE")
    #expect(first.merge(SymbolTable()) == [])
  }

  @Test
  func `sorts by bytes`() {
    var table = SymbolTable()
    for text in ["b", "a", "ab", "B", "é", ""] { _ = table.id(of: text) }
    let sorted = (0..<UInt32(table.count)).sorted { table.precedes($0, $1) }
    #expect(sorted.map { table.text(of: $0) } == ["", "B", "a", "ab", "b", "é"])
  }

  @Test
  func `finds each of 200,000 keys again`() {
    var table = SymbolTable()
    let lines = (0..<200_000).map { Array("subscriber\t\($0)".utf8) }
    for (index, line) in lines.enumerated() {
      let id = table.id(of: line.span, 0..<line.count)
      if id != UInt32(index) { Issue.record("key \(index) got \(id)") }
    }
    var missed: [Int] = []
    for (index, line) in lines.enumerated() {
      let id = table.find(line.span, 0..<line.count)
      if id != UInt32(index) { missed.append(index) }
    }
    #expect(missed == [])
  }
}

@Suite("Shared symbols")
struct SharedSymbolsTests {
  @Test
  func `are the same for all readers, and blank for nothing`() {
    let shared = SharedSymbols()
    var first = LocalSymbols(shared)
    var second = LocalSymbols(shared)
    let text = Array(" com.example \t".utf8)
    let symbol = first.symbol(text.span, 0..<text.count)
    #expect(second.symbol("com.example") == symbol)
    #expect(second.symbol(text.span, 0..<text.count) == symbol)
    #expect(shared.symbol(of: "com.example") == symbol)
    #expect(shared.text(of: symbol) == "com.example")
    #expect(first.symbol("") == 0)
    #expect(second.symbol(text.span, 0..<1) == 0)
    #expect(shared.texts == ["", "com.example"])
  }
}
