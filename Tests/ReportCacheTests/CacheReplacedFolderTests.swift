import Dispatch
import Glibc
import Pipeline
import PipelineTestSupport
import ReportCache
import SubreportTestSupport
import Testing

/// A link to one of two folders, and a pipe after it that holds a run up between listing the folder's files and
/// opening them.
private struct SwitchedFolder {
  private let sandbox: ReportSandbox
  let cache: String
  private var link: String { sandbox.path + "/in" }
  private var pipe: String { sandbox.path + "/pipe" }

  /// Folders `a` and `b` with a report of the same name: one has two rows, the other one and its columns in another
  /// order.
  init() throws {
    sandbox = try ReportSandbox()
    cache = sandbox.path + "/cache"
    let report = ReportText.subscriber
    let other = ReportText(columns: report.columns.reversed(), usual: report.usual)
    try sandbox.write("a/" + subscriberName(5), report.with([:], ["Subscriber ID": "5"]).bytes)
    try sandbox.write("b/" + subscriberName(5), other.with(["Customer Price": "4.99"]).bytes)
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    Self.point(link, at: "a")
  }

  func point(at folder: String) { Self.point(link, at: folder) }

  private static func point(_ link: String, at folder: String) {
    _ = unsafe (unlink(link), symlink(folder, link))
  }

  /// Runs, and points the link at another folder as soon as its files are listed.
  func run(withCache: Bool = true, thenPointAt folder: String? = nil) throws -> RunOutcome {
    // An hour later, so that files are remembered that have just been written.
    let cache =
      withCache ? try ExtractCache(path: cache, version: "1.2.3", secondsAhead: 3_600) : nil
    let report = ReportText.subscriber.with(["Event Date": "2026-01-06"]).bytes
    DispatchQueue.global().async { [link, pipe] in
      // Waits until the run opens the pipe to copy what comes out of it.
      let descriptor = unsafe open(pipe, O_WRONLY)
      if let folder { Self.point(link, at: folder) }
      _ = unsafe write(descriptor, report, report.count)
      close(descriptor)
    }
    return try RunOutcome([link, pipe]) { $0.earlierRuns = cache }
  }

  /// What differs from a run without a cache, now that the link points at a folder.
  func differences(pointingAt folder: String) throws -> [String] {
    point(at: folder)
    return try run().differingFiles(from: run(withCache: false))
  }
}

@Suite("A folder that is another one when its files are opened")
struct CacheReplacedFolderTests {
  @Test
  func `is not remembered`() throws {
    let folder = try SwitchedFolder()
    _ = try folder.run(thenPointAt: "b")
    #expect(try folder.differences(pointingAt: "a") == [])
    #expect(try folder.differences(pointingAt: "b") == [])
  }

  @Test
  func `is not kept as if it had the headers that are remembered`() throws {
    let folder = try SwitchedFolder()
    _ = try folder.run()
    for name in names(inFolder: folder.cache + "/extracts") {
      _ = unsafe unlink(folder.cache + "/extracts/" + name)
    }
    _ = try folder.run(thenPointAt: "b")
    #expect(try folder.differences(pointingAt: "b") == [])
    #expect(try folder.differences(pointingAt: "a") == [])
  }
}
