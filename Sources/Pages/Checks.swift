import AppStoreReports
import Counting
import Files
package import Pipeline
import PriceImpact
import SubscriptionModel
package import Tables

/// Tests the identities on finished tables, not on what the tables were made from.
package struct Checks: Sendable {
  /// The files, each with a check of its rows.
  private let files: [FileReport]
  /// The checks that follow those of rows.
  private let others: [Check]

  /// Every check, in the order of the identities.
  package var all: [Check] { (0..<count).map(check) }

  /// The identities that do not hold, without checks of input files, which are no fault of the program.
  package var failed: [Check] {
    (0..<count).lazy.map(check).filter { !$0.holds && !$0.isOfInput }
  }

  /// Whether every identity holds.
  package var hold: Bool { failed.isEmpty }

  private var count: Int { files.count + others.count }

  private func check(_ number: Int) -> Check {
    guard number < files.count else { return others[number - files.count] }
    let (path, rows) = (files[number].file.relativePath, files[number].rows)
    return Check(
      name: "rows accounted for", scope: path, expected: rows.read,
      found: rows.used + rows.rejected + rows.ignoredTotal)
  }

  /// Runs all checks.
  ///
  /// - Parameters:
  ///   - result: The run.
  ///   - tables: Its tables, all views of each kind, starting with the whole population.
  ///   - priceTables: Its price tables, likewise.
  ///   - drivers: The identities of its drivers.
  ///   - finance: Its bridges; `nil` without finance files.
  package init(
    _ result: RunResult, tables: [TableKind: [ReportTable]], priceTables: [ReportTable] = [],
    drivers: [Drivers.Check] = [], finance: FinanceReport? = nil
  ) {
    files = result.files
    var checks: [Check] = []
    if let counted = Check.ofRowsCounted(result.files, result.sources) { checks.append(counted) }
    checks += Self.perMonth("movement closes", tables[.movement]?.first) { row in
      guard let close = row["close"], let observed = row["close_observed"],
        row.source == "subscribers"
      else { return nil }
      return (close, observed)
    }
    let churned = Self.values(tables[.churn]?.first, "churned")
    let provisional = Self.values(tables[.churn]?.first, "churned_provisional")
    let refunded = Self.values(tables[.churn]?.first, "churned_refund")
    let lapsed = Self.values(tables[.renewals]?.first, "lapsed")
    let commitments = tables[.commitments]?.first
    checks += Self.lapseChecks(tables[.lapses]?.first, churned: churned)
    // METRICS.md section 5, commitments: due instalments by outcome.
    checks += Self.perMonth("due = paid + recovered + defaulted + pending", commitments) { row in
      let parts = ["paid", "recovered", "defaulted", "pending"].map { row[$0] ?? 0 }
      return (row["due"] ?? 0, parts.reduce(0, +))
    }
    checks += result.sources.flatMap { Self.runningChecks(commitments, $0) }
    // Nothing is due after as-of, so the identity holds only for months that are over.
    let subscribers = result.sources.first { $0.source == .subscribers }
    let (chains, inTerm) = (subscribers?.completeness, subscribers?.churnedInTerm ?? [:])
    checks += Self.perMonth("churned = lapsed + provisional + refund-ended", tables[.churn]?.first)
    { row in
      guard row.source == "subscribers", let chains, let churned = row["churned"],
        let month = chains.monthSystem.month(named: row.text("month")), chains.isOver(month)
      else { return nil }
      let parts = [lapsed, provisional, refunded].map { $0[row.key] ?? 0 }
      return (churned, parts.reduce(inTerm[month] ?? 0, +))
    }
    checks += Self.additive.flatMap { kind, column in Self.wholes(tables[kind] ?? [], column) }
    checks += Self.ofRevenue(tables)
    let impacts = priceTables.filter { $0.name == PriceTable.impact.rawValue }
    checks += Self.wholes(impacts, "exposed")
    checks += drivers.map(Check.init)
    checks += result.files.flatMap(\.trailerChecks) + (finance?.checks ?? [])
    others = checks
  }

  private typealias Row = ReportTable.NamedRow

  private static func rows(_ table: ReportTable?) -> [Row] { table?.namedRows ?? [] }

  private static func values(_ table: ReportTable?, _ column: String) -> [String: Int] {
    rows(table).reduce(into: [:]) { values, row in values[row.key] = row[column] }
  }

  /// METRICS.md section 5, commitments: running terms of known position at each month's end.
  ///
  /// `termsSeen` adds terms first seen after their first instalment, because a record or column states the
  /// position, and accounts for chains of receipts that are no longer seen.
  private static func runningChecks(_ table: ReportTable?, _ report: SourceReport) -> [Check] {
    var running: [Month: Int] = [:]
    var changes = report.termsSeen
    for row in rows(table) where row.source == report.source.rawValue {
      guard let month = report.completeness.monthSystem.month(named: row.text("month")) else {
        continue
      }
      running[month, default: 0] += (row["running"] ?? 0) - (row["position_unknown"] ?? 0)
      changes[month, default: 0] += (row["terms_started"] ?? 0) - (row["terms_ended"] ?? 0)
    }
    let days = report.completeness
    let known = running.keys.filter { month in
      !days.isWithoutFiles(month) && !report.isAfterMonthWithoutFiles(month)
    }
    return known.sorted().map { month in
      Check(
        name: "running = running before + started - ended",
        scope: "\(report.source.rawValue) \(report.completeness.monthSystem.name(month))",
        expected: (running[month - 1] ?? 0) + (changes[month] ?? 0), found: running[month] ?? 0)
    }
  }

  /// Checks every month that either table has; a month missing in one counts as 0 there.
  private static func lapseChecks(_ lapses: ReportTable?, churned: [String: Int]) -> [Check] {
    guard let lapses else { return [] }
    let remaining = rows(lapses).reduce(into: [String: Int]()) { remaining, row in
      remaining[row.key] = (row["lapses"] ?? 0) - (row["recovered"] ?? 0)
    }
    let sources = Definition.definition(of: .lapses).sources.map(\.rawValue)
    let testable = churned.keys.filter { key in sources.contains { key.hasPrefix($0 + " ") } }
    return Set(remaining.keys).union(testable).sorted().map { key in
      Check(
        name: "lapses - recovered = churned", scope: key, expected: churned[key] ?? 0,
        found: remaining[key] ?? 0)
    }
  }

  private static func perMonth(
    _ name: String, _ table: ReportTable?, _ values: (Row) -> (expected: Int, found: Int)?
  ) -> [Check] {
    rows(table).compactMap { row in
      values(row).map {
        Check(name: name, scope: row.key, expected: $0.expected, found: $0.found)
      }
    }
  }

  /// One count of each table whose sum must be the same in every view.
  private static let additive: [(TableKind, String)] = [
    (.churn, "churned"), (.renewals, "due"), (.lapses, "lapses"), (.refunds, "charges"),
    (.proceeds, "charges"), (.trials, "converted"),
  ]

  private static func wholes(_ views: [ReportTable], _ column: String) -> [Check] {
    guard let whole = views.first(where: \.dimensions.isEmpty) else { return [] }
    let wholeSums = sums(whole, column)
    return views.filter { !$0.dimensions.isEmpty }.flatMap { view in
      let viewSums = sums(view, column)
      return viewSums.keys.sorted().map { source in
        Check(
          name: "whole = sum of a view's rows", scope: "\(view.fileStem) \(source) \(column)",
          expected: wholeSums[source] ?? 0, found: viewSums[source] ?? 0)
      }
    }
  }

  private static func sums(_ table: ReportTable, _ column: String) -> [String: Int] {
    rows(table).reduce(into: [:]) { $0[$1.source, default: 0] += $1[column] ?? 0 }
  }

  /// `checks.csv`.
  package var longTable: LongTable { Self.longTable(count, check) }

  /// Returns some checks as a table like `checks.csv`.
  static func table(_ checks: [Check]) -> ReportTable {
    longTable(checks.count) { checks[$0] }.table
  }

  private static func longTable(
    _ count: Int, _ check: @escaping @Sendable (Int) -> Check
  ) -> LongTable {
    LongTable(
      name: "checks",
      columns: [
        .init("check", .text), .init("scope", .text), .init("expected", .count),
        .init("found", .count), .init("state", .text),
      ],
      count: count
    ) {
      let check = check($0)
      return [
        .text(check.name), .text(check.scope), check.expected, check.found,
        .text(check.state.rawValue),
      ]
    }
  }
}
