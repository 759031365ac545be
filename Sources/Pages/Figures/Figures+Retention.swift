import Charts
import Rendering
import SubscriptionModel
import Tables

extension Figures {
  /// A curve of a figure: its name and its rows of `retention`.
  typealias Curve = (name: String, table: ReportTable)

  /// The most paid periods of a curve and of a heat map.
  static let mostPeriods = 24
  /// The start months of a heat map: the newest ones.
  private static let mostStarts = 24
  /// Fewer subscriptions at risk say little: the cell is grey, and the caption of a curve says so.
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

  /// Returns the share kept at the end of each paid period by start month, of those at risk.
  ///
  /// - Parameters:
  ///   - table: Rows of `retention` of one duration, with the column `start_month`.
  ///   - duration: The duration, such as `1 Month`.
  ///   - frame: The origin of the rows.
  /// - Returns: The figure; `nil` without a start month that is known.
  static func heatMap(_ table: ReportTable, _ duration: String, _ frame: FigureFrame) -> Figure? {
    let shown = table.namedRows.filter { ($0["k"] ?? .max) <= mostPeriods }
    let starts = Set(shown.map { $0.text("start_month") }).filter { Month($0) != nil }.sorted()
    let last = shown.compactMap { $0["k"] }.max() ?? 0
    guard !starts.isEmpty, last > 0 else { return nil }
    let latest = Array(starts.suffix(mostStarts))
    let more = starts.count - latest.count
    let rest =
      more == 0
      ? "" : " Not drawn: \(counted(more, "earlier start month"))\(place(frame.files))."
    var shares: [String: [Int: (kept: Int, atRisk: Int)]] = [:]
    for row in shown {
      guard let k = row["k"], let kept = row["kept"], let atRisk = row["at_risk"] else { continue }
      shares[row.text("start_month"), default: [:]][k] = (kept, atRisk)
    }
    let periods = Array(1...last)
    let cells = latest.map { start in periods.map { k in heatCell(shares[start]?[k]) } }
    let values = ReportTable(
      name: TableKind.retention.rawValue, dimensions: [],
      columns: [ReportTable.Column("start month", .key)]
        + periods.map { ReportTable.Column(String($0), .rate) },
      rows: latest.map { start -> [ReportTable.Cell] in
        let row = shares[start] ?? [:]
        return [.text(start)]
          + periods.map { k -> ReportTable.Cell in
            guard let share = row[k] else { return .missing }
            return heatNumber(share)
          }
      })
    var figure = frame.figure(
      "heat-\(duration)",
      "Subscriptions charged again after each period, by start month: \(duration)",
      "Rows: start months from \(latest[0]) to \(latest[latest.count - 1]). Columns: paid periods. Cells: the percentage of subscriptions that were charged again after the period; 0 means none. Grey: fewer than \(fewAtRisk) at risk, too few to tell; the table below has their number. Empty, in the table \(unknownNumber): not known, because no subscription was at risk or the period is not decided yet.\(rest)",
      HeatMap(
        rowLabels: latest, columnLabels: periods.map { String($0) }, cells: cells,
        rowTitle: "start month", columnTitle: "paid period",
        mutedNote: "fewer than \(fewAtRisk) at risk", width: wideWidth), values)
    figure.values.rows = figure.values.rows.map { row in
      row.map { $0 == .missing ? .text(unknownNumber) : $0 }
    }
    figure.isWide = true
    return figure
  }

  /// Returns where rows are that a figure leaves out, such as `, in retention.csv`; blank without a file.
  private static func place(_ files: [String]) -> String {
    files.isEmpty ? "" : ", in \(files.joined(separator: ", "))"
  }

  /// What the numbers below a heat map have in place of one that is not known.
  private static let unknownNumber = "–"

  /// Returns a share for the numbers below a heat map; of few, in whole percent with their number, such as `67% of 3`.
  private static func heatNumber(_ share: (kept: Int, atRisk: Int)) -> ReportTable.Cell {
    guard share.atRisk > 0 else { return .missing }
    return share.atRisk < fewAtRisk
      ? .text("\(rounded(share.kept, of: share.atRisk))% of \(share.atRisk)")
      : .rate(share.kept, of: share.atRisk)
  }

  private static func heatCell(_ share: (kept: Int, atRisk: Int)?) -> HeatCell? {
    guard let share, share.atRisk > 0 else { return nil }
    let rate = ReportTable.Cell.rate(share.kept, of: share.atRisk)
    return HeatCell(
      rate.drawn ?? 0, text: rounded(share.kept, of: share.atRisk),
      isMuted: share.atRisk < fewAtRisk,
      note: "\(HeadlineFigures.text(rate)) of \(NumberStyle.grouped(share.atRisk)) at risk")
  }

  /// Returns a share in whole percent, rounded half to even as all rates, such as `87`.
  static func rounded(_ part: Int, of whole: Int) -> String {
    String(Int128(100 * part).dividedHalfToEven(by: Int128(whole)))
  }
}
