import Glibc
import Simulation
import SubreportTestSupport
import Testing

@Suite("A simulated world")
struct SimulatorTests {
  static func world(
    _ subscribers: Int = 200, to lastDay: String = "2026-02-28", seed: UInt64 = 1,
    faults: Bool = true,
    kinds: Set<WorldOptions.ReportKind> = Set(WorldOptions.ReportKind.usual)
  ) throws -> WorldOptions {
    try WorldOptions(
      subscribers: subscribers, firstDay: "2026-01-01", lastDay: lastDay, seed: seed,
      plantsFaults: faults, kinds: kinds)
  }

  @Test(arguments: histories(3, from: 1))
  func `is the same bytes but for signatures for the same seed`(seed: UInt64) throws {
    let first = try SimulatedFolder.shared(Self.world(seed: seed))
    let second = try SimulatedFolder(Self.world(seed: seed))
    #expect(first.files == second.files)
    #expect(first.summary == second.summary)
    for file in first.files {
      #expect(try first.lastingContent(file) == second.lastingContent(file), "\(file)")
    }
  }

  @Test(arguments: histories(3, from: 1))
  func `is other bytes for another seed`(seed: UInt64) throws {
    let first = try SimulatedFolder.shared(Self.world(seed: seed, faults: false))
    let second = try SimulatedFolder.shared(Self.world(seed: seed + 100, faults: false))
    let day = "subscriber/Subscriber_80012345_20260115_V1_3.txt.gz"
    #expect(try first.bytes(day) != second.bytes(day))
    #expect(try first.bytes("truth/charges.csv") != second.bytes("truth/charges.csv"))
  }

  @Test
  func `of one day has one capture of receipts`() throws {
    let world = try SimulatedFolder(Self.world(5, to: "2026-01-01"))
    #expect(world.files.filter { $0.contains("verify-receipt_") }.count == 1)
  }

  @Test
  func `does not depend on which reports are written`() throws {
    let all = try SimulatedFolder.shared(Self.world())
    let one = try SimulatedFolder.shared(Self.world(kinds: [.subscriber]))
    #expect(one.files.filter { !$0.hasPrefix("truth/") }.allSatisfy { $0.hasPrefix("subscriber/") })
    for file in one.files where file != "truth/faults.csv" {
      #expect(try one.bytes(file) == all.bytes(file), "\(file)")
    }
  }

  @Test(arguments: histories(3, from: 1))
  func `has the same truth with and without faults`(seed: UInt64) throws {
    let faulty = try SimulatedFolder.shared(Self.world(seed: seed))
    let clean = try SimulatedFolder.shared(Self.world(seed: seed, faults: false))
    #expect(try faulty.truth("faults.csv").count == 4)
    #expect(try clean.truth("faults.csv").isEmpty)
    for file in clean.files where file.hasPrefix("truth/") && file != "truth/faults.csv" {
      #expect(try faulty.bytes(file) == clean.bytes(file), "\(file)")
    }
  }

  @Test
  func `has gzip files of one member without time and system`() throws {
    let folder = try SimulatedFolder.shared(Self.world(to: "2026-01-20"))
    let files = folder.files.filter { $0.hasSuffix(".gz") }
    #expect(!files.isEmpty)
    for file in files {
      let bytes = try folder.bytes(file)
      #expect(Array(bytes.prefix(10)) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255], "\(file)")
      #expect(GzipMember.content(of: bytes) != nil, "\(file)")
      #expect(GzipMember.content(of: bytes + bytes) == nil, "\(file)")
    }
  }

  @Test
  func `says how many files and rows it wrote`() throws {
    let folder = try SimulatedFolder.shared(Self.world())
    let dumps = folder.files.filter { $0.hasPrefix("receipts/") && $0.hasSuffix(".gz") }
    let lines = try dumps.map { try folder.content($0).count { $0 == UInt8(ascii: "\n") } }
    #expect(folder.summary.counts[.receipts]?.files == dumps.count)
    #expect(folder.summary.counts[.receipts]?.rows == lines.reduce(0, +))
    for kind in WorldOptions.ReportKind.reports {
      let files = folder.files.filter { $0.hasPrefix(kind.rawValue + "/") }
      let rows = try files.map { try folder.report($0).rows.count }.reduce(0, +)
      #expect(folder.summary.counts[kind]?.files == files.count)
      #expect(folder.summary.counts[kind]?.rows == rows)
    }
  }

  // MARK: Refusals

  static let impossible: [(Int, String, String, SimulationError)] = [
    (0, "2026-01-01", "2026-01-31", .impossibleSubscribers(0)),
    (20_000_001, "2026-01-01", "2026-01-31", .impossibleSubscribers(20_000_001)),
    (1, "2026-02-29", "2026-03-31", .malformedDay("2026-02-29")),
    (1, "2026-1-1", "2026-03-31", .malformedDay("2026-1-1")),
    (1, "2026-01-01", "2026-13-01", .malformedDay("2026-13-01")),
    (1, "2026-01-01", "", .malformedDay("")),
    (1, "2026-02-01", "2026-01-31", .reversedDays(first: "2026-02-01", last: "2026-01-31")),
    (1, "2000-01-01", "2026-01-01", .tooManyDays(9_498)),
  ]

  @Test(arguments: impossible)
  func `is refused if it is impossible`(
    subscribers: Int, first: String, last: String, error: SimulationError
  ) {
    #expect(throws: error) {
      try WorldOptions(subscribers: subscribers, firstDay: first, lastDay: last, seed: 1)
    }
  }

  @Test
  func `is refused if a negative number of customers is to be notified`() {
    #expect(throws: SimulationError.impossibleNotified(-1)) {
      try WorldOptions(
        subscribers: 1, firstDay: "2026-01-01", lastDay: "2026-01-31", seed: 1, notified: -1)
    }
  }

  @Test
  func `is refused without reports`() {
    #expect(throws: SimulationError.noReportKinds) { try Self.world(kinds: []) }
  }

  @Test
  func `goes into an empty or a new folder and into no other`() throws {
    let path = try Files.makeTemporaryFolder()
    defer { removeTree(path) }
    let world = try Self.world(5, to: "2026-01-02")
    #expect(throws: Never.self) { try Simulator.write(world: world, to: path) }
    #expect(throws: SimulationError.directoryNotEmpty(path)) {
      try Simulator.write(world: world, to: path)
    }
    #expect(throws: Never.self) { try Simulator.write(world: world, to: path + "/new/folder") }
    #expect(names(inFolder: path + "/new/folder").contains("truth"))
    let file = path + "/truth/README.md"
    #expect(throws: SimulationError.cannotWrite(path: file, code: ENOTDIR)) {
      try Simulator.write(world: world, to: file)
    }
  }
}
