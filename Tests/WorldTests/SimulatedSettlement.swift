import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import Tables
import Testing

/// A simulated world's daily sales and finance files, and the lines that its bridges must have.
struct SimulatedSettlement: Sendable {
  /// What a line of a bridge is called: period, region, currency, step, and the cause of step 24.
  typealias Name = [String]

  /// What the truth says of a line.
  struct Line: Equatable, Sendable {
    /// In milliunits; nothing for what was not paid.
    let amount: Int128?
    let count: Int?
  }

  /// Fiscal periods FY2026-P05 to FY2026-P09, and what comes before.
  static let (firstDay, lastDay) = ("2026-01-20", "2026-07-03")

  let truth: [Name: Line]
  /// The bytes of each file by its path.
  private var files: [String: [UInt8]] = [:]

  init(
    seed: UInt64, subscribers: Int = 400, from firstDay: String = firstDay,
    to lastDay: String = lastDay
  ) throws {
    let sandbox = try ReportSandbox()
    try Simulator.write(
      world: try WorldOptions(
        subscribers: subscribers, firstDay: firstDay, lastDay: lastDay, seed: seed,
        kinds: [.sales, .finance]), to: sandbox.path + "/world")
    let text = String(decoding: try sandbox.bytes("world/truth/reconcile.csv"), as: UTF8.self)
    var truth: [Name: Line] = [:]
    for row in csvRows(text) {
      var name = ["period", "region", "currency", "step", "cause"].map { row[$0] ?? "" }
      if name[3] != "24" { name[4] = "" }
      truth[name] = Line(amount: milliunits(row["amount"]), count: Int(row["count"] ?? ""))
    }
    self.truth = truth
    for folder in ["sales"] + ["detail", "region", "single", "payments"].map({ "finance/" + $0 }) {
      for name in names(inFolder: sandbox.path + "/world/" + folder) {
        files[folder + "/" + name] = try sandbox.bytes("world/" + folder + "/" + name)
      }
    }
  }

  /// Removes a file of the world.
  mutating func remove(_ path: String) { files[path] = nil }

  /// Reconciles the sales with some of the downloads: `detail`, `region`, `single`, `payments`.
  func reconciled(_ forms: String...) throws -> FinanceReport {
    let sandbox = try ReportSandbox(files)
    let folders = ["sales"] + forms.map { "finance/" + $0 }
    let result = carryOut(folders.map { sandbox.path + "/" + $0 }, views: [[]])
    #expect(result.exitReasons(maxRejects: 0, checksDays: false) == [])
    return try #require(FinanceReport(result))
  }
}

/// A row of `reconcile.csv`, as far as it can be compared with the truth.
struct BridgeRow: Sendable {
  /// In milliunits, like its range.
  let amount: Int128?
  let count: Int?
  let status: String
  let low: Int128?
  let high: Int128?

  private init(_ cells: [ReportTable.Cell]) {
    (amount, count) = (cells[6].milliunits, cells[8].count)
    status = cells[9].text
    (low, high) = (cells[10].milliunits, cells[11].milliunits)
  }

  /// Whether an amount is in the printed range.
  func holds(_ amount: Int128) -> Bool {
    guard let low, let high else { return false }
    return low <= amount && amount <= high
  }

  /// The rows of all bridges by their names.
  static func all(_ report: FinanceReport) -> [SimulatedSettlement.Name: BridgeRow] {
    var rows: [SimulatedSettlement.Name: BridgeRow] = [:]
    for cells in report.table().rows {
      let step = cells[4].count ?? 0
      let cause = step == 24 ? cells[12].text : ""
      rows[cells[1...3].map(\.text) + ["\(step)", cause]] = BridgeRow(cells)
    }
    return rows
  }
}

extension ReportTable.Cell {
  fileprivate var text: String {
    if case .text(let text) = self { text } else { "" }
  }

  fileprivate var count: Int? {
    if case .count(let count) = self { count } else { nil }
  }

  fileprivate var milliunits: Int128? {
    if case .money(let milliunits) = self { milliunits } else { nil }
  }
}

/// An amount such as `-9.99` in milliunits.
private func milliunits(_ text: String?) -> Int128? {
  let digits = (text ?? "").filter { $0 != "." }
  return Int128(digits).map { $0 * 10 }
}
