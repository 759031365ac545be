import Pipeline
import PipelineTestSupport
import Receipts
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

/// The lines of dumps of all kinds, of which histories are made.
private let lines: [[UInt8]] = {
  guard let world = try? SimulatedReports(seed: 930, subscribers: 60, kinds: [.receipts]) else {
    return []
  }
  return world.reports.keys.sorted().flatMap { path in
    (world.reports[path] ?? []).split(separator: UInt8(ascii: "\n")).map { Array($0) }
  }
}()

/// Nights of somebody who keeps dumps: they come, are made anew, go, and suffer.
struct DumpHistory {
  var files: NightlyFiles
  private var count = 0

  init(seed: UInt64) throws {
    files = try NightlyFiles(seed: seed, ahead: [])
    for _ in 0..<Int.random(in: 2..<6, using: &files.random) { try add() }
  }

  mutating func night() throws {
    for _ in 0..<Int.random(in: 0..<3, using: &files.random) { try add() }
    guard let (name, bytes) = files.any() else { return }
    switch Int.random(in: 0..<8, using: &files.random) {
    case 0: try files.put(name, nil)
    case 1: try files.put("copy-of-" + name, bytes)
    case 2:
      try files.put(name, nil)
      try files.put("moved-" + name, bytes)
    case 3: try files.put(name, gzip(bytes))
    case 4:
      try files.put(name, gzip(bytes).dropLast(Int.random(in: 1..<20, using: &files.random)))
    case 5:
      let end = Int.random(in: 0...bytes.count, using: &files.random)
      try files.put(name, Array(bytes[..<end]))
    case 6: try files.put(name, bytes + someLines(2))
    default: try files.put(name, flipped(bytes))
    }
  }

  /// Damages an entry, or does not.
  mutating func damage() throws {
    let sandbox = files.sandbox
    guard let name = sandbox.entries.randomElement(using: &files.random),
      let other = sandbox.entries.randomElement(using: &files.random)
    else { return }
    switch Int.random(in: 0..<5, using: &files.random) {
    case 0: sandbox.removeEntry(name)
    case 1: try sandbox.writeEntry(name, try sandbox.entry(other))
    case 2:
      let entry = flipped(try sandbox.entry(name))
      try sandbox.writeEntry(name, entry)
    default: return
    }
  }

  private mutating func add() throws {
    count += 1
    try files.put("dump\(count)", dump())
  }

  private mutating func dump() -> [UInt8] {
    let bytes = someLines(Int.random(in: 1..<12, using: &files.random))
    let text = String(decoding: bytes, as: UTF8.self)
    let array = "[" + text.dropLast().replacing("\n", with: ",\n") + "]"
    let changed: String
    switch Int.random(in: 0..<10, using: &files.random) {
    case 0: changed = array
    // One document, until more of it shows that it is none.
    case 1: changed = array + "\n" + text
    case 2: changed = text.replacing("Production", with: "Sandbox")
    case 3: changed = text.replacing("transaction_id", with: "no_id")
    case 4: changed = text.replacing("\"transaction_id\":\"", with: "\"transaction_id\":\"A")
    case 5: changed = text.replacing("\"environment\":\"Production\",", with: "")
    case 6:
      let secret = String(repeating: "s", count: 30)
      let rows = (0..<9).map { "\($0),2026-01-0\($0)T08:00:00Z,2026-02-01,\(secret)\n" }
      changed = "id,bought,expires,secret\n" + rows.joined()
    default: changed = text
    }
    return Array(changed.utf8)
  }

  private mutating func someLines(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { _ in
      (lines.randomElement(using: &files.random) ?? []) + [UInt8(ascii: "\n")]
    }
  }

  private mutating func flipped(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    guard let index = bytes.indices.randomElement(using: &files.random) else { return bytes }
    bytes[index] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &files.random)
    return bytes
  }

  /// What a run is asked, besides the usual.
  mutating func change() -> (inout RunPlan) -> Void {
    let days = UInt32.random(in: 0..<40, using: &files.random)
    let expiry = Bool.random(using: &files.random) ? "expires" : "secret"
    let columns: [ReceiptColumns.Field: String] = [
      .purchaseDate: "bought", .expiresDate: expiry,
      .originalTransactionID: "id",
    ]
    switch Int.random(in: 0..<8, using: &files.random) {
    case 0: return { $0.receipts.asOf = Instant(seconds: 1_767_225_600 + 86_400 * days) }
    case 1: return { $0.receipts.environment = .all }
    case 2: return { $0.receipts.environment = .sandbox }
    case 3: return { $0.receipts.columns = ReceiptColumns(columns) }
    case 4: return { $0.receipts.roots = RootCertificates() }
    case 5: return { $0.prices = PricePlan() }
    default: return { _ in }
    }
  }
}

@Suite("With a cache of dumps")
struct DumpHistoryTests {
  @Test(arguments: histories(16))
  func `every run says what it says without, whatever happens`(seed: UInt64) throws {
    #expect(!lines.isEmpty)
    var history = try DumpHistory(seed: seed)
    for night in 0..<5 {
      let change = history.change()
      let version = Int.random(in: 0..<8, using: &history.files.random) == 0 ? "1.2.4" : "1.2.3"
      let jobs = Int.random(in: 1..<4, using: &history.files.random)
      let sandbox = history.files.sandbox
      let differences = try sandbox.differences(version: version, jobs: jobs, change: change)
      #expect(
        differences.filter { !$0.hasPrefix("cache: rebuilt the entry of ") } == [], "night \(night)"
      )
      // What was made anew is whole again.
      #expect(try sandbox.differences(version: version, change: change) == [], "night \(night)")
      try history.night()
      try history.damage()
    }
  }
}
