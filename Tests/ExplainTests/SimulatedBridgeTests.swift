import Counting
import Explain
import Pages
import Pipeline
import PipelineTestSupport
import Settlement
import Simulation
import SubreportTestSupport
import Tables
import Testing

/// Worlds of `simulate`, with all forms of finance files.
@Suite("An explanation of simulated settlements")
struct SimulatedBridgeTests {
  private static func run(
    _ seed: UInt64, _ body: (FinanceRun, ReportSandbox) throws -> Void
  ) throws {
    let sandbox = try ReportSandbox()
    try Simulator.write(
      world: try WorldOptions(
        subscribers: 60, firstDay: "2026-01-20", lastDay: "2026-05-05", seed: seed,
        kinds: [.sales, .finance]), to: sandbox.path + "/world")
    try body(try FinanceRun(sandbox.path + "/world", jobs: seed % 2 == 0 ? 1 : 3), sandbox)
  }

  @Test(arguments: seeds(2))
  func `adds up for every line of every period, and names lines that are there`(
    seed: UInt64
  ) throws {
    try Self.run(seed) { run, sandbox in
      var lines = FileLines(sandbox.path + "/world/")
      for bridge in run.report.reconciliation.bridges {
        let name = [
          "region=\(bridge.region)", "currency=\(run.result.names.text(bridge.currency))",
        ]
        for entry in bridge.entries where entry.amount ?? 0 != 0 {
          let causes = bridge.entries(of: entry.line).count > 1 ? ["cause=\(entry.cause)"] : []
          let found = try run.explained(
            "reconcile", name + ["line=\(entry.line.name)"] + causes, bridge.period)
          #expect(found.holds, "\(bridge.period) \(found.lines)")
          let largest = try run.explained(
            "reconcile", name + ["line=\(entry.line.name)"] + causes, bridge.period, order: .value,
            limit: 3)
          expectLargest(largest.table, of: found.table)
          try expectLines(found.table, entry.line, &lines)
        }
      }
    }
  }

  /// Expects that each named line is there, and that those of single rows give the value.
  private func expectLines(
    _ table: ReportTable, _ line: Bridge.Line, _ lines: inout FileLines
  ) throws {
    for row in table.rows.indices {
      let texts = table.texts(["column", "value", "rows"], row: row)
      let places = texts[2].split(separator: ";").map { String($0.drop { $0 == " " }) }
      let cells = try places.map { try lines.row(at: $0) }
      guard texts[0] == "amount", let first = cells.first else { continue }
      switch line {
      case .salesGross, .salesRefunds:
        #expect(places.count == 1)
        let units = try #require(Int128(first["Units"] ?? ""))
        let proceeds = try #require(milliunits(first["Developer Proceeds"]))
        #expect("\((units != 0 ? units : -1) * proceeds)" == texts[1], "\(places)")
      case .financeShare:
        #expect(places.count == 1)
        let share = try #require(milliunits(first["Extended Partner Share"]))
        #expect("\(share)" == texts[1], "\(places)")
      default: expectOneKey(cells, "\(places)")
      }
    }
  }

  /// Expects that a settled row and the SALES rows with which it is paired are of one product and storefront.
  private func expectOneKey(_ cells: [[String: String]], _ places: String) {
    guard let settled = cells.first, settled["Transaction Date"] != nil else { return }
    for sold in cells.dropFirst() {
      #expect(sold["Apple Identifier"] == settled["Apple Identifier"], "\(places)")
      #expect(sold["Country Code"] == settled["Country of Sale"], "\(places)")
      #expect(sold["Currency of Proceeds"] == settled["Partner Share Currency"], "\(places)")
    }
  }
}

/// The lines of files by their columns, read in the most obvious way.
private struct FileLines {
  private let folder: String
  private var files: [String: [String]] = [:]

  init(_ folder: String) { self.folder = folder }

  /// Returns the cells of a line, such as `sales/S_D_1.txt.gz:3`, by the names of its columns.
  mutating func row(at place: String) throws -> [String: String] {
    let colon = try #require(place.lastIndex(of: ":"))
    let (name, number) = (String(place[..<colon]), Int(place[place.index(after: colon)...]) ?? 0)
    let lines = try text(name)
    try #require(number > 0)
    let line = try #require(lines.dropFirst(number - 1).first)
    let header = lines.first {
      $0.contains("Developer Proceeds") || $0.contains("Extended Partner Share")
    }
    let cells = { (line: String) in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    return Dictionary(zip(cells(header ?? ""), cells(line))) { first, _ in first }
  }

  private mutating func text(_ name: String) throws -> [String] {
    if let known = files[name] { return known }
    let bytes = try fileBytes(folder + name)
    let content = name.hasSuffix(".gz") ? try #require(GzipMember.content(of: bytes)) : bytes
    let lines = String(decoding: content, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    files[name] = lines
    return lines
  }
}

/// Returns an amount such as `-9.99` in milliunits.
private func milliunits(_ text: String?) -> Int128? {
  let parts = (text ?? "").split(separator: ".", omittingEmptySubsequences: false)
  guard parts.count == 2, parts[1].count <= 3 else { return Int128(text ?? "").map { $0 * 1_000 } }
  return Int128("\(parts[0])\(parts[1])\(String(repeating: "0", count: 3 - parts[1].count))")
}
