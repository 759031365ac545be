import Scanning
import SubreportTestSupport
import Testing

/// Documents and what they say: paths and values in the order of the file.
private let readable: [(text: String, entries: [(path: [String], value: TOMLValue)])] = [
  ("", []), ("\n\r\n # only a comment", []),
  ("jobs = 4", [(["jobs"], .integer(4))]),
  (
    "\u{FEFF}jobs=4# four\r\nstrict\t=\ttrue",
    [(["jobs"], .integer(4)), (["strict"], .boolean(true))]
  ),
  (
    "a = +1\nb = -1_000\nc = 0xfF\nd = 0o17\ne = 0b101\nf = 0\ng = false",
    [
      (["a"], .integer(1)), (["b"], .integer(-1000)), (["c"], .integer(255)), (["d"], .integer(15)),
      (["e"], .integer(5)), (["f"], .integer(0)), (["g"], .boolean(false)),
    ]
  ),
  (
    "a = -9223372036854775808\nb = 9223372036854775807",
    [(["a"], .integer(.min)), (["b"], .integer(.max))]
  ),
  (#"a = "x\t\"\\\u00e9\U0001F600""#, [(["a"], .string("x\t\"\\é😀"))]),
  (#"a = 'C:\new'"#, [(["a"], .string(#"C:\new"#))]),
  ("a = \"\"\nb = ''", [(["a"], .string("")), (["b"], .string(""))]),
  (
    "a = \"\"\"\none\ntwo \\\n  \n  three\"\"\"\"\"",
    [(["a"], .string("one\ntwo three\"\""))]
  ),
  ("a = '''\r\n'one' \\n\r\n'''", [(["a"], .string("'one' \\n\n"))]),
  ("a = []\nb = [ ]", [(["a"], .list([])), (["b"], .list([]))]),
  (
    "a = [ # list\n \"x\" , # first\n 'y',\n [1, 2],\n]",
    [(["a"], .list([.string("x"), .string("y"), .list([.integer(1), .integer(2)])]))]
  ),
  (
    "[groups]\n\"com.example.month\" = \"premium\"\n'a b' = \"c\"\n[ receipts . columns ]\nx = \"y\"",
    [
      (["groups", "com.example.month"], .string("premium")), (["groups", "a b"], .string("c")),
      (["receipts", "columns", "x"], .string("y")),
    ]
  ),
  (
    "a.b = 1\na.c = 2\n1.2 = 3",
    [(["a", "b"], .integer(1)), (["a", "c"], .integer(2)), (["1", "2"], .integer(3))]
  ),
  (
    "groups = { \"com.x\" = \"p\", y.z = 1 }\nempty = {}",
    [(["groups", "com.x"], .string("p")), (["groups", "y", "z"], .integer(1))]
  ),
  (
    "[a.b]\nx = 1\n[a]\ny = 2",
    [(["a", "b", "x"], .integer(1)), (["a", "y"], .integer(2))]
  ),
]

/// Documents, and where and why they cannot be read.
private let faulty: [(text: String, line: Int, column: Int, message: String)] = [
  ("[\n", 1, 2, "expected the name of a section, as in [groups]"),
  ("[groups\n", 1, 8, "the header has no closing bracket"),
  ("\n[[groups]", 2, 10, "the header has no closing bracket"),
  ("a = 1\n[[a]]", 2, 1, "\"a\" is a value, not a section"),
  ("a", 1, 2, "expected = after the key \"a\""), ("= 1", 1, 1, "expected a key, as in jobs = 4"),
  ("a. = 1", 1, 4, "expected a key, as in jobs = 4"),
  ("jobs = 4\nby =", 2, 5, "expected a value such as \"text\", 12, true or [\"a\", \"b\"]"),
  ("by = [country]", 1, 7, "expected a whole number, true, false, or text in quotes"),
  ("a = 1.5", 1, 5, "expected a whole number, true, false, or text in quotes"),
  ("a = 2026-01-01", 1, 5, "expected a whole number, true, false, or text in quotes"),
  ("a = 012", 1, 5, "expected a whole number, true, false, or text in quotes"),
  ("a = 1__0", 1, 5, "expected a whole number, true, false, or text in quotes"),
  ("a = +0x1", 1, 5, "expected a whole number, true, false, or text in quotes"),
  ("a = 9223372036854775808", 1, 5, "the number is too large"),
  ("a = \"x\ny = 1", 1, 5, "the string has no closing quote"),
  ("a = \"\"\"x\n\n", 1, 5, "the string has no closing quote"),
  ("a = \"C:\\new\\Q\"", 1, 12, "\\ does not begin an escape of TOML; write \\\\ or use '…'"),
  ("a = \"\\ud800\"", 1, 6, "\\u and \\U are followed by the 4 or 8 digits of a character"),
  ("a = \"\\u12", 1, 6, "\\u and \\U are followed by the 4 or 8 digits of a character"),
  ("a = \"\u{1B}\"", 1, 6, "a control character in a string"),
  ("# \u{0}", 1, 3, "a control character in a comment"),
  ("a = 1 b = 2", 1, 7, "expected the end of the line"),
  ("a = 1\r", 1, 6, "expected the end of the line"),
  ("a = [1, 2", 1, 5, "the list has no closing bracket; write [\"a\", \"b\"]"),
  ("a = [1 2]", 1, 8, "expected , or ] in the list"),
  ("a = [{}]", 1, 6, "no setting has a table in a list"),
  ("a = {b = 1\n}", 1, 11, "expected , or } in the inline table; it must be on one line"),
  ("\"\"\"a\"\"\" = 1", 1, 1, "a key in triple quotes; use one quote"),
  ("a = 1\na = 2", 2, 1, "the key \"a\" occurs twice"),
  ("[a]\n[b]\n[a]", 3, 1, "the section [\"a\"] occurs twice"),
  ("a = 1\n[a]", 2, 1, "\"a\" is a value, not a section"),
  ("a = {}\na.b = 1", 2, 1, "\"a\" is a value, not a section"),
  ("[a.b]\n[a]\nb.c = 1", 3, 1, "the section [\"a.b\"] occurs twice"),
  ("[a]\nb.c = 1\n[a.b]", 3, 1, "the section [\"a.b\"] occurs twice"),
  (
    String(repeating: "[", count: 50_000), 1, 3,
    "expected the name of a section, as in [groups]"
  ),
  ("a = " + String(repeating: "[", count: 50_000), 1, 21, "lists are nested too deeply"),
  ("a" + String(repeating: ".a", count: 50_000) + " = 1", 1, 1, "tables are nested too deeply"),
]

@Suite("TOML of config files")
struct TOMLTests {
  @Test(arguments: readable)
  func `says what it says`(text: String, entries: [(path: [String], value: TOMLValue)]) throws {
    let document = try TOMLDocument(Array(text.utf8))
    #expect(document.entries.map(\.path) == entries.map(\.path))
    #expect(document.entries.map(\.value) == entries.map(\.value))
  }

  @Test(arguments: faulty)
  func `that is wrong is an error with line and column`(
    text: String, line: Int, column: Int, message: String
  ) {
    let error = #expect(throws: TOMLError.self) { try TOMLDocument(Array(text.utf8)) }
    #expect(error?.line == line)
    #expect(error?.column == column)
    #expect(error?.message == message)
  }

  @Test func `that is not UTF-8 is an error with its place`() {
    let error = #expect(throws: TOMLError.self) {
      try TOMLDocument(Array("a = 1\nb = '".utf8) + [0xE9] + Array("'".utf8))
    }
    #expect(error?.line == 2)
    #expect(error?.column == 6)
  }

  @Test func `keeps the lines of keys and headers`() throws {
    let document = try TOMLDocument(
      Array("a = '''\n\n'''\n\n[b]\nc = [\n1]\nd = \"\"\"\\\n\n\"\"\"\ne = 1".utf8))
    #expect(document.entries.map(\.line) == [1, 6, 8, 11])
    #expect(document.headers.map(\.path) == [["b"]])
    #expect(document.headers.map(\.line) == [5])
  }

  @Test(arguments: seeds(200))
  func `says what was written, whatever the way of writing`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var writer = RandomTOML(&random)
    let text = writer.document()
    let document = try TOMLDocument(Array(text.utf8))
    #expect(document.entries.map(\.path) == writer.paths, "\(text)")
    #expect(document.entries.map(\.value) == writer.values, "\(text)")
  }

  @Test(arguments: seeds(200))
  func `that is damaged is read or refused at a place inside it`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let mutation = Mutation(tokens: [
      "[", "]", "[[", "{", "}", "\"", "'", "\"\"\"", "'''", "\\", "\\u", "\\U0010FFFF", "=", ".",
      ",", "#",
      "a = 1\n", "[a]\n", "true", "0x",
    ])
    for _ in 0..<100 {
      var writer = RandomTOML(&random)
      let text = mutation.applied(to: Array(writer.document().utf8), using: &random)
      do {
        _ = try TOMLDocument(text)
      } catch {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        #expect((1...lines.count).contains(error.line))
        #expect((1...text.count + 1).contains(error.column))
        #expect(!error.message.isEmpty && !error.message.contains("\n"))
      }
    }
  }
}
