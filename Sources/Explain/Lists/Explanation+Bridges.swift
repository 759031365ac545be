import AppStoreReports
import Counting
import Files
package import Pipeline
import Rendering
package import Settlement
import Storage
package import SubscriptionModel
import Tables

extension Explanation {
  /// Explains a row of `reconcile.csv` or `reconcile-by-product.csv`: the rows behind a line of a bridge.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - period: The fiscal period of the row.
  ///   - reconciliation: The bridges of the run.
  ///   - result: The result of a run that has kept its context.
  ///   - context: That context.
  ///   - listing: How contributions are listed; what the other lines of the bridge count is left out.
  /// - Throws: ``QuestionError`` when there is no such row, ``KeptCharges/LineError`` for a file that cannot be read
  ///   again.
  package init(
    _ question: Question, period: FiscalPeriod, _ reconciliation: Reconciliation,
    _ result: RunResult, _ context: ReadContext, _ listing: Listing = Listing()
  ) throws {
    let asked = try AskedBridgeLine(question, reconciliation, period, result.names)
    let evidence = reconciliation.evidence(of: asked.bridge)
    let lists = asked.columns.map { evidence.contributions(to: $0.name, of: asked.entry) }
    let others = listing.leavingOut ? asked.others : []
    let otherLists = others.map { evidence.contributions(to: $0) }
    let sales = Set((lists + otherLists).joined().flatMap { $0.sold.map(\.sale) })
    let sold = try SoldRows(sales, result, context)
    let columns = zip(asked.columns, lists).map { BridgeColumn($0, $1, sold) }
    let withoutValue = listing.leavingOut ? columns.first?.withoutValue ?? [] : []
    let leftOut =
      withoutValue.map { (entry: asked.entry, row: $0) }
      + zip(others, otherLists).flatMap { entry, list in
        BridgeListRow.all(list, sold).map { (entry: entry, row: $0) }
      }
    let made = BridgeTable(result)
    let units = sold.difference(from: result.finance?.sales ?? [:], sales).map { units in
      Sum(
        column: "units of SALES rows", count: columns.reduce(0) { $0 + $1.rows.count },
        sum: Int128(units.found), expected: Int128(units.expected), measure: .count)
    }
    self.init(
      ListedRows(
        listing.leavingOut
          ? made.table(asked, leftOut: leftOut, limit: listing.limit)
          : made.table(asked, columns, listing.order, limit: listing.limit)),
      columns.map(\.result) + [units].compactMap(\.self),
      leftOut: listing.leavingOut ? [leftOut.count] : nil,
      notes: [asked.entry.note].compactMap(\.self), fileName: asked.fileName)
  }
}

extension Explanation {
  /// Explains all lines of some bridges in one list, with region, currency and line before each row.
  ///
  /// - Parameters:
  ///   - evidence: The lines with their rows.
  ///   - listing: The most rows of a line; nothing is listed as left out.
  package init(_ evidence: PeriodEvidence, _ listing: Listing = Listing()) {
    let table = evidence.table(limit: listing.limit)
    self.init(
      ListedRows(table), evidence.sums.filter { !$0.holds }, notes: [evidence.sentence],
      fileName: "reconcile.csv")
  }
}

/// All lines of the bridges of a period, each with the rows behind it.
package struct PeriodEvidence: Sendable {
  /// A line of a bridge.
  private struct Line: Sendable {
    let bridge: Bridge
    let entry: Bridge.Entry
    let rows: [BridgeListRow]
  }

  private let lines: [Line]
  private let period: FiscalPeriod
  private let bridgeCount: Int
  private let result: RunResult

  /// The columns before those of all explanations.
  static let keys: [ReportTable.Column] = ["region", "currency", "line"].map { .init($0, .key) }
  /// The columns of the list.
  static let columns = keys + ExplanationTable.columns(hasMoney: true)

  /// Finds the rows behind the lines.
  ///
  /// - Parameters:
  ///   - period: The fiscal period.
  ///   - reconciliation: The bridges of the run.
  ///   - isAsked: Whether a bridge of the period is explained.
  ///   - result: The result of a run that has kept its context.
  ///   - context: That context.
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  package init(
    of period: FiscalPeriod, _ reconciliation: Reconciliation,
    where isAsked: (Bridge) -> Bool = { _ in true }, _ result: RunResult, _ context: ReadContext
  ) throws {
    let bridges = reconciliation.bridges.filter { $0.period == period && isAsked($0) }
    let lists = bridges.flatMap { bridge in
      let evidence = reconciliation.evidence(of: bridge)
      return bridge.entries.filter { $0.amount != nil }.map { entry in
        (bridge: bridge, entry: entry, list: evidence.contributions(to: entry))
      }
    }
    let sales = Set(lists.flatMap { $0.list.flatMap { $0.sold.map(\.sale) } })
    let sold = try SoldRows(sales, result, context)
    lines = lists.map { bridge, entry, list in
      let rows = BridgeListRow.all(list, sold)
        .filter { $0.amount != 0 || $0.contribution.payment != nil }
      return Line(bridge: bridge, entry: entry, rows: rows)
    }
    (self.period, self.result) = (period, result)
    bridgeCount = bridges.count
  }

  /// The sum of each line, named such as `US USD sales_gross`.
  var sums: [Explanation.Sum] {
    lines.map { line in
      let names = result.names
      return Explanation.Sum(
        column: "\(line.bridge.region) \(names.text(line.bridge.currency)) \(line.entry.line.name)",
        count: line.rows.count, sum: line.rows.reduce(0) { $0 + $1.amount },
        expected: line.entry.amount, measure: .proceeds)
    }
  }

  /// How many rows add up to how many lines.
  package var sentence: String {
    let count = lines.reduce(0) { $0 + $1.rows.count }
    let agreeing = sums.count { $0.holds }
    return
      "\(counted(count, "contribution")) \(count == 1 ? "adds" : "add") up to \(agreeing) of \(counted(lines.count, "line")) of \(counted(bridgeCount, "bridge")) of \(period)"
  }

  /// Returns the list, line by line.
  ///
  /// - Parameter limit: The most rows of a line, beside one for the others; `nil` for all.
  /// - Returns: The table, whose rows are made one by one.
  func table(limit: Int?) -> LongTable {
    let made = BridgeTable(result)
    let parts = lines.map { line in
      let shown = line.rows.prefix(limit ?? line.rows.count)
      return ExplanationTable.Part("amount", shown, of: line.rows.count) {
        .money(milliunits: line.rows.dropFirst(shown.count).reduce(0) { $0 + $1.amount })
      }
    }
    return ExplanationTable.table(
      parts, Self.columns,
      keys: { number in
        let line = lines[number]
        return [
          .text(line.bridge.region), .text(result.names.text(line.bridge.currency)),
          .text(line.entry.line.name),
        ]
      }
    ) { number, place in
      let line = lines[number]
      let row = parts[number].shown[place]
      return made.cells("amount", .money(milliunits: row.amount), row, line.bridge, line.entry)
    }
  }
}

extension AskedBridgeLine {
  /// The other rows of the bridge whose rows of reports could belong to the asked one.
  ///
  /// They are those up to the settlement, or those after it. The settlement and the amount owed are sums of all.
  fileprivate var others: [Bridge.Entry] {
    let sums: [Bridge.Line] = [.financeShare, .totalOwed]
    guard !sums.contains(entry.line) else { return [] }
    let isOfSales = entry.line.rawValue < Bridge.Line.financeShare.rawValue
    return bridge.entries.filter { other in
      other != entry && !sums.contains(other.line)
        && (other.line.rawValue < Bridge.Line.financeShare.rawValue) == isOfSales
    }
  }
}

extension Bridge.Entry {
  /// The range or the cause of the amount in the table; `nil` for an exact one without a cause.
  fileprivate var note: String? {
    // The cause of these two lines only tells their rows apart.
    let isName = [.shareDifference, .otherRegion].contains(line)
    let end = isName || cause.isEmpty ? "" : ": \(cause)"
    guard status == .estimate else { return end.isEmpty ? nil : "\(line.name)\(end)" }
    guard let low, let high else { return "\(line.name) is an estimate\(end)\(howEstimated)" }
    let range = [low, high].map { NumberStyle.money(milliunits: $0) }.joined(separator: " and ")
    return "\(line.name) is an estimate between \(range)\(end)\(howEstimated)"
  }

  /// How the amount of an estimate, or its range, is found, after a semicolon: METRICS.md section 7.
  private var howEstimated: String {
    let byLags: [Bridge.Line] = [.cutoffIn, .cutoffOut, .refundTiming]
    if byLags.contains(line), cause.hasPrefix("settlement lag") {
      return
        "; FINANCIAL has no days, so the amount is the mean of what the line would be at each lag from sale to settlement (\(evidence))"
    }
    switch line {
    case .unexplainedSales, .unexplainedPayment: return ""
    case .payment: return "; the amount is Apple's own estimate"
    case .missingDays:
      return "; the amount is what was settled of sales on days without a SALES report"
    default:
      // Missing days of SALES give no range: their rows may belong to any line.
      return low == high
        ? "; the amount counts the SALES rows that are there, and those of the missing days may change it"
        : "; the range depends on how many of the units that are not settled yet will be settled, and at which share"
    }
  }
}

/// A column to explain, with its list.
private struct BridgeColumn {
  let asked: AskedRow.Column
  /// The rows that add to the column, and cells of a payments CSV with 0.
  let rows: [BridgeListRow]
  /// The rows of the line that add nothing to the column, such as a pair that adds an amount and no unit.
  let withoutValue: [BridgeListRow]

  init(
    _ asked: AskedRow.Column, _ contributions: [BridgeContribution], _ sold: SoldRows
  ) {
    self.asked = asked
    let all = BridgeListRow.all(contributions, sold)
    let isListed = { (row: BridgeListRow) in
      row.value(asked.measure) != 0 || (asked.measure.isMoney && row.contribution.payment != nil)
    }
    rows = all.filter(isListed)
    withoutValue = all.filter { !isListed($0) }
  }

  /// The rows by the size of their amounts.
  var largestFirst: [BridgeListRow] {
    rows.enumerated().sorted { left, right in
      let own = left.element.value(asked.measure).magnitude
      let other = right.element.value(asked.measure).magnitude
      return own == other ? left.offset < right.offset : own > other
    }.map(\.element)
  }

  /// The sum of the column.
  var result: Explanation.Sum {
    Explanation.Sum(
      column: asked.name, count: rows.count, sum: sum(of: rows[...]), expected: asked.expected,
      measure: asked.measure)
  }

  func sum(of rows: ArraySlice<BridgeListRow>) -> Int128 {
    rows.reduce(0) { $0 + $1.value(asked.measure) }
  }
}

extension BridgeEvidence {
  /// Returns what adds up to a column of a row.
  fileprivate func contributions(
    to column: String, of entry: Bridge.Entry
  ) -> [BridgeContribution] {
    switch column {
    case "low": contributions(to: .low, of: entry)
    case "high": contributions(to: .high, of: entry)
    default: contributions(to: entry)
    }
  }
}

/// Makes the table that lists what a line of a bridge is made of; it has the columns of all explanations.
private struct BridgeTable: Sendable {
  private let result: RunResult
  /// The app of each product, by their printed names.
  private let apps: [ExactText: String]

  init(_ result: RunResult) {
    self.result = result
    apps = result.names.appsOfProducts
  }

  func table(
    _ asked: AskedBridgeLine, _ columns: [BridgeColumn], _ order: ContributionOrder, limit: Int?
  ) -> ReportTable {
    let parts = columns.map { column in
      let rows = order == .value ? column.largestFirst : column.rows
      let shown = rows.prefix(limit ?? rows.count)
      return ExplanationTable.Part(column.asked.name, shown, of: rows.count) {
        column.asked.measure.cell(column.sum(of: rows.dropFirst(shown.count)))
      }
    }
    let hasMoney = columns.contains(where: \.asked.measure.isMoney)
    return ExplanationTable.table(parts, ExplanationTable.columns(hasMoney: hasMoney)) {
      let (column, row) = (columns[$0].asked, parts[$0].shown[$1])
      let value = column.measure.cell(row.value(column.measure))
      return cells(column.name, value, row, asked.bridge, asked.entry)
    }.table
  }

  /// Returns the table of what other lines of the bridge count.
  func table(
    _ asked: AskedBridgeLine, leftOut: [(entry: Bridge.Entry, row: BridgeListRow)], limit: Int?
  ) -> ReportTable {
    let name = asked.columns[0].name
    let shown = leftOut.prefix(limit ?? leftOut.count)
    let part = ExplanationTable.Part(name, shown, of: leftOut.count) { .missing }
    return ExplanationTable.table([part], ExplanationTable.columns(hasMoney: true)) { _, place in
      let (entry, row) = shown[place]
      let cause = entry.cause.isEmpty ? "" : " (\(entry.cause))"
      let why =
        entry == asked.entry
        ? "it adds nothing to \(name)" : "it is in \(entry.line.name)\(cause)"
      return cells(name, .missing, row, asked.bridge, entry, leftOut: why)
    }.table
  }

  /// Returns a row of the list of a line.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - value: What the row adds to it.
  ///   - row: The row.
  ///   - bridge: The bridge.
  ///   - entry: The line.
  ///   - why: Why the row is left out; `nil` for one that counts.
  /// - Returns: The cells.
  func cells(
    _ column: String, _ value: ReportTable.Cell, _ row: BridgeListRow, _ bridge: Bridge,
    _ entry: Bridge.Entry, leftOut why: String? = nil
  ) -> [ReportTable.Cell] {
    let (names, contribution) = (result.names, row.contribution)
    let reason = BridgeReason(row: row, bridge: bridge, entry: entry, names: names)
    let product = contribution.product.map { names.product($0) }
    let app = product.flatMap { apps[$0] }
    let places = row.places.map { place in
      "\(result.files[place.fileIndex].file.relativePath):\(place.line)"
    }
    return ExplanationTable.row(
      [
        .text(column), value, .missing, text(app), .missing, text(product),
        text(contribution.country.map { names.text($0) }),
      ], fact: why == nil ? reason.factName : "left out",
      because: why.map { "\($0): \(reason.sentence)" } ?? reason.sentence,
      rows: places.joined(separator: "; "))
  }

  private func text(_ text: String?) -> ReportTable.Cell { text.map { .text($0) } ?? .missing }
}

extension BridgeListRow {
  /// Returns what the row adds to a column.
  fileprivate func value(_ measure: Measure) -> Int128 {
    measure.isMoney ? amount : Int128(count)
  }
}

/// A row of the list of what a line of a bridge is made of.
struct BridgeListRow {
  /// What adds up to the line.
  let contribution: BridgeContribution
  let amount: Int128
  let count: Int
  /// The rows behind it, by file and line: the settled row first, then those of SALES.
  let places: [BridgeContribution.Place]
  /// The units in the SALES rows of each key of the contribution, without a sign; more than its own if some of them
  /// belong elsewhere.
  let unitsOfRows: [Int]

  /// Makes the list, in the order of the rows behind each contribution; those without any keep their order.
  static func all(_ contributions: [BridgeContribution], _ sold: SoldRows) -> [BridgeListRow] {
    let rows = contributions.flatMap { contribution -> [BridgeListRow] in
      guard contribution.reason == .sold else { return [BridgeListRow(contribution, sold)] }
      // All units of the rows count, so that each row stands by itself.
      return contribution.sold.flatMap { units in
        sold[units.sale].map { BridgeListRow(contribution, units.sale, $0) }
      }
    }
    return rows.enumerated().sorted { left, right in
      let (own, other) = (left.element, right.element)
      if own.places != other.places { return own.places.lexicographicallyPrecedes(other.places) }
      // Without rows the order is that of the lines or the products.
      guard !own.places.isEmpty else { return left.offset < right.offset }
      return (own.amount, left.offset) < (other.amount, right.offset)
    }.map(\.element)
  }

  private init(_ contribution: BridgeContribution, _ sold: SoldRows) {
    self.contribution = contribution
    (amount, count) = (contribution.amount, contribution.count)
    let rows = contribution.sold.map { sold[$0.sale] }
    unitsOfRows = rows.map { own in abs(own.reduce(0) { $0 + $1.units }) }
    let others = [contribution.settled?.place, contribution.payment].compactMap(\.self)
    places = others + rows.joined().map { BridgeContribution.Place($0) }.sorted()
  }

  private init(_ contribution: BridgeContribution, _ sale: SaleKey, _ row: SoldRows.Row) {
    self.contribution = contribution
    amount = Int128(sale.proceeds) * Int128(row.units)
    count = row.units
    unitsOfRows = [abs(row.units)]
    places = [BridgeContribution.Place(row)]
  }
}

extension BridgeContribution.Place {
  fileprivate init(_ row: SoldRows.Row) { self.init(fileIndex: row.file, line: row.line) }
}
