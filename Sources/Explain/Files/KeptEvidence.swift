import AppStoreReports
import Counting
import Pipeline
import SubscriptionModel
import Tables

/// Lists the periods and refunds that rows of tables count, of a source that is folded again.
protocol SourceEvidence {
  /// Reads files that are read once for all tables; called before ``append(_:_:to:_:)``.
  mutating func prepare(_ tables: [(kind: TableKind, table: ReportTable)]) throws

  /// Writes the contributions to the rows of a table, and adds them up.
  ///
  /// - Throws: ``QuestionError`` when two rows have the same keys, ``KeptCharges/LineError`` for a file that cannot be
  ///   read again.
  mutating func append(
    _ kind: TableKind, _ table: ReportTable, to writer: inout EvidenceWriter,
    _ sums: inout EvidenceSums) throws
}

/// The lists of a source.
///
/// Where the files are read at once, contributions are found twice: for the rows that they name, and to be written.
/// Then memory grows with the rows that are named.
struct KeptEvidence<Kept: ExplainedSource>: SourceEvidence {
  typealias Found = Contribution<Kept>

  private let kept: Kept
  private let source: Source
  private let result: RunResult
  private let naming: CustomerTable.Naming?
  private let month: Month
  private let table: ContributionTable<Kept>
  private var lines = Kept.noLines

  init(
    _ kept: Kept, _ source: Source, _ result: RunResult, _ naming: CustomerTable.Naming?,
    _ month: Month
  ) {
    (self.kept, self.source, self.result) = (kept, source, result)
    (self.naming, self.month) = (naming, month)
    table = ContributionTable(result.names, kept, naming, month, jobs: result.plan.jobs)
  }

  mutating func prepare(_ tables: [(kind: TableKind, table: ReportTable)]) throws {
    guard Kept.readsAtOnce else { return }
    var wanted: Set<Kept.Row> = []
    for (kind, table) in tables {
      // Two rows with the same key are a failure when their list is written.
      for pass in EvidencePass.passes(for: (try? rows(kind, table)) ?? []) {
        for one in contributions(pass).joined() { wanted.formUnion(kept.namedRows(one, naming)) }
      }
    }
    try kept.read(Array(wanted), &lines, jobs: result.plan.jobs)
  }

  mutating func append(
    _ kind: TableKind, _ table: ReportTable, to writer: inout EvidenceWriter,
    _ sums: inout EvidenceSums
  ) throws {
    for pass in EvidencePass.passes(for: try rows(kind, table)) {
      for (row, own) in zip(pass.rows, contributions(pass)) {
        if !Kept.readsAtOnce {
          let rows = own.flatMap { kept.namedRows($0, naming) }
          try kept.read(rows, &lines, jobs: result.plan.jobs)
        }
        for column in row.asked.columns { append(column, of: row, own, &writer, &sums) }
      }
    }
  }

  private func append(
    _ column: AskedRow.Column, of row: EvidenceRow, _ found: [Found],
    _ writer: inout EvidenceWriter, _ sums: inout EvidenceSums
  ) {
    guard column.measure.percent != nil else {
      var (count, sum) = (0, Int128(0))
      for one in found where column.counted.contains(one.counted) {
        writer.append(row.keys + table.cells(column.name, column.measure, one, lines))
        (count, sum) = (count + 1, sum + one.value(column.measure))
      }
      return sums.add(column, of: row, count: count, sum)
    }
    var list = ContributionList<Found>(column.measure)
    for one in found where column.counted.contains(one.counted) { list.add(one) }
    sums.add(column, of: row, count: list.count, list.result)
    for (place, one) in list.printed.enumerated() {
      let chosen = list.chosen == place + 1 ? (place + 1, list.count) : nil
      writer.append(
        row.keys + table.cells(column.name, column.measure, one, lines, chosen: chosen))
    }
  }

  private func rows(
    _ kind: TableKind, _ table: ReportTable
  ) throws(QuestionError) -> [EvidenceRow] {
    try EvidenceRow.rows(
      of: kind, source, in: table, month: month, result, kept.filter, kept.registries)
  }

  private func contributions(_ pass: EvidencePass) -> [[Found]] {
    kept.contributions(to: pass, named: naming != nil, jobs: result.plan.jobs)
  }
}
