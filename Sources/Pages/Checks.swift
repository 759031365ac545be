import AppStoreReports
import Counting
import Files
package import Pipeline
import PriceImpact
import Storage
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

  package var hold: Bool { failed.isEmpty }

  private var count: Int { files.count + others.count }

  private func check(_ number: Int) -> Check {
    guard number < files.count else { return others[number - files.count] }
    let (path, rows) = (files[number].file.relativePath, files[number].rows)
    return Check(
      name: "rows accounted for", scope: path, expected: rows.read,
      found: rows.used + rows.rejected + rows.ignoredTotal)
  }

  /// Runs all checks on all views of each table, the whole population first.
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

/// The identities of METRICS.md 11.6: each is tested for every row, and a line says for how many it holds.
extension Checks {
  private static let movements = Definition.movements(isConverted: false)
  private static let gains = ["open"] + movements.filter(\.isGain).map(\.column)
  private static let losses = movements.filter { !$0.isGain }.map(\.column)

  /// Returns the checks of `recurring`, `status`, `lifetime` and `definitions`.
  static func ofRevenue(_ tables: [TableKind: [ReportTable]]) -> [Check] {
    let views = tables[.recurring] ?? []
    var checks: [Check] = []
    let converted = views.first?.columns.map(\.name).filter { $0.hasPrefix("mrr_") } ?? []
    for ending in [""] + converted.map({ String($0.dropFirst("mrr".count)) }) {
      checks += views.map { closing($0, ending) } + views.map { opening($0, ending) }
    }
    if let whole = views.first(where: \.dimensions.isEmpty) {
      checks += stocks(whole, tables[.movement], "close_observed")
      checks += stocks(whole, tables[.status], "paid")
      checks += snapshots(tables[.status], tables[.churn])
      checks += views.filter { !$0.dimensions.isEmpty }.map { sums($0, whole) }
    }
    return checks + (tables[.lifetime] ?? []).map(growing)
      + (tables[.definitions] ?? []).map(steps)
  }

  /// Returns a check that holds if as many rows are right as are tested.
  private static func check(_ name: String, _ table: ReportTable, _ rows: [Bool]) -> Check {
    Check(name: name, scope: table.fileStem, expected: rows.count, found: rows.count { $0 })
  }

  /// Returns the places of columns, found once for all rows of a table.
  private static func places(of columns: [String], in table: ReportTable) -> [Int] {
    columns.compactMap { name in table.columns.firstIndex { $0.name == name } }
  }

  private static func amount(_ row: Row, _ column: String) -> Int128? { amount(row.cell(column)) }

  private static func amount(_ cell: ReportTable.Cell) -> Int128? {
    cell.milliunits ?? cell.count.map { Int128($0) }
  }

  /// In every row the opening amount and the gains less the losses are the closing amount.
  private static func closing(_ table: ReportTable, _ ending: String) -> Check {
    let fx = ending.isEmpty ? [] : ["fx"]
    let gained = places(of: (gains + fx).map { $0 + ending }, in: table)
    let lost = places(of: losses.map { $0 + ending }, in: table)
    let closing = places(of: ["mrr" + ending], in: table)[0]
    let rows = table.rows.compactMap { row -> Bool? in
      var sum = Int128(0)
      for place in gained {
        guard let amount = amount(row[place]) else { return nil }
        sum += amount
      }
      for place in lost {
        guard let amount = amount(row[place]) else { return nil }
        sum -= amount
      }
      return amount(row[closing]) == sum
    }
    return check("open + gains - losses = mrr\(ending)", table, rows)
  }

  /// In every row, a month opens with what the month before has closed with.
  private static func opening(_ table: ReportTable, _ ending: String) -> Check {
    let rows = table.namedRows
    let keys = table.columns.filter { $0.kind == .key && $0.name != "month" }.map(\.name)
    // The months in order, of each cohort.
    var last: [[ExactText]: (month: String, mrr: Int128)] = [:]
    let months = Set(rows.map { $0.text("month") }).sorted { $0.precedes($1) }
    let before = Dictionary(zip(months.dropFirst(), months)) { first, _ in first }
    let results = rows.compactMap { row -> Bool? in
      let (place, month) = (keys.map { ExactText(row.text($0)) }, row.text("month"))
      defer { last[place] = amount(row, "mrr" + ending).map { (month, $0) } }
      guard let open = amount(row, "open" + ending) else { return nil }
      let known = last[place]
      return open == (known.map { $0.month == before[month] } ?? false ? known?.mrr ?? 0 : 0)
    }
    return check("open = mrr before\(ending)", table, results)
  }

  /// In every month of each basis, the active of all currencies are a stock of another table.
  private static func stocks(
    _ whole: ReportTable, _ others: [ReportTable]?, _ column: String
  ) -> [Check] {
    guard let other = others?.first(where: \.dimensions.isEmpty) else { return [] }
    var active: [String: [String: Int]] = [:]
    for row in whole.namedRows {
      guard let count = row["active"] else { continue }
      active[row.key, default: [:]][row.text("basis"), default: 0] += count
    }
    let rows = other.namedRows.compactMap { row -> Bool? in
      guard let known = active[row.key], let found = row[column] else { return nil }
      return known.values.allSatisfy { $0 == found }
    }
    return [check("active = \(column)", whole, rows)]
  }

  /// The paid subscriptions of a snapshot are the active ones with which churn of `events` begins the next month.
  private static func snapshots(_ status: [ReportTable]?, _ churn: [ReportTable]?) -> [Check] {
    guard let status = status?.first(where: \.dimensions.isEmpty),
      let churn = churn?.first(where: \.dimensions.isEmpty)
    else { return [] }
    let active = Dictionary(
      churn.namedRows.filter { $0.source == "events" }
        .map { ($0.text("month"), $0["active_start"]) }
    ) { first, _ in first }
    let rows = status.namedRows.compactMap { row -> Bool? in
      let name = row.text("month")
      let system: MonthSystem = Month(name) == nil ? .fiscal : .calendar
      guard row.source == "snapshot", row.text("state") == "final",
        let month = system.month(named: name), let known = active[system.name(month + 1)],
        let active = known
      else { return nil }
      return row["paid"] == active
    }
    return [check("paid = active_start of events", status, rows)]
  }

  /// For every month, basis and currency, each column of a view adds up to that of the whole; of the switches, their
  /// difference does.
  private static func sums(_ view: ReportTable, _ whole: ReportTable) -> Check {
    let columns = ["active", "mrr", "arr"] + gains.dropLast() + losses.dropLast()
    let sums = { (table: ReportTable) -> [(key: [ExactText], values: [Int128]?)] in
      let added = places(of: columns, in: table)
      let switched = places(of: ["switched_in", "switched_out"], in: table)
      let keys = places(of: ["source", "basis", "month", "currency"], in: table)
      return table.rows.map { row in
        let amounts = (added + switched).map { amount(row[$0]) }
        let known = amounts.compactMap(\.self)
        let isKnown = known.count == amounts.count
        let values: [Int128]? =
          isKnown ? known.dropLast(2) + [known[known.count - 2] - known[known.count - 1]] : nil
        let key = keys.map { place in
          ExactText(row[place].words ?? "")
        }
        return (key, values)
      }
    }
    var found: [[ExactText]: [Int128]] = [:]
    for (key, own) in sums(view) {
      guard let own else { continue }
      let sum = found[key] ?? own.map { _ in 0 }
      found[key] = zip(sum, own).map { $0 + $1 }
    }
    let sources = Set<ExactText>(of: view.namedRows.map(\.source))
    let rows = sums(whole).compactMap { key, own -> Bool? in
      guard sources.contains(key[0]), let own else { return nil }
      return (found[key] ?? own.map { _ in 0 }) == own
    }
    return check("whole = sum of a view's rows", view, rows)
  }

  /// In every row, net is gross less refunds; with the age all members stay, and no other count falls.
  private static func growing(_ table: ReportTable) -> Check {
    let keys = table.columns.indices.filter { table.columns[$0].kind == .key }
    let counts = places(of: ["paying", "charges", "gross", "refunded"], in: table)
    let (started, net) = (places(of: ["started"], in: table)[0], places(of: ["net"], in: table)[0])
    let start = places(of: ["start_month"], in: table)[0]
    let results = table.rows.indices.map { index -> Bool in
      let row = table.rows[index]
      let numbers = counts.map { amount(row[$0]) ?? 0 }
      let isNet = amount(row[net]).map { $0 == numbers[2] - numbers[3] } ?? true
      // The ages of a group follow each other.
      guard index > 0, row[start] != .text("all") else { return isNet }
      let before = table.rows[index - 1]
      guard keys.allSatisfy({ row[$0] == before[$0] }) else { return isNet }
      return isNet && row[started] == before[started]
        && zip(counts, numbers).allSatisfy { (amount(before[$0]) ?? 0) <= $1 }
    }
    return check("net = gross - refunded, growing", table, results)
  }

  /// Of each number and tool, the changes of the steps add up to that of `theirs`.
  private static func steps(_ table: ReportTable) -> Check {
    var sum = Int128(0)
    var results: [Bool] = []
    for row in table.namedRows {
      let change: Int128 =
        switch row.cell("change") {
        case .ratio(let numerator, _): numerator
        case let other: amount(other) ?? 0
        }
      switch row.text("axis") {
      case "ours": sum = 0
      case "theirs":
        results.append(sum == change)
      default: sum += change
      }
    }
    return check("steps of definitions add up", table, results)
  }
}
