import AppStoreReports
import Counting
import Files
package import Pipeline
import Rendering
package import Settlement
package import SubscriptionModel
import Tables

/// What a line of a bridge is made of.
package struct BridgeExplanation: Sendable {
  /// The list, and whether it adds up.
  package let explanation: Explanation
  /// What the table says of the amount; `nil` for an exact one without a cause.
  package let note: String?

  /// Explains a row of `reconcile.csv` or `reconcile-by-product.csv`.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - period: The fiscal period of the row.
  ///   - reconciliation: The bridges of the run.
  ///   - result: The result of a run that has kept its context.
  ///   - context: That context.
  ///   - limit: How many contributions of each column are printed; `nil` for all.
  /// - Throws: ``QuestionError`` when there is no such row, ``KeptCharges/LineError`` for a file that cannot be read
  ///   again.
  package init(
    _ question: BridgeQuestion, period: FiscalPeriod, _ reconciliation: Reconciliation,
    _ result: RunResult, _ context: ReadContext, limit: Int? = nil
  ) throws {
    let asked = try AskedBridgeLine(question, reconciliation, period, result.names)
    let contributions = reconciliation.evidence(of: asked.bridge).contributions(to: asked.entry)
    let sales = Set(contributions.flatMap { $0.sold.map(\.sale) })
    let sold = try SoldRows(sales, result, context)
    let rows = BridgeListRow.all(contributions, sold)
    explanation = Explanation(
      asked, rows, BridgeTable(asked, result).table(rows, limit: limit),
      sold.difference(from: result.finance?.sales ?? [:], sales))
    note = Self.note(on: asked.entry)
  }

  private static func note(on entry: Bridge.Entry) -> String? {
    // The cause of these two lines only tells their rows apart.
    let isName = [.shareDifference, .otherRegion].contains(entry.line)
    let cause = isName || entry.cause.isEmpty ? "" : ": \(entry.cause)"
    guard entry.status == .estimate else {
      return cause.isEmpty ? nil : "\(entry.line.name)\(cause)"
    }
    guard let low = entry.low, let high = entry.high else {
      return "\(entry.line.name) is an estimate\(cause)"
    }
    let range = [low, high].map { NumberStyle.money(milliunits: $0) }.joined(separator: " and ")
    return "\(entry.line.name) is an estimate between \(range)\(cause)"
  }
}

extension Explanation {
  fileprivate init(
    _ asked: AskedBridgeLine, _ rows: [BridgeListRow], _ table: ReportTable,
    _ wrongUnits: (found: Int, expected: Int)?
  ) {
    let units = wrongUnits.map { units in
      Sum(
        column: "units of SALES rows", count: rows.count, sum: Int128(units.found),
        expected: Int128(units.expected), measure: .count)
    }
    sums =
      asked.columns.map { column in
        let own = rows.filter { $0.isListed(column.measure) }
        return Sum(
          column: column.name, count: own.count,
          sum: own.reduce(0) { $0 + $1.value(column.measure) }, expected: column.expected,
          measure: column.measure)
      } + [units].compactMap(\.self)
    fileName = asked.fileName
    (leftOut, formula) = (nil, nil)
    self.table = table
  }
}

/// Makes the table that lists what a line of a bridge is made of; it has the columns of all explanations.
private struct BridgeTable {
  private let asked: AskedBridgeLine
  private let result: RunResult
  /// The app of each product, by their printed names.
  private let apps: [String: String]

  init(_ asked: AskedBridgeLine, _ result: RunResult) {
    (self.asked, self.result) = (asked, result)
    apps = result.names.appsOfProducts
  }

  func table(_ rows: [BridgeListRow], limit: Int?) -> ReportTable {
    var lines: [[ReportTable.Cell]] = []
    for column in asked.columns {
      let own = rows.filter { $0.isListed(column.measure) }
      let shown = own.prefix(limit ?? own.count)
      lines += shown.map { cells(column.name, column.measure, $0) }
      let rest = own.dropFirst(shown.count)
      guard !rest.isEmpty else { continue }
      let sum = rest.reduce(Int128(0)) { $0 + $1.value(column.measure) }
      lines.append(ExplanationTable.restRow(column.name, column.measure.cell(sum), rest.count))
    }
    let hasMoney = asked.columns.contains(where: \.measure.isMoney)
    return ReportTable(
      name: "explain", dimensions: [], columns: ExplanationTable.columns(hasMoney: hasMoney),
      rows: lines)
  }

  private func cells(
    _ column: String, _ measure: Measure, _ row: BridgeListRow
  ) -> [ReportTable.Cell] {
    let (names, contribution) = (result.names, row.contribution)
    let reason = BridgeReason(row: row, bridge: asked.bridge, entry: asked.entry, names: names)
    let product = contribution.product.map { names.product($0) }
    let app = product.flatMap { apps[$0] }
    let places = row.places.map { place in
      "\(result.files[place.fileIndex].file.relativePath):\(place.line)"
    }
    return [
      .text(column), measure.cell(row.value(measure)), .missing, text(app), .missing,
      text(product), text(contribution.country.map { names.text($0) }), .missing, .missing,
      .missing, .missing, .text(reason.factName), .text(reason.sentence),
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

  /// Returns whether the row stands in the list of a column: one that adds 0 does only if the file prints it.
  fileprivate func isListed(_ measure: Measure) -> Bool {
    value(measure) != 0 || (measure.isMoney && contribution.payment != nil)
  }
}
