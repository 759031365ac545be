import AppStoreReports
import Files
import Glibc
import Pages
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Zip archives among the inputs")
struct ArchiveTests {
  private static let report = ReportText.subscriber.with([:], ["Subscriber ID": "2"]).bytes
  private static let files: [String: [UInt8]] = [
    subscriberName(5): report, "2026/" + subscriberName(6) + ".gz": gzip(report),
    "2026/S_D_80012345_20260105.txt": ReportText.sales.with([:]).bytes,
  ]

  private static func archive(_ files: [String: [UInt8]]) -> [UInt8] {
    ZipMaker.archive(files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// Makes a run's files with the paths of an archive taken away.
  private func files(_ outcome: RunOutcome, without archive: String) -> [String: String] {
    outcome.files.mapValues { String(decoding: $0, as: UTF8.self) }
      .filter { $0.key.hasSuffix(".csv") }
      .mapValues { $0.replacing(archive + "/", with: "") }
  }

  @Test
  func `are read like the folders that they hold`() throws {
    let folder = try ReportSandbox(Self.files)
    let packed = try ReportSandbox(["reports.zip": Self.archive(Self.files)])
    let expected = try files(RunOutcome(folder), without: "reports.zip")
    let outcome = try RunOutcome(packed)
    #expect(files(outcome, without: "reports.zip") == expected)
    let named = try RunOutcome([packed.path + "/reports.zip"])
    #expect(files(named, without: "reports.zip") == expected)
    let paths = Self.files.keys.map { "reports.zip/" + $0 }.sorted()
    #expect(outcome.result.files.map(\.file.relativePath) == paths)
    #expect(outcome.result.files.allSatisfy { !$0.file.isNamed })
    #expect(
      outcome.result.files.map(\.sha256)
        == paths.map { referenceSHA256(Self.files[String($0.dropFirst(12))] ?? []) })
  }

  @Test
  func `are opened by their content, whatever their names are`() throws {
    let archive = Self.archive([subscriberName(5): Self.report])
    for name in ["reports.ZIP", "reports", "reports (1).download"] {
      let sandbox = try ReportSandbox([name: archive])
      let paths = InputListing.list([sandbox.path]).files.map(\.relativePath)
      #expect(paths == ["\(name)/\(subscriberName(5))"])
    }
    for name in ["reports.txt", "reports.gz", "reports.csv"] {
      let sandbox = try ReportSandbox([name: archive])
      let paths = InputListing.list([sandbox.path + "/" + name]).files.map(\.relativePath)
      #expect(paths == ["\(name)/\(subscriberName(5))"])
    }
  }

  @Test
  func `without files are named`() throws {
    let sandbox = try ReportSandbox([
      "a.zip": ZipMaker.archive([]), "b.zip": Self.archive(["__MACOSX/._x.txt": [1]]),
    ])
    let result = try RunOutcome(sandbox).result
    #expect(result.files.map(\.file.relativePath) == ["a.zip", "b.zip"])
    #expect(result.files.map(\.foreign) == [.emptyZip, .emptyZip])
    #expect(result.files.map(\.note).allSatisfy { $0.contains("an empty zip archive") })
  }

  @Test
  func `beside the same file, which is read once`() throws {
    let name = subscriberName(5)
    let sandbox = try ReportSandbox([
      "A.zip": Self.archive([name: Self.report]), name: Self.report,
    ])
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.account("A.zip/" + name) == ["2", "2", "0", "0", ""])
    #expect(
      outcome.account(name) == [
        "2", "0", "0", "2", "duplicate file: 2; same bytes as A.zip/\(name)",
      ])
  }

  @Test
  func `downloaded twice: the second counts`() throws {
    let name = subscriberName(5)
    let sandbox = try ReportSandbox([
      "July.zip": Self.archive([name: ReportText.subscriber.with([:]).bytes]),
      "July (1).zip": Self.archive([name: Self.report]),
    ])
    let restatements = try RunOutcome(sandbox).result.restatements
    #expect(restatements.map(\.new) == ["July (1).zip/" + name])
    #expect(restatements.map(\.reason) == [.secondDownload])
  }

  @Test
  func `that are no reports are named`() throws {
    let sheet = ZipMaker.archive([("docProps/app.xml", [1]), ("[Content_Types].xml", [1])])
    let inner: [String: [UInt8]] = [
      subscriberName(5): Self.report, "b.xlsx": sheet, "c.zip": Self.archive(Self.files),
      "__MACOSX/._b.xlsx": [1], ".DS_Store": [1],
    ]
    let sandbox = try ReportSandbox(["a.zip": Self.archive(inner), "a.xlsx": sheet])
    let result = try RunOutcome(sandbox).result
    #expect(
      result.files.map(\.file.relativePath) == [
        "a.xlsx", "a.zip/\(subscriberName(5))", "a.zip/b.xlsx", "a.zip/c.zip",
      ])
    #expect(result.files.map(\.foreign) == [.spreadsheet, nil, .spreadsheet, .zip])
    #expect(result.files.allSatisfy { $0.problem == nil })
    let named = try RunOutcome([sandbox.path + "/a.xlsx", sandbox.path + "/a.zip"]).result
    #expect(named.files.first?.problem?.message.contains("export it as tab-separated text") == true)
  }

  @Test
  func `that cannot be read are errors`() throws {
    var secret = ZipMaker.Member(subscriberName(5), Self.report)
    secret.isEncrypted = true
    var wrong = ZipMaker([.init(subscriberName(5), Self.report, isDeflated: false)]).archive
    wrong[60 + Self.report.count] ^= 1
    let sandbox = try ReportSandbox([
      "cut.zip": Self.archive(Self.files).dropLast(3) + [],
      "secret.zip": ZipMaker([secret]).archive,
      "wrong.zip": wrong, "cut.pages": Self.archive(Self.files).dropLast(3) + [],
    ])
    let result = try RunOutcome(sandbox).result
    #expect(
      result.inputErrors.map { [$0.path.dropFirst(sandbox.path.count + 1) + "", $0.code] } == [
        ["cut.zip", "zip-damaged"], ["secret.zip/" + subscriberName(5), "zip-needs-password"],
      ])
    // Tables name them by their paths below the input, wherever it is.
    #expect(
      result.inputErrors.map(\.relativePath) == ["cut.zip", "secret.zip/" + subscriberName(5)])
    #expect(result.files.map(\.problem?.code) == [nil, "zip-wrong-checksum"])
    // Of a damaged member its bytes as stored.
    let stored = wrong[
      30 + subscriberName(5).utf8.count..<30 + subscriberName(5).utf8.count + Self.report.count]
    #expect(result.files.map(\.sha256).last == referenceSHA256(Array(stored)))
    #expect(result.files.map(\.foreign) == [.zip, nil])
    #expect(
      result.exitReasons(maxRejects: 0, checksDays: false) == [.unusableInput, .corruptInput])
    // No output may be written over an archive, whose members alone are files of the run.
    #expect(
      InputListing.inputDestroyed(
        by: sandbox.path + "/cut.zip", isFolder: false, inputs: [sandbox.path])
        == sandbox.path + "/cut.zip")
  }

  @Test
  func `that come through standard input are read, too`() async {
    await #expect(processExitsWith: .success) {
      let report = ReportText.subscriber.with([:], ["Subscriber ID": "2"]).bytes
      let sandbox = try ReportSandbox(["in": ZipMaker.archive([(subscriberName(5), report)])])
      // Safe: the system copies the path during the call.
      let file = unsafe open(sandbox.path + "/in", O_RDONLY)
      try #require(dup2(file, 0) == 0)
      let outcome = try RunOutcome(["-"])
      try #require(outcome.result.files.map(\.file.shownPath) == ["-/" + subscriberName(5)])
      try #require(outcome.rows("proceeds.csv").map { $0["charges"] } == ["2"])
    }
  }
}

@Suite("Names of reports")
struct NamedReportTests {
  @Test
  func `with two dates have none, unless one is behind the vendor number`() throws {
    let names = [
      "Subscription 2026-01-04 2026-01-05.txt", "Subscription_2026-01-09_80012345_20260106.txt",
    ]
    let sandbox = try ReportSandbox()
    for name in names { try sandbox.write(name, ReportText.snapshot.with([:]).bytes) }
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.account(names[0])[4] == "two dates in the name: 1")
    #expect(outcome.result.files.map { $0.day?.description } == [nil, "2026-01-06"])
  }

  @Test
  func `with two dates say so, also of a file without rows`() throws {
    let name = "2026-01-04 2026-01-05.txt"
    let sandbox = try ReportSandbox([name: ReportText.sales.with().bytes])
    #expect(try RunOutcome(sandbox).account(name)[4] == "two dates in the name")
  }

  @Test
  func `have the vendor of their folder where they have none`() throws {
    let sandbox = try ReportSandbox([
      "85000000/2026/20260105.txt": ReportText.subscriber.with([:]).bytes,
      "86000000.zip": ZipMaker.archive([("20260105.txt", ReportText.subscriber.with([:]).bytes)]),
      "20260105.txt": ReportText.sales.with([:]).bytes,
    ])
    let files = carryOut([sandbox.path]).files
    #expect(files.map(\.vendor) == ["", "85000000", "86000000"])
    let below = carryOut([sandbox.path + "/85000000"]).files
    #expect(below.map(\.vendor) == [""])
  }

  @Test
  func `of transaction taxes are in no table`() throws {
    let columns = [
      "ISO Country Code", "State", "Tax Category", "Tax Type", "Currency", "Tax Exclusive Amount",
      "Tax Rate", "Taxes Paid", "# of Transactions",
    ]
    let text = columns.joined(separator: "\t") + "\nDE\t\tA\tVAT\tEUR\t1.00\t0.19\t0.19\t1\n"
    let sandbox = try ReportSandbox(["tax.txt": Array(text.utf8)])
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.result.files.map(\.kindText) == ["transaction-tax"])
    #expect(outcome.account("tax.txt") == ["1", "0", "0", "1", "other report: 1"])
  }
}
