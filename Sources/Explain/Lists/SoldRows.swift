import AppStoreReports
import Pipeline
import Storage
import SubscriptionModel

/// The rows of daily SALES reports by the key of their units, found by reading the reports once more.
struct SoldRows {
  /// The units of one row.
  struct Row: Sendable {
    /// The index of the report among the run's files.
    let file: Int
    let line: Int
    /// With the sign of their money.
    let units: Int
  }

  /// The rows of each key, by file and line.
  private var rows: [SaleKey: [Row]] = [:]

  subscript(_ sale: SaleKey) -> [Row] { rows[sale] ?? [] }

  /// Finds the rows of some keys.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  init(_ wanted: Set<SaleKey>, _ result: RunResult, _ context: ReadContext) throws {
    let files = Self.files(of: Set(wanted.map(\.day)), result, context)
    let parts = try KeptCharges.LineError.reread(
      files, jobs: result.plan.jobs, makeState: { Search(reader: RowRereader(context)) },
      work: { search, file throws(KeptCharges.LineError) in
        for row in try search.reader.soldRows(ofFileAt: file, result.files[file])
        where wanted.contains(row.sale) {
          search.rows[row.sale, default: []].append(
            Row(file: file, line: row.line, units: row.units))
        }
      }, finish: { $0.rows })
    for part in parts { rows.merge(part, uniquingKeysWith: +) }
    rows = rows.mapValues { own in own.sorted { ($0.file, $0.line) < ($1.file, $1.line) } }
  }

  /// Returns the units of the first key whose rows have other units than the run counted; `nil` if none has.
  func difference(
    from sales: [SaleKey: Int], _ wanted: Set<SaleKey>
  ) -> (found: Int, expected: Int)? {
    wanted.lazy.map { sale in
      (found: self[sale].reduce(0) { $0 + $1.units }, expected: sales[sale] ?? 0)
    }.first { $0.found != $0.expected }
  }

  /// Returns the daily SALES reports that may have rows of some days.
  private static func files(
    of days: Set<Day>, _ result: RunResult, _ context: ReadContext
  ) -> [Int] {
    result.files.indices.filter { place in
      let (report, file) = (result.files[place], context.survey.files[place])
      guard report.isUsed, report.kind == .sales, report.frequency == .daily else { return false }
      return days.contains { file.mayHaveRows(in: $0...$0) }
    }
  }

  /// One thread's search.
  private struct Search: ~Copyable {
    var reader: RowRereader
    var rows: [SaleKey: [Row]] = [:]
  }
}
