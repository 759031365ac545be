import Charts
import Counting
import Pipeline
import Rendering
import SubscriptionModel
import Tables

/// The series of single products and countries, which the script draws on request.
///
/// They are one block of data and no figures, so that a page with fifty countries stays small.
extension IndexPage {
  /// A number whose series can be chosen.
  private struct Choice {
    let headline: Headline
    /// The column of its number.
    let column: String
    /// The column that says how large a series is.
    let size: String

    /// The columns of a point: the number, and the ends of its interval if it is a rate.
    var columns: [String] { headline.isRate ? [column, "low", "high"] : [column] }

    static let all = [
      Choice(headline: .active, column: "close_observed", size: "close_observed"),
      Choice(headline: .churnRate, column: "churn_rate", size: "active_start"),
      Choice(headline: .renewalRate, column: "renewal_rate", size: "due"),
    ]
  }

  /// The dimensions whose values have series.
  private static let chosenDimensions: [Dimension] = [.product, .country]

  /// Returns the id of a number's series for the script; `nil` when there are none.
  ///
  /// - Parameter headline: The number.
  /// - Returns: Such as `choice-churn_rate`.
  func choice(_ headline: Headline) -> String? {
    guard let choice = Choice.all.first(where: { $0.headline == headline }),
      let (source, _) = content.table(of: headline.table, months: detail.months)
    else { return nil }
    let hasRows = views(of: choice).contains { _, view in
      view.namedRows.contains { $0.source == source.rawValue }
    }
    return hasRows ? "choice-\(headline.rawValue)" : nil
  }

  /// Returns the views of a choice by the dimensions that have series.
  private func views(of choice: Choice) -> [(dimension: Dimension, table: ReportTable)] {
    Self.chosenDimensions.compactMap { dimension in
      let all = content.tables[choice.headline.table] ?? []
      let view = all.first { $0.dimensions == [dimension.rawValue] }
      return view.map { (dimension: dimension, table: $0) }
    }
  }

  /// Writes the block of data with all series; nothing without any.
  func appendChoices(to page: inout HTMLWriter) {
    let parts = Choice.all.compactMap { choice -> String? in
      guard self.choice(choice.headline) != nil,
        let (source, rows) = content.table(of: choice.headline.table, months: detail.months)
      else { return nil }
      let axis = MonthlyRows(rows, months)
      let by = views(of: choice).map { dimension, table in
        let own = table.filtered("source") { $0 == source.rawValue }
        let series = series(choice, by: dimension, own, axis).joined(separator: ",\n")
        return "\(JSONText.quoted(dimension.words)): [\(series)]"
      }
      return """
        \(JSONText.quoted(choice.headline.rawValue)): {"name": \(JSONText.quoted(choice.headline.label)), \
        "unit": \(JSONText.quoted(choice.headline.isRate ? "%" : "")), \
        "months": [\(axis.labels.map(JSONText.quoted).joined(separator: ","))], \
        "by": {\(by.joined(separator: ",\n"))}}
        """
    }
    guard !parts.isEmpty else { return }
    page.data(id: "choices", json: "{" + parts.joined(separator: ",\n") + "}")
  }

  /// Returns the series of a dimension's largest values, each as JSON: its name, its axis, then a point for each month.
  private func series(
    _ choice: Choice, by dimension: Dimension, _ table: ReportTable, _ axis: MonthlyRows
  ) -> [String] {
    let groups = Dictionary(grouping: table.namedRows) { $0.text(dimension.rawValue) }
    let sizes = groups.mapValues { rows in rows.reduce(0) { $0 + ($1[choice.size] ?? 0) } }
    let largest = sizes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(detail.choices)
    return largest.map { name, _ in
      let months = Dictionary((groups[name] ?? []).map { ($0.text("month"), $0) }) { $1 }
      let rows = axis.labels.map { months[$0] }
      let points = rows.map { $0.map { Self.point($0, choice) } ?? "null" }
      let shown = JSONText.quoted(VisibleText.of(Figures.name(name)))
      let cells = [shown, Self.axis(rows.compactMap { $0 }, choice)] + points
      return "[\(cells.joined(separator: ","))]"
    }
  }

  /// Returns the axis of a series as JSON: its first and last tick, then the text of each tick.
  ///
  /// The ticks are those that the figure of the whole would have: `[0,30,"0 %","10 %","20 %","30 %"]`.
  private static func axis(_ rows: [ReportTable.NamedRow], _ choice: Choice) -> String {
    let values = rows.flatMap { row in
      row.cell(choice.column).drawn == nil ? [] : choice.columns.compactMap { row.cell($0).drawn }
    }
    let ticks = AxisTicks(values, choice.headline.isRate ? .percent : .count)
    let ends = [ticks.low, ticks.high].map { number in
      let text = String(number)
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    return "[\((ends + ticks.texts.map(JSONText.quoted)).joined(separator: ","))]"
  }

  /// Returns a number as JSON; with its interval and its state if it has one of them.
  ///
  /// Such as `13.15`, `[13.15,9.73,17.53]`, and `[13.15,9.73,17.53,1]` for a rate that can still change. The last number
  /// is 2 where data are missing. An interval that is not known is `null` twice.
  private static func point(_ row: ReportTable.NamedRow, _ choice: Choice) -> String {
    var numbers = choice.columns.map { number(row.cell($0)) }
    if numbers[0] == "null" { return "null" }
    if numbers.dropFirst().contains("null") { numbers = [numbers[0], "null", "null"] }
    if let state = ["provisional": "1", "partial": "2"][row.text("state")] {
      if numbers.count == 1 { numbers += ["null", "null"] }
      numbers.append(state)
    }
    let isAlone = numbers.dropFirst().allSatisfy { $0 == "null" }
    return isAlone ? numbers[0] : "[\(numbers.joined(separator: ","))]"
  }

  private static func number(_ cell: ReportTable.Cell) -> String {
    switch cell {
    case .count(let count): String(count)
    case .ratio, .fraction: String(HeadlineWords.text(cell).dropLast())
    case .missing, .text, .money, .hundredths: "null"
    }
  }
}
