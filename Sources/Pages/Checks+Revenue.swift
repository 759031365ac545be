import Pipeline
import Storage
import SubscriptionModel
import Tables

/// The identities of METRICS.md 11.6: each is tested for every row, and a line says for how many it holds.
extension Checks {
  private typealias Row = ReportTable.NamedRow

  private static let movements = Definition.movements(isConverted: false)
  private static let gains = ["open"] + movements.filter(\.isGain).map(\.column)
  private static let losses = movements.filter { !$0.isGain }.map(\.column)

  /// Returns the checks of `recurring`, `status`, `lifetime` and `definitions`.
  ///
  /// - Parameter tables: All views of each table, with or without converted columns.
  /// - Returns: The checks, in order.
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
    switch cell {
    case .money(let milliunits): milliunits
    case .count(let count): Int128(count)
    default: nil
    }
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
          if case .text(let text) = row[place] { ExactText(text) } else { ExactText("") }
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
