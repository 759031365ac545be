import Files
import Pipeline
import PipelineTestSupport
import Steps
import SubreportTestSupport
import Testing

@Suite("Frames of steps")
struct FrameTests {
  private static let file = InputFile(
    path: "", shownPath: "in/a.txt", relativePath: "a.txt", isNamed: false, status: nil)

  private static func bytes(of frames: [Frame], version: String = StepDriver.version) -> [UInt8] {
    frames.flatMap { $0.parts(version: version).joined() }
  }

  private func labels(in bytes: [UInt8]) throws -> [String] {
    var source = StepDriver.source(bytes)
    var labels: [String] = []
    while let frame = try source.next() { labels.append(frame.label.text) }
    return labels
  }

  /// Returns the code of the error that reading the bytes gives; `nil` without an error.
  private func code(in bytes: [UInt8]) -> StepError.Code? {
    do {
      _ = try labels(in: bytes)
      return nil
    } catch let error as StepError {
      return error.code
    } catch {
      Issue.record("found \(error), expected an error of steps")
      return nil
    }
  }

  @Test
  func `are read as they were written`() throws {
    let frames = [FileFrame.frame(Self.file, [1, 2, 3]), FileFrame.frame(Self.file, [])]
    #expect(try labels(in: Self.bytes(of: frames)) == ["file - -", "file - -"])
    #expect(try labels(in: []) == [])
  }

  @Test
  func `are refused with any byte changed or missing`() {
    let bytes = Self.bytes(of: [FileFrame.frame(Self.file, Array("some bytes".utf8))])
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1
      #expect([.damaged, .otherVersion].contains(code(in: damaged)), "byte \(place)")
      if place > 0 { #expect(code(in: Array(bytes[..<place])) == .damaged, "\(place) bytes") }
    }
  }

  @Test
  func `with a file may have a plain form, as an engine writes it`() throws {
    let body = Array("subreport file\na/b.txt\nin/a/b.txt\nsome\nbytes".utf8)
    let bytes = [UInt8(body.count)] + [UInt8](repeating: 0, count: 7) + body
    #expect(try labels(in: bytes) == ["file - -"])
    var source = StepDriver.source(bytes)
    #expect(try Scout.frames(&source).map(\.label.text) == ["scouted - -"])
    #expect(code(in: Array(bytes.dropLast())) == .damaged)
  }

  @Test
  func `of a damaged member of an archive end in the error of a run`() throws {
    let report = ReportText.subscriber.with([:], ["Subscriber ID": "2"]).bytes
    var damaged = ZipMaker([.init(subscriberName(5), report, isDeflated: false)]).archive
    damaged[60 + report.count] ^= 1
    let sandbox = try ReportSandbox([
      "a.zip": damaged, "b.zip": ZipMaker.archive([(subscriberName(6), report)]),
    ])
    var driver = StepDriver(try RunOutcome(sandbox).result.plan)
    let (run, differences) = try driver.comparison(sandbox.path)
    #expect(run.result.files.map(\.problem?.code) == ["zip-wrong-checksum", nil])
    #expect(differences == [])
  }

  @Test
  func `of another version of the program are refused`() {
    let bytes = Self.bytes(of: [FileFrame.frame(Self.file, [1])], version: "9.9")
    #expect(code(in: bytes) == .otherVersion)
  }

  @Test
  func `say what follows them in the middle of a stream`() {
    let bytes = Self.bytes(of: [FileFrame.frame(Self.file, [1])])
    #expect(code(in: bytes + [0]) == .damaged)
    #expect(code(in: bytes + Array("Provider\tSKU\tTitle\n".utf8)) == .damaged)
  }
}
