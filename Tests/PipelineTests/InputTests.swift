import Files
import Glibc
import Pages
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import Tables
import Testing

@Suite("Inputs are listed")
struct InputListingTests {
  private func paths(_ inputs: [String], excluding folder: String? = nil) -> [String] {
    InputListing.list(inputs, excluding: folder).files.map(\.relativePath)
  }

  /// Names whose order differs by bytes, by letters, by locale and by folders first.
  private static let awkward = [
    "a.txt", "a/b.txt", "a-b/c.txt", "a0/c.txt", "A.txt", "Z/a.txt", "z.txt", "ä.txt", "a/B.txt",
    "a/b/c.txt", "a b.txt", "10.txt", "9.txt", "_.txt", "a/ä/x.txt", "a/é.txt",
  ]

  @Test
  func `in the order of the bytes of their relative paths, the slash included`() throws {
    let sandbox = try ReportSandbox()
    for name in Self.awkward.shuffled() { try sandbox.write(name, "x") }
    let found = paths([sandbox.path])
    #expect(
      found == Self.awkward.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
    // A dash sorts before a slash, and a slash before a digit and a letter.
    #expect(found.firstIndex(of: "a-b/c.txt") ?? 0 < found.firstIndex(of: "a/B.txt") ?? 0)
    #expect(found.firstIndex(of: "a.txt") ?? 0 < found.firstIndex(of: "a/B.txt") ?? 0)
    #expect(found.firstIndex(of: "a/é.txt") ?? 0 < found.firstIndex(of: "a0/c.txt") ?? 0)
  }

  @Test
  func `several inputs together, wherever they lie`() throws {
    let first = try ReportSandbox(["b.txt": [1], "d/x.txt": [1], "same.txt": [1]])
    let second = try ReportSandbox(["a.txt": [2], "c.txt": [2], "d/a.txt": [2], "same.txt": [2]])
    let third = try ReportSandbox(["deep/er/bb.txt": [3]])
    let named = third.path + "/deep/er/bb.txt"
    let expected = ["a.txt", "b.txt", "bb.txt", "c.txt", "d/a.txt", "d/x.txt"]
    // Of two files with the same path below their inputs, each is named with its folder.
    let both = [first, second].map { "\($0.path.split(separator: "/").last ?? "")/same.txt" }
    #expect(paths([first.path, second.path, named]) == expected + both)
    #expect(paths([named, second.path + "/", first.path]) == expected + both.reversed())
    // Where paths are equal, the order of the inputs decides.
    let files = InputListing.list([second.path, first.path]).files
    #expect(files.suffix(2).map(\.path) == [second.path + "/same.txt", first.path + "/same.txt"])
    #expect(files.allSatisfy { !$0.isNamed })
    #expect(InputListing.list([named]).files.map(\.isNamed) == [true])
    #expect(InputListing.list([named]).files.map(\.shownPath) == [named])
  }

  @Test
  func `once, also where links and arguments lead to a folder twice`() throws {
    let sandbox = try ReportSandbox(["a/x.txt": [1], "b/y.txt": [1]])
    try sandbox.makeLink("c", to: sandbox.path + "/a")
    try sandbox.makeLink("b/loop", to: sandbox.path)
    #expect(paths([sandbox.path]) == ["a/x.txt", "b/y.txt"])
    #expect(paths([sandbox.path, sandbox.path]) == ["a/x.txt", "b/y.txt"])
    #expect(paths([sandbox.path], excluding: sandbox.path + "/c") == ["b/y.txt"])
    #expect(paths([sandbox.path], excluding: sandbox.path + "/none") == ["a/x.txt", "b/y.txt"])
  }

  @Test
  func `hidden files, empty folders and odd names, line ends written out`() throws {
    let sandbox = try ReportSandbox([".hidden": [1], "new\nline.txt": [1], " ": [1]])
    sandbox.makeFolder("empty/er")
    #expect(paths([sandbox.path]) == [" ", ".hidden", "new\\u{A}line.txt"])
  }

  @Test
  func `and one that is not there is an error that stops nothing else`() throws {
    let sandbox = try ReportSandbox([subscriberName(5): ReportText.subscriber.with([:]).bytes])
    let result = carryOut([sandbox.path, sandbox.path + "/none.txt"])
    #expect(result.files.map(\.problem?.code) == [nil, "cannot-open"])
    #expect(result.files.map(\.isUsed) == [true, false])
    #expect(result.fileDiagnostics.map(\.reason) == [.unusableInput])
    #expect(result.exitReasons(maxRejects: 0, checksDays: false) == [.unusableInput])
  }

  @Test
  func `and a link that leads nowhere is one too`() throws {
    let sandbox = try ReportSandbox([subscriberName(5): ReportText.subscriber.with([:]).bytes])
    try sandbox.makeLink("broken.txt", to: "nowhere")
    let result = carryOut([sandbox.path])
    #expect(result.files.map(\.problem?.code) == [nil, "cannot-open"])
  }

  @Test
  func `and those that cannot be opened count as such, not as files of no known kind`() throws {
    let sandbox = try ReportSandbox(["notes.txt": Array("nothing\n".utf8)])
    let missing = sandbox.path + "/none.txt"
    let alone = carryOut([missing])
    #expect(alone.opensNoInput)
    let both = carryOut([missing, sandbox.path + "/notes.txt"])
    #expect(!both.opensNoInput)
    let sentence = NeededInput(.churn).sentence("churn", both)
    #expect(sentence.contains("1 file that cannot be opened"), "\(sentence)")
    #expect(sentence.contains("1 file of no known kind"), "\(sentence)")
    #expect(!carryOut([sandbox.path]).opensNoInput)
    sandbox.makeFolder("empty")
    #expect(!carryOut([sandbox.path + "/empty"]).opensNoInput)
  }

  @Test
  func `standard input among them, packed or not`() async {
    await #expect(processExitsWith: .success) {
      let report = ReportText.subscriber.with([:], ["Subscriber ID": "2"])
      for bytes in [report.bytes, gzip(report.bytes)] {
        let sandbox = try ReportSandbox(["in": bytes])
        // Safe: the system copies the path during the call.
        let file = unsafe open(sandbox.path + "/in", O_RDONLY)
        try #require(dup2(file, 0) == 0)
        let outcome = try RunOutcome(["-"])
        try #require(outcome.result.files.map(\.file.shownPath) == ["-"])
        try #require(outcome.rows("proceeds.csv").map { $0["charges"] } == ["2"])
        try #require(outcome.result.files.map(\.period) == ["2026-01-05"])
        try #require(outcome.result.files.map(\.sha256) == [referenceSHA256(bytes)])
      }
    }
  }
}

@Suite("An inspection")
struct InspectionTests {
  @Test
  func `says what each file is`() throws {
    let sandbox = try ReportSandbox([
      subscriberName(5): gzip(ReportText.subscriber.with([:], [:]).bytes),
      "S_M_80012345_202601.txt": ReportText.sales.with([
        "Begin Date": "01/01/2026", "End Date": "01/31/2026",
      ]).bytes,
      "Subscription_Event_80012345_20260105_V1_3.txt": ReportText.event.bytes,
      "codes.txt": ReportText.offerRedemption.with([:]).bytes,
      "snapshot.txt": ReportText.snapshot.with([:]).bytes,
    ])
    let (table, diagnostics) = Inspection.look(at: [sandbox.path])
    #expect(diagnostics == [])
    #expect(
      table.columns.map(\.name) == [
        "path", "kind", "version", "period", "vendor", "rows", "columns_missing", "columns_new",
        "note",
      ])
    let rows = table.rows.map { $0.map(text) }
    #expect(
      rows.map { Array($0[1...5]) } == [
        ["sales", "1_0", "2026-01", "80012345", "1"],
        ["subscriber", "1_3", "2026-01-05", "80012345", "2"],
        ["subscription-event", "1_3", "2026-01-05", "80012345", "0"],
        ["offer-redemption", "1_0", "2026-01-05", "", "1"], ["subscription", "1_3", "", "", "1"],
      ])
    #expect(rows.map { $0[8] } == ["", "", "", "", "no date in its name"])
    #expect(rows[1][0] == "\(sandbox.path)/\(subscriberName(5))")
  }

  @Test
  func `names columns that are missing or new`() throws {
    let text = ReportText.subscriber.with([:]).text
    let sandbox = try ReportSandbox([
      "a.txt": Array(text.replacing("Device\t", with: "Gadget\t").utf8),
      "b.txt": Array(text.replacing("Country\t", with: "Land\t").utf8),
    ])
    let (table, diagnostics) = Inspection.look(at: [sandbox.path])
    let rows = table.rows.map { $0.map(text(_:)) }
    #expect(rows[0][6...8] == ["Device", "Gadget", ""])
    #expect(rows[1][8].contains("\"Country\""))
    #expect(diagnostics.count == 1)
    #expect(diagnostics.first?.text.hasSuffix("[missing-columns]") == true)
    #expect(diagnostics.first?.reason == .unusableInput)
  }

  @Test
  func `tells what is no report and what is damaged`() throws {
    let stored = gzip(ReportText.subscriber.with([:]).bytes)
    let sandbox = try ReportSandbox([
      "a.txt": Array("hello\n".utf8), "b.txt": stored.dropLast(2) + [],
      "c.txt": Array("{\"errors\":[{\"detail\":\"No sales.\"}]}".utf8),
    ])
    let (table, diagnostics) = Inspection.look(at: [sandbox.path, sandbox.path + "/none"])
    #expect(table.rows.map { text($0[1]) } == ["unknown", "subscriber", "apple-error", "unknown"])
    #expect(
      diagnostics.map { String($0.text.split(separator: "[").last ?? "") } == [
        "gzip-truncated]", "apple-error]", "cannot-open]",
      ])
    #expect(
      diagnostics.map(\.reason) == [
        .corruptInput, .unusableInput, .unusableInput,
      ])
    // What is damaged or no report has no number of rows.
    #expect(table.rows.map { $0[5] } == [.missing, .missing, .missing, .missing])
    // Only a file that is named must be a report.
    #expect(table.rows.map { text($0[8]) }.first == "unrecognized file")
    let named = Inspection.look(at: [sandbox.path + "/a.txt"]).diagnostics
    #expect(named.map { $0.text.hasSuffix("[unrecognized-file]") } == [true])
  }

  private func text(_ cell: ReportTable.Cell) -> String {
    switch cell {
    case .text(let text): text
    case .count(let count): "\(count)"
    default: ""
    }
  }
}
