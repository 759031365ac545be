package import Evidence
import AppStoreReports
import Counting
import Files
package import Pipeline
import Rendering
package import Settlement
import Storage
package import SubscriptionModel
import Tables

/// What a line of a bridge is made of.
package struct BridgeExplanation: Sendable {
  /// The list, and whether it adds up.
  package let explanation: Explanation
  /// The range or the cause of the amount in the table; `nil` for an exact one without a cause.
  package let note: String?

  /// Explains a row of `reconcile.csv` or `reconcile-by-product.csv`.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - period: The fiscal period of the row.
  ///   - reconciliation: The bridges of the run.
  ///   - result: The result of a run that has kept its context.
  ///   - context: That context.
  ///   - order: The order of the contributions to each column.
  ///   - limit: How many contributions of each column are printed; `nil` for all.
  ///   - leavingOut: Whether to list what the other lines of the bridge count instead.
  /// - Throws: ``QuestionError`` when there is no such row, ``KeptCharges/LineError`` for a file that cannot be read
  ///   again.
  package init(
    _ question: BridgeQuestion, period: FiscalPeriod, _ reconciliation: Reconciliation,
    _ result: RunResult, _ context: ReadContext,
    order: ContributionOrder = .subscription, limit: Int? = nil, leavingOut: Bool = false
  ) throws {
    let asked = try AskedBridgeLine(question, reconciliation, period, result.names)
    let evidence = reconciliation.evidence(of: asked.bridge)
    let lists = asked.columns.map { evidence.contributions(to: $0.name, of: asked.entry) }
    let others = leavingOut ? Self.others(asked) : []
    let otherLists = others.map { evidence.contributions(to: $0) }
    let sales = Set((lists + otherLists).joined().flatMap { $0.sold.map(\.sale) })
    let sold = try SoldRows(sales, result, context)
    let columns = zip(asked.columns, lists).map { BridgeColumn($0, $1, sold) }
    let withoutValue = leavingOut ? columns.first?.withoutValue ?? [] : []
    let leftOut =
      withoutValue.map { (entry: asked.entry, row: $0) }
      + zip(others, otherLists).flatMap { entry, list in
        BridgeListRow.all(list, sold).map { (entry: entry, row: $0) }
      }
    let made = BridgeTable(asked, result)
    explanation = Explanation(
      asked, columns,
      leavingOut
        ? made.table(leftOut: leftOut, limit: limit) : made.table(columns, order, limit: limit),
      sold.difference(from: result.finance?.sales ?? [:], sales),
      leftOut: leavingOut ? leftOut.count : nil)
    note = Self.note(on: asked.entry)
  }

  /// Returns the other rows of the bridge whose rows of reports could belong to the asked one.
  ///
  /// They are those up to the settlement, or those after it. The settlement and the amount owed are sums of all.
  private static func others(_ asked: AskedBridgeLine) -> [Bridge.Entry] {
    let sums: [Bridge.Line] = [.financeShare, .totalOwed]
    guard !sums.contains(asked.entry.line) else { return [] }
    let isOfSales = asked.entry.line.rawValue < Bridge.Line.financeShare.rawValue
    return asked.bridge.entries.filter { entry in
      entry != asked.entry && !sums.contains(entry.line)
        && (entry.line.rawValue < Bridge.Line.financeShare.rawValue) == isOfSales
    }
  }

  private static func note(on entry: Bridge.Entry) -> String? {
    // The cause of these two lines only tells their rows apart.
    let isName = [.shareDifference, .otherRegion].contains(entry.line)
    let cause = isName || entry.cause.isEmpty ? "" : ": \(entry.cause)"
    guard entry.status == .estimate else {
      return cause.isEmpty ? nil : "\(entry.line.name)\(cause)"
    }
    guard let low = entry.low, let high = entry.high else {
      return "\(entry.line.name) is an estimate\(cause)\(howEstimated(entry))"
    }
    let range = [low, high].map { NumberStyle.money(milliunits: $0) }.joined(separator: " and ")
    return "\(entry.line.name) is an estimate between \(range)\(cause)\(howEstimated(entry))"
  }

  /// Returns how the amount of an estimate, or its range, is found, after a semicolon: METRICS.md section 7.
  private static func howEstimated(_ entry: Bridge.Entry) -> String {
    let byLags: [Bridge.Line] = [.cutoffIn, .cutoffOut, .refundTiming]
    if byLags.contains(entry.line), entry.cause.hasPrefix("settlement lag") {
      return
        "; FINANCIAL has no days, so the amount is the mean of what the line would be at each lag from sale to settlement (\(entry.evidence))"
    }
    switch entry.line {
    case .unexplainedSales, .unexplainedPayment: return ""
    case .payment: return "; the amount is Apple's own estimate"
    case .missingDays:
      return "; the amount is what was settled of sales on days without a SALES report"
    default:
      // Missing days of SALES give no range: their rows may belong to any line.
      return entry.low == entry.high
        ? "; the amount counts the SALES rows that are there, and those of the missing days may change it"
        : "; the range depends on how many of the units that are not settled yet will be settled, and at which share"
    }
  }
}

extension Explanation {
  fileprivate init(
    _ asked: AskedBridgeLine, _ columns: [BridgeColumn], _ table: ReportTable,
    _ wrongUnits: (found: Int, expected: Int)?, leftOut: Int?
  ) {
    let units = wrongUnits.map { units in
      Sum(
        column: "units of SALES rows", count: columns.reduce(0) { $0 + $1.rows.count },
        sum: Int128(units.found), expected: Int128(units.expected), measure: .count)
    }
    let sums =
      columns.map { column in
        Sum(
          column: column.asked.name, count: column.rows.count,
          sum: column.sum(of: column.rows[...]),
          expected: column.asked.expected, measure: column.asked.measure)
      } + [units].compactMap(\.self)
    self.init(table, sums, fileName: asked.fileName, leftOut: leftOut)
  }
}

/// A column to explain, with its list.
private struct BridgeColumn {
  let asked: AskedBridgeLine.Column
  /// The rows that add to the column, and cells of a payments CSV with 0.
  let rows: [BridgeListRow]
  /// The rows of the line that add nothing to the column, such as a pair that adds an amount and no unit.
  let withoutValue: [BridgeListRow]

  init(
    _ asked: AskedBridgeLine.Column, _ contributions: [BridgeContribution], _ sold: SoldRows
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
private struct BridgeTable {
  private let asked: AskedBridgeLine
  private let result: RunResult
  /// The app of each product, by their printed names.
  private let apps: [ExactText: String]

  init(_ asked: AskedBridgeLine, _ result: RunResult) {
    (self.asked, self.result) = (asked, result)
    apps = result.names.appsOfProducts
  }

  func table(
    _ columns: [BridgeColumn], _ order: ContributionOrder, limit: Int?
  ) -> ReportTable {
    var lines: [[ReportTable.Cell]] = []
    for column in columns {
      let rows = order == .value ? column.largestFirst : column.rows
      let shown = rows.prefix(limit ?? rows.count)
      lines += shown.map { cells(column.asked, $0) }
      let rest = rows.dropFirst(shown.count)
      guard !rest.isEmpty else { continue }
      lines.append(
        ExplanationTable.restRow(
          column.asked.name, column.asked.measure.cell(column.sum(of: rest)), rest.count))
    }
    let hasMoney = columns.contains(where: \.asked.measure.isMoney)
    return ReportTable(
      name: "explain", dimensions: [], columns: ExplanationTable.columns(hasMoney: hasMoney),
      rows: lines)
  }

  /// Returns the table of what other lines of the bridge count.
  func table(
    leftOut: [(entry: Bridge.Entry, row: BridgeListRow)], limit: Int?
  ) -> ReportTable {
    let name = asked.columns[0].name
    var lines = leftOut.prefix(limit ?? leftOut.count).map { entry, row in
      let reason = BridgeReason(row: row, bridge: asked.bridge, entry: entry, names: result.names)
      let cause = entry.cause.isEmpty ? "" : " (\(entry.cause))"
      let why =
        entry == asked.entry
        ? "it adds nothing to \(name)" : "it is in \(entry.line.name)\(cause)"
      return cells(
        name, .missing, row, fact: "left out", because: "\(why): \(reason.sentence)")
    }
    let more = leftOut.count - lines.count
    if more > 0 { lines.append(ExplanationTable.restRow(name, .missing, more)) }
    return ReportTable(
      name: "explain", dimensions: [], columns: ExplanationTable.columns(hasMoney: true),
      rows: lines)
  }

  private func cells(
    _ column: AskedBridgeLine.Column, _ row: BridgeListRow
  ) -> [ReportTable.Cell] {
    let reason = BridgeReason(
      row: row, bridge: asked.bridge, entry: asked.entry, names: result.names)
    return cells(
      column.name, column.measure.cell(row.value(column.measure)), row, fact: reason.factName,
      because: reason.sentence)
  }

  private func cells(
    _ column: String, _ value: ReportTable.Cell, _ row: BridgeListRow, fact: String,
    because: String
  ) -> [ReportTable.Cell] {
    let (names, contribution) = (result.names, row.contribution)
    let product = contribution.product.map { names.product($0) }
    let app = product.flatMap { apps[$0] }
    let places = row.places.map { place in
      "\(result.files[place.fileIndex].file.relativePath):\(place.line)"
    }
    return [
      .text(column), value, .missing, text(app),
      .missing,
      text(product), text(contribution.country.map { names.text($0) }), .missing, .missing,
      .missing, .missing, .text(fact), .text(because),
      .text(places.joined(separator: "; ")),
    ]
  }

  private func text(_ text: String?) -> ReportTable.Cell { text.map { .text($0) } ?? .missing }
}

extension BridgeListRow {
  /// Returns what the row adds to a column.
  fileprivate func value(_ measure: Measure) -> Int128 {
    measure.isMoney ? amount : Int128(count)
  }
}
