package import Simulation
import SubreportTestSupport

/// A simulated world in memory: its reports as plain text by their paths, and its truth.
package struct SimulatedReports: Sendable {
  /// The text of each report by its path, which ends in `.txt`.
  package var reports: [String: [UInt8]] = [:]
  private var truth: [String: String] = [:]

  package init(
    seed: UInt64, subscribers: Int = 300, from firstDay: String = "2026-01-01",
    to lastDay: String = "2026-02-11", faults: Bool = false,
    kinds: Set<WorldOptions.ReportKind> = Set(WorldOptions.ReportKind.reports),
    notified: Int = WorldOptions.usualNotified, prices: [PlantedPrice] = [],
    plans: PlanOptions = PlanOptions()
  ) throws {
    let sandbox = try ReportSandbox()
    let folder = sandbox.path + "/world"
    try Simulator.write(
      world: try WorldOptions(
        subscribers: subscribers, firstDay: firstDay, lastDay: lastDay, seed: seed,
        plantsFaults: faults, kinds: kinds, notified: notified, prices: prices, plans: plans),
      to: folder)
    for kind in kinds.map(\.rawValue) {
      for name in names(inFolder: folder + "/" + kind) where name.hasSuffix(".gz") {
        let path = kind + "/" + name
        guard let text = GzipMember.content(of: try sandbox.bytes("world/" + path)) else {
          throw Files.Failure("unpack", path)
        }
        reports[String(path.dropLast(".gz".count))] = text
      }
    }
    for name in names(inFolder: folder + "/truth") {
      truth[name] = String(decoding: try sandbox.bytes("world/truth/" + name), as: UTF8.self)
    }
  }

  /// The rows of a CSV file of the truth.
  package func truth(_ name: String) -> [[String: String]] { csvRows(truth[name] ?? "") }

  /// The folder with all reports.
  package func sandbox() throws -> ReportSandbox { try ReportSandbox(reports) }
}
