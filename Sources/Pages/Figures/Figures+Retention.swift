import Charts
import Rendering
import SubscriptionModel
import Tables

extension Figures {
  /// A curve of a figure: its name and its rows of `retention`.
  typealias Curve = (name: String, table: ReportTable)

  /// The most paid periods of a curve.
  static let mostPeriods = 24
  /// Fewer subscriptions at risk say little: the caption of a curve says so.
  private static let fewAtRisk = ReportTable.fewAtRisk

  /// Returns curves of the share that was kept through their first k paid periods, with bands.
  ///
  /// - Parameters:
  ///   - id: The id on the page.
  ///   - title: The title, such as `Kept through k periods of 1 Month`.
  ///   - curves: The curves, that of all subscriptions first.
  ///   - frame: The origin of the rows.
  /// - Returns: The figure.
  static func retention(
    _ id: String, _ title: String, _ curves: [Curve], _ frame: FigureFrame
  ) -> Figure {
    let series = curves.map { curve in
      StepSeries(name: curve.name, steps: steps(curve.table, hasNotes: curves.count == 1))
    }
    let chart = StepChart(series: series, xTitle: "paid periods", width: width)
    let band = chart.isEmpty ? "" : " The band is the 95 % interval."
    var figure = frame.figure(id, title, sentence(curves) + band, chart, values(curves))
    figure.isNewestLast = false
    return figure
  }

  /// Returns the rows of all curves, each with its curve's name if there are several.
  private static func values(_ curves: [Curve]) -> ReportTable {
    let names = ["k", "at_risk", "lost", "kept", "survival", "low", "high", "state"]
    let columns = (curves.first?.table.columns ?? []).filter { names.contains($0.name) }
    let isNamed = curves.count > 1
    let nameColumn = [ReportTable.Column("curve", .key)]
    let rows = curves.flatMap { curve -> [[ReportTable.Cell]] in
      let shown = curve.table.keeping(names.contains).rows.filter(isShown)
      return isNamed ? shown.map { [ReportTable.Cell.text(curve.name)] + $0 } : shown
    }
    return ReportTable(
      name: TableKind.retention.rawValue, dimensions: [],
      columns: isNamed ? nameColumn + columns : columns, rows: rows)
  }

  /// Returns whether a row of `retention` is of one of the first periods.
  private static func isShown(_ row: [ReportTable.Cell]) -> Bool {
    guard case .count(let k)? = row.first else { return false }
    return k <= mostPeriods
  }

  private static func steps(_ table: ReportTable, hasNotes: Bool) -> [Step] {
    let known = table.namedRows.compactMap { row -> Step? in
      guard let k = row["k"], k <= mostPeriods, let survival = row.cell("survival").drawn else {
        return nil
      }
      let note = row["at_risk"].map { "\(NumberStyle.grouped($0)) at risk\(fewWords($0))" } ?? ""
      return Step(
        x: k, value: survival, low: row.cell("low").drawn, high: row.cell("high").drawn,
        note: hasNotes ? note : "")
    }
    return known.isEmpty ? [] : [Step(x: 0, value: 1)] + known
  }

  private static func fewWords(_ atRisk: Int) -> String {
    atRisk < fewAtRisk ? ", too few to tell" : ""
  }

  /// The rows of a curve that are drawn.
  private static func drawn(_ curve: Curve) -> [ReportTable.NamedRow] {
    curve.table.namedRows.filter { ($0["k"] ?? .max) <= mostPeriods }
  }

  /// Describes the first and the last period of the first curve, and names the others.
  ///
  /// The last period is the last one with enough subscriptions at risk, where any has enough.
  private static func sentence(_ curves: [Curve]) -> String {
    let rows = curves.first.map(drawn) ?? []
    let enough = rows.filter { ($0["at_risk"] ?? .max) >= fewAtRisk }
    guard let first = rows.first, let last = enough.last ?? rows.last, let k = first["k"],
      let end = last["k"]
    else { return "No period is decided yet." }
    let share = { (row: ReportTable.NamedRow) in HeadlineFigures.text(row.cell("survival")) }
    let more = curves.dropFirst().map(\.name)
    let later = end == k ? "" : " and \(share(last)) through \(end)"
    let others = more.isEmpty ? "" : " Beside it: \(more.joined(separator: ", "))."
    return
      "Of \(curves[0].name) \(share(first)) were kept through \(counted(k, "paid period"))\(later).\(fewSentence(rows, enough.last?["k"]))\(others)\(fewSentence(curves.dropFirst()))"
  }

  /// Returns in which periods of a curve few subscriptions were at risk, as a sentence; blank where in none.
  ///
  /// - Parameters:
  ///   - rows: The rows of the curve.
  ///   - last: The last period with enough; `nil` where none has enough.
  /// - Returns: The sentence with a blank before it.
  private static func fewSentence(_ rows: [ReportTable.NamedRow], _ last: Int?) -> String {
    let few = rows.filter { ($0["at_risk"] ?? .max) < fewAtRisk }.compactMap { $0["k"] }
    guard let first = few.first else { return "" }
    let end = "fewer than \(fewAtRisk) were at risk: too few to tell."
    guard let last else { return " In all periods \(end)" }
    if first > last { return " From period \(first) on \(end)" }
    return " In \(counted(few.count, "period")) \(end)"
  }

  /// Returns which curves have few subscriptions at risk in all periods, as a sentence; blank where none has.
  private static func fewSentence(_ curves: ArraySlice<Curve>) -> String {
    let few = curves.filter { curve in
      let counts = drawn(curve).compactMap { $0["at_risk"] }
      return !counts.isEmpty && counts.allSatisfy { $0 < fewAtRisk }
    }
    let names = few.map(\.name).joined(separator: ", ")
    return few.isEmpty ? "" : " Fewer than \(fewAtRisk) at risk, too few to tell: \(names)."
  }

  /// Returns where rows are that a figure leaves out, such as `, in retention.csv`; blank without a file.
  private static func place(_ files: [String]) -> String {
    files.isEmpty ? "" : ", in \(files.joined(separator: ", "))"
  }

  /// Returns a share in whole percent, rounded half to even as all rates, such as `87`.
  static func rounded(_ part: Int, of whole: Int) -> String {
    String(Int128(100 * part).dividedHalfToEven(by: Int128(whole)))
  }
}
