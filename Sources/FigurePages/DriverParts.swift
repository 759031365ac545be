import Charts
import Pages
import Rendering
import SubscriptionModel
import Tables

/// What the values of one dimension add to the change of a headline number between two months.
struct DriverParts {
  /// The contributions that are shown, the largest first.
  let shown: [Driver]
  /// The number of the others.
  let restCount: Int
  /// Whether further values of the dimension did not change.
  private let hasUnchanged: Bool
  /// What the others add together; missing without any.
  let rest: ReportTable.Cell
  /// The rows of `drivers.csv` of the shown ones, and one for the rest.
  let values: ReportTable

  /// The contributions that stand alone.
  private static let mostShown = 5
  /// The columns of `drivers.csv` that differ between the rows.
  private static let columns: Set = [
    "currency", "value", "before", "after", "mix", "rate", "total", "low", "high",
  ]

  /// Takes the parts of a change; `nil` when the dimension does not split it.
  ///
  /// - Parameters:
  ///   - whole: The change of the whole.
  ///   - dimension: The property by which it is split.
  ///   - drivers: All contributions.
  ///   - table: `drivers.csv`.
  init?(of whole: Driver, by dimension: Dimension, _ drivers: Drivers, _ table: ReportTable) {
    let places = drivers.rows.indices.filter { place in
      let row = drivers.rows[place]
      return row.headline == whole.headline && row.against == whole.against
        && row.currency == whole.currency && row.dimension == dimension && !row.isNone
    }
    guard !places.isEmpty else { return nil }
    hasUnchanged = drivers.rows.contains { row in
      row.headline == whole.headline && row.against == whole.against
        && row.currency == whole.currency && row.dimension == dimension && row.isNone
    }
    // One more stands where the rest would be a single one.
    let limit = places.count == Self.mostShown + 1 ? places.count : Self.mostShown
    let first = places.prefix(limit)
    let others = places.dropFirst(limit).map { drivers.rows[$0] }
    shown = first.map { drivers.rows[$0] }
    restCount = others.count
    rest = Driver.sum(of: others)
    let isWithoutCurrency = whole.currency.isEmpty
    let kept = table.columns.filter {
      Self.columns.contains($0.name) && !(isWithoutCurrency && $0.name == "currency")
    }
    let named = table.namedRows
    var rows = first.map { place in
      kept.map { column -> ReportTable.Cell in
        column.name == "value"
          ? .text(drivers.rows[place].shownValue) : named[place].cell(column.name)
      }
    }
    if !others.isEmpty {
      let label = ReportTable.Cell.text(Self.restName(others.count, hasUnchanged))
      let known: [String: ReportTable.Cell] = [
        "value": label, "currency": .text(whole.currency), "total": rest,
      ]
      rows.append(kept.map { known[$0.name] ?? .missing })
    }
    values =
      ReportTable(
        name: table.name, dimensions: [],
        columns: kept.map { $0.name == "value" ? .init(dimension.rawValue, .key) : $0 }, rows: rows
      ).withoutEmptyColumns
  }

  /// Returns the name of the others: `the other 2`, or `the other 2 that changed` where further ones did not.
  private static func restName(_ count: Int, _ hasUnchanged: Bool) -> String {
    "the other \(count)\(hasUnchanged ? " that changed" : "")"
  }

  /// Returns the parts as bars.
  ///
  /// - Parameter whole: The change of the whole.
  /// - Returns: The picture.
  func chart(of whole: Driver) -> BarChart {
    var bars = shown.compactMap { driver -> BarRow? in
      driver.total.drawn.map { size in
        BarRow(
          name: driver.shownValue, value: size, mayBeChance: driver.isMaybeChance,
          text: HeadlineFigures.signed(driver.total, currency: whole.currency))
      }
    }
    if let size = rest.drawn {
      bars.append(
        BarRow(
          name: Self.restName(restCount, hasUnchanged), value: size, isRest: true,
          text: HeadlineFigures.signed(rest, currency: whole.currency)))
    }
    return BarChart(
      rows: bars, format: Self.format(whole), isSigned: true,
      axisTitle: whole.headline.isRate ? "percentage points" : whole.currency, width: Figures.width)
  }

  private static func format(_ whole: Driver) -> ValueFormat {
    switch whole.total {
    case .ratio: .points
    case .money: .amount(decimals: NumberStyle.decimals(of: whole.currency))
    default: .count
    }
  }

  /// Returns the parts in a sentence.
  ///
  /// Such as: Plus Monthly +4.19, Plus Weekly +2.50 (may be chance), the other 5 +0.30.
  func sentence(of whole: Driver) -> String {
    var parts = shown.map { driver in
      "\(driver.shownValue) \(HeadlineFigures.signed(driver.total, currency: whole.currency))"
        + (driver.isMaybeChance ? " (may be chance)" : "")
    }
    if restCount > 0 {
      parts.append(
        "\(Self.restName(restCount, hasUnchanged)) \(HeadlineFigures.signed(rest, currency: whole.currency))"
      )
    }
    return parts.joined(separator: ", ") + "."
  }
}
