import PipelineTestSupport
import ReportFolder
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Tables that change by chance from night to night.
private struct RandomNights {
  private var random: SeededGenerator
  private(set) var tables: [ReportTable] = []
  private var hasMoney = false

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Changes some cells, rows and columns.
  mutating func night() {
    if Int.random(in: 0..<6, using: &random) == 0 { hasMoney.toggle() }
    tables = ["churn", "proceeds", "retention"].filter { _ in
      Int.random(in: 0..<8, using: &random) > 0
    }.map { table($0) }
  }

  private mutating func table(_ name: String) -> ReportTable {
    var columns: [ReportTable.Column] = [.init("source", .key)]
    columns.append(name == "retention" ? .init("k", .count) : .init("month", .key))
    columns += [
      .init("charges", .count), .init("rate", .rate), .init("days", .number),
      .init("state", .text),
    ]
    if hasMoney { columns.append(.init("price", .money)) }
    var rows: [[ReportTable.Cell]] = []
    for source in ["events", "subscribers"] {
      for number in 1...12 where Int.random(in: 0..<5, using: &random) > 0 {
        let month = (number < 10 ? "2026-0" : "2026-") + String(number)
        let keys: [ReportTable.Cell] = [
          .text(source), name == "retention" ? .count(number) : .text(month),
        ]
        rows.append(keys + columns.dropFirst(2).map { cell($0.kind) })
      }
    }
    return ReportTable(name: name, dimensions: [], columns: columns, rows: rows)
  }

  /// Returns a cell; few values, so that many stay the same.
  private mutating func cell(_ kind: ReportTable.Column.Kind) -> ReportTable.Cell {
    let number = Int.random(in: 0..<3, using: &random)
    if Int.random(in: 0..<10, using: &random) == 0 { return .missing }
    return switch kind {
    case .key, .text: .text(["final", "\"a\\b\"\n", "é"][number])
    case .count: .count(number * 1_000 - 5)
    case .rate where number == 0: .fraction(1 / 3)
    case .rate where number == 1: .fraction(1e-30)
    case .rate: .ratio(numerator: -(1 << 90), denominator: 3)
    case .money: .money(milliunits: Int128(number) << 80)
    case .number where number == 0: .count(4)
    case .number: .hundredths(number - 250)
    }
  }
}

@Suite("A ledger")
struct LedgerTests {
  private typealias File = LedgerEntry.File

  @Test(arguments: seeds(100))
  func `is read as it was written, and knows the tables of each night`(_ seed: UInt64) throws {
    var ledger = try LedgerExample()
    var nights = RandomNights(seed: seed)
    var random = SeededGenerator(seed: seed)
    var written: [LedgerEntry] = []
    var told: [(day: String, tables: [ReportTable])] = []
    for night in 1...9 {
      nights.night()
      let day = "2026-10-0\(night)"
      let inputs = (0..<5).map { number in
        File(
          "é/\(number)", String(Int.random(in: 0..<3, using: &random)),
          report: number == 0 ? nil : "subscriber 80012345", day: Day("2026-09-0\(number + 1)"))
      }
      var entry = LedgerEntry(asOf: Day(day), sequence: 0, definitions: night, version: "\"1\"")
      entry.options = ["country": "US; DE", "[plans]": "a\n"]
      entry = ledger.state.completed(entry, inputs: inputs, tables: nights.tables)
      written.append(try ledger.add(entry))
      told.append((day, nights.tables))
    }
    #expect(try ledger.entries() == written)
    for (day, tables) in told {
      for name in ["churn", "proceeds", "retention"] {
        let expected = tables.first { $0.name == name }
        guard let expected else {
          #expect(try ledger.refusal(name, at: day) != nil)
          continue
        }
        #expect(try ledger.history(name, at: day).table == expected, "\(name) of \(day)")
      }
    }
  }

  @Test
  func `has a short line for a run that says the same`() throws {
    var ledger = try LedgerExample()
    let table = churnTable(("events", "2026-09", 10, 1, "final"))
    try ledger.add("2026-10-01", inputs: [File("a", "01")], table)
    let second = try ledger.add("2026-10-01", inputs: [File("a", "01")], table)
    #expect(
      second.text == """
        {"as_of":"2026-10-01","sequence":2,"definitions":3,"version":"1.2.3","options":{},"files":{"added":[],"changed":[],"removed":[]},"tables":[]}

        """)
  }

  @Test
  func `names the inputs that are not as they were`() throws {
    var ledger = try LedgerExample()
    try ledger.add("2026-10-01", inputs: [File("a", "1"), File("b", "2"), File("b", "3")])
    let inputs = [File("a", "4"), File("b", "3"), File("c", "2")]
    let files = try ledger.add("2026-10-02", inputs: inputs).files
    #expect(files.changed == [.init(File("a", "4"), was: "1")])
    #expect(files.removed == [File("b", "2")] && files.added == [File("c", "2")])
    #expect(ledger.state.fileCount == 3)
  }

  @Test
  func `ends with its last whole line`() throws {
    var ledger = try LedgerExample()
    try ledger.add("2026-10-01", churnTable(("events", "2026-09", 10, 1, "final")))
    let whole = ledger.text
    try ledger.add("2026-10-02", churnTable(("events", "2026-09", 10, 2, "final")))
    let last = Array(ledger.text.utf8.dropFirst(whole.utf8.count))
    for count in 0..<last.count {
      try ledger.write(whole + String(decoding: last.prefix(count), as: UTF8.self))
      #expect(try ledger.entries().count == 1)
      #expect(Ledger(ledger.path)?.sha256 == referenceSHA256(Array(whole.utf8)))
    }
  }

  @Test
  func `may end in the middle of a line, but not in any text`() throws {
    let text = Array(LedgerEntry(asOf: nil, sequence: 1, definitions: 3, version: "1").text.utf8)
    for count in 0...text.count {
      #expect(LedgerEntry.mayBeginLine(Array(text.prefix(count))))
      // A loss of power leaves zeros.
      #expect(LedgerEntry.mayBeginLine(text.prefix(count) + [0, 0, 0]))
    }
    for other in ["x", "{\"a\":1", " {", "as_of"] {
      #expect(!LedgerEntry.mayBeginLine(Array(other.utf8)))
    }
  }

  @Test
  func `that was edited is an error with its line`() throws {
    var ledger = try LedgerExample()
    try ledger.add("2026-10-01", churnTable(("events", "2026-09", 10, 1, "final")))
    try ledger.add("2026-10-02", churnTable(("events", "2026-09", 10, 2, "final")))
    let text = ledger.text
    let cases = [
      ("\"sequence\":2", "\"sequence\":3", "found \"sequence\" 3, expected 2"),
      ("\"sequence\":2,", "", "found no \"sequence\", which report writes"),
      ("\"2026-10-02\"", "\"2026-10-42\"", "found no day where one must be"),
      ("\"final\"]]}]}\n", "\"final\",1]]}]}\n", "found more than 7 cells in a row"),
      (",\"final\"]]}]}\n", "]]}]}\n", "found 6 cells in a row, expected 7"),
      (
        "\"churn\",\"rows\"", "\"other\",\"rows\"", "found rows of \"other\" before its columns"
      ),
    ]
    for (old, new, expected) in cases {
      let place = try #require(text.ranges(of: old).last)
      try ledger.write(text.replacingCharacters(in: place, with: new))
      #expect(throws: LedgerError(line: 2, message: expected)) { _ = try ledger.entries() }
    }
    try ledger.write("churn,1\n")
    #expect(throws: LedgerError.self) { _ = try ledger.entries() }
  }
}

extension String {
  /// Returns the text with another part.
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
  }
}
