import AppStoreReports
import Files
import Pages
import Pipeline
import PipelineTestSupport
import Scanning
import SubreportTestSupport
import Testing

/// What is wrong with a stored file, and the code that says so.
private struct Damage: CustomTestStringConvertible, Sendable {
  let code: String
  let testDescription: String
  let apply: @Sendable (_ stored: [UInt8]) -> [UInt8]

  init(_ code: String, _ name: String, _ apply: @escaping @Sendable ([UInt8]) -> [UInt8]) {
    self.code = code
    testDescription = name
    self.apply = apply
  }

  static let all = [
    Damage("gzip-wrong-checksum", "first byte of the CRC") { flipped($0, fromEnd: 8) },
    Damage("gzip-wrong-checksum", "last byte of the CRC") { flipped($0, fromEnd: 5) },
    Damage("gzip-wrong-length", "first byte of the length") { flipped($0, fromEnd: 4) },
    Damage("gzip-wrong-length", "last byte of the length") { flipped($0, fromEnd: 1) },
    Damage("gzip-trailing-garbage", "one byte more") { $0 + [65] },
    Damage("gzip-trailing-garbage", "zeros, then text") { $0 + [0, 0, 0, 65] },
    Damage("gzip-truncated", "the magic of a second member") { $0 + [0x1F, 0x8B] },
    Damage("gzip-truncated", "half a second member") { $0 + $0.prefix($0.count / 2) },
    Damage("gzip-wrong-checksum", "a second member with another CRC") {
      $0 + flipped($0, fromEnd: 7)
    },
    Damage("gzip-damaged", "an unknown method") { [0x1F, 0x8B, 9] + $0.dropFirst(3) },
    Damage("gzip-damaged", "a reserved flag") { $0.prefix(3) + [0x80] + $0.dropFirst(4) },
    Damage("gzip-damaged", "deflated data of a reserved kind") {
      $0.prefix(10) + [0x07] + $0.dropFirst(11)
    },
  ]

  private static func flipped(_ bytes: [UInt8], fromEnd distance: Int) -> [UInt8] {
    var bytes = bytes
    bytes[bytes.count - distance] ^= 0x40
    return bytes
  }
}

/// A folder of good files of which one more is to be damaged: a trial and its end, a renewal that is
/// missed, a refund, and names that only the damaged file has.
private struct GoodFolder {
  static let name = subscriberName(12)
  let sandbox: ReportSandbox
  /// The run without the damaged file.
  let expected: RunOutcome

  init() throws {
    sandbox = try ReportSandbox()
    for day in 9...15 where day != 12 {
      let date = ["Event Date": "2026-01-\(day < 10 ? "0" : "")\(day)"]
      let report = ReportText.subscriber.with(
        date.merging(["Subscriber ID": "1\(day)"]) { $1 },
        date.merging(["Subscriber ID": "2", "Standard Subscription Duration": "7 Days"]) { $1 })
      let bytes = day % 2 == 0 ? gzip(report.bytes) : report.bytes
      try sandbox.write(subscriberName(day), bytes)
    }
    expected = try RunOutcome(sandbox)
  }

  /// The text of the file that is damaged.
  static let text = ReportText.subscriber.with(
    ["Event Date": "2026-01-12", "Subscription Name": "Newest name", "Subscriber ID": "110"],
    ["Event Date": "2026-01-12", "Subscription Apple ID": "9", "Country": "FR"],
    ["Event Date": "none"],
    [
      "Event Date": "2026-01-12", "Subscriber ID": "19", "Refund": "Yes",
      "Purchase Date": "2026-01-09", "Customer Price": "-9.99",
    ]
  ).bytes

  /// Runs with the damaged file, checks that nothing of it is in the numbers, and returns its report.
  func run(_ damaged: [UInt8]) throws -> (report: FileReport, diagnostics: [Diagnostic]) {
    try sandbox.write(Self.name, damaged)
    let found = try RunOutcome(sandbox)
    #expect(found.difference(from: expected) == [])
    #expect(found.text("days.csv") == expected.text("days.csv"))
    #expect(found.text("rejects.csv") == expected.text("rejects.csv"))
    #expect(found.checks.hold)
    let report = try #require(found.result.files.first { $0.file.relativePath == Self.name })
    #expect(!report.isUsed)
    #expect(report.rows.used == 0)
    #expect(report.rows.addUp)
    #expect(report.rejects == [])
    return (report, found.result.fileDiagnostics)
  }
}

@Suite("A damaged file leaves the numbers as they are without it")
struct DamagedFileTests {
  @Test(arguments: 0..<4)
  func `truncated at any byte`(quarter: Int) throws {
    let folder = try GoodFolder()
    let stored = gzip(GoodFolder.text)
    for (index, length) in places(stored.indices).enumerated() where index % 4 == quarter {
      let (report, diagnostics) = try folder.run(Array(stored.prefix(length)))
      #expect(report.sha256 == referenceSHA256(Array(stored.prefix(length))))
      if length == 0 {
        #expect(report.problem?.code == "empty-file")
        #expect(diagnostics.map(\.reason) == [.unusableInput])
      } else if length == 1 {
        // Not yet gzip: one byte under a report's name.
        #expect(report.problem?.code == "unrecognized-file")
        #expect(diagnostics.map(\.reason) == [.unusableInput])
      } else {
        #expect(report.problem?.code == "gzip-truncated", "\(length) bytes")
        #expect(diagnostics.map(\.reason) == [.corruptInput])
      }
    }
  }

  @Test(arguments: [false, true])
  func `truncated between two members and inside the second`(isUsed: Bool) throws {
    let folder = try GoodFolder()
    let half = GoodFolder.text.count / 2
    let first = gzip(Array(GoodFolder.text.prefix(half)))
    let second = gzip(Array(GoodFolder.text.dropFirst(half)))
    if isUsed {
      try folder.sandbox.write(GoodFolder.name, first + second)
      let whole = try RunOutcome(folder.sandbox)
      #expect(whole.account(GoodFolder.name).prefix(4) == ["4", "3", "1", "0"])
    } else {
      for length in stride(from: first.count + 1, to: first.count + second.count, by: 7) {
        let (report, _) = try folder.run(Array((first + second).prefix(length)))
        #expect(["gzip-truncated", "gzip-trailing-garbage"].contains(report.problem?.code))
      }
    }
  }

  @Test(arguments: Damage.all)
  fileprivate func `with a code for each damage`(damage: Damage) throws {
    let folder = try GoodFolder()
    let (report, diagnostics) = try folder.run(damage.apply(gzip(GoodFolder.text)))
    #expect(report.problem?.code == damage.code)
    #expect(report.problem?.isCorruption == true)
    #expect(diagnostics.map(\.reason) == [.corruptInput])
    let text = try #require(diagnostics.first?.text)
    #expect(text.hasPrefix("\(folder.sandbox.path)/\(GoodFolder.name): error: "))
    #expect(text.hasSuffix("[\(damage.code)]"))
  }

  @Test(arguments: seeds(4))
  func `with a bit flipped anywhere in the deflated data`(seed: UInt64) throws {
    let folder = try GoodFolder()
    let stored = gzip(GoodFolder.text)
    var random = SeededGenerator(seed: seed)
    for _ in places(0..<25) {
      var damaged = stored
      damaged[Int.random(in: 10..<stored.count, using: &random)] ^=
        1
        << UInt8.random(
          in: 0..<8, using: &random)
      let (report, diagnostics) = try folder.run(damaged)
      // Damage to the header's own bytes shows as damage too, not as other columns.
      #expect(report.problem?.isCorruption == true)
      #expect(diagnostics.map(\.reason) == [.corruptInput])
      #expect(report.sha256 == referenceSHA256(damaged))
    }
  }

  @Test
  func `when only its last block is damaged and its rows were read before`() throws {
    let folder = try GoodFolder()
    var text = GoodFolder.text
    for id in 0..<9_000 {
      let row = ReportText.subscriber.with([
        "Event Date": "2026-01-12", "Subscriber ID": "\(id &* 2_654_435_761)", "Country": "FR",
        "Subscription Name": "Newest name", "Device": id % 3 == 0 ? "none" : "iPad",
      ])
      text += row.bytes.split(separator: 10)[1] + [10]
    }
    var stored = gzip(text)
    stored[stored.count - 5] ^= 1
    let (report, _) = try folder.run(stored)
    #expect(report.problem?.code == "gzip-wrong-checksum")
    #expect(report.rows.ignored == [.damagedFile: 9_004])
    #expect(report.rows.read == 9_004)
    #expect(report.sha256 == referenceSHA256(stored))
  }

  @Test
  func `and a daily SALES file, damaged late or early, leaves the good weekly one in use`() throws {
    let week = ["Begin Date": "01/05/2026", "End Date": "01/11/2026"]
    let sandbox = try ReportSandbox(["S_W_80012345_20260111.txt": ReportText.sales.with(week).bytes]
    )
    for day in 6...11 {
      let report = ReportText.sales.with([:]).text.replacing(
        "01/05/", with: "01/\(day < 10 ? "0" : "")\(day)/")
      try sandbox.write("S_D_80012345_202601\(day < 10 ? "0" : "")\(day).txt", report)
    }
    let expected = try RunOutcome(sandbox)
    let stored = gzip(ReportText.sales.with([:]).bytes)
    for damaged: [UInt8] in [stored.dropLast(1) + [], stored.prefix(40) + []] {
      try sandbox.write("S_D_80012345_20260105.txt", damaged)
      let found = try RunOutcome(sandbox)
      #expect(found.difference(from: expected) == [])
      #expect(found.account("S_W_80012345_20260111.txt") == ["1", "1", "0", "0", ""])
      #expect(found.result.fileDiagnostics.map(\.reason) == [.corruptInput])
    }
    try sandbox.write("S_D_80012345_20260105.txt", ReportText.sales.with([:]).bytes)
    let daily = try RunOutcome(sandbox)
    #expect(daily.account("S_W_80012345_20260111.txt")[4] == "the daily reports have its days: 1")
  }

  @Test(arguments: [
    ("Subscription_Event_80012345_20260105_V1_3.txt", ReportText.event),
    ("Subscription_80012345_20260131_V1_3.txt", ReportText.snapshot),
    ("S_D_80012345_20260105.txt", ReportText.sales),
  ])
  func `of any kind`(name: String, report: ReportText) throws {
    let sandbox = try ReportSandbox()
    try sandbox.write(subscriberName(5), ReportText.subscriber.with([:]).bytes)
    try sandbox.write("S_D_80012345_20260106.txt", ReportText.sales.with([:]).bytes)
    try sandbox.write(
      "Subscription_Event_80012345_20260206_V1_3.txt",
      ReportText.event.with(["Event Date": "2026-02-06"]).bytes)
    let expected = try RunOutcome(sandbox)
    let stored = gzip(report.with([:], ["Subscription Name": "Other", "Title": "Other"]).bytes)
    for damaged in [stored + [1], stored.dropLast(5) + [], stored.dropLast(60) + []] {
      try sandbox.write(name, damaged)
      let found = try RunOutcome(sandbox)
      #expect(found.difference(from: expected) == [])
      #expect(found.text("days.csv") == expected.text("days.csv"))
      #expect(found.result.fileDiagnostics.map(\.reason) == [.corruptInput])
    }
  }
}
