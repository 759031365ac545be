import Charts
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
  /// The rows of `drivers.csv` of the shown ones, and one for the rest, as people read them.
  let values: ReportTable

  /// The contributions that stand alone.
  private static let mostShown = 5
  /// Takes the parts of a change; `nil` when the dimension does not split it.
  ///
  /// - Parameters:
  ///   - whole: The change of the whole.
  ///   - dimension: The property by which it is split.
  ///   - drivers: All contributions.
  init?(of whole: Driver, by dimension: Dimension, _ drivers: Drivers) {
    let isPart = { (row: Driver) in
      row.headline == whole.headline && row.source == whole.source && row.against == whole.against
        && row.currency == whole.currency && row.dimension == dimension
    }
    let places = drivers.rows.indices.filter { place in
      isPart(drivers.rows[place]) && !drivers.rows[place].isNone
    }
    guard !places.isEmpty else { return nil }
    hasUnchanged = drivers.rows.contains { isPart($0) && $0.isNone }
    // One more stands where the rest would be a single one.
    let limit = places.count == Self.mostShown + 1 ? places.count : Self.mostShown
    let first = places.prefix(limit)
    let others = places.dropFirst(limit).map { drivers.rows[$0] }
    shown = first.map { drivers.rows[$0] }
    restCount = others.count
    rest = Driver.sum(of: others)
    let isRate = whole.headline.isRate
    let cells = isRate ? Self.cellsOfRate : Self.cellsOfAmount
    var rows = shown.map { [.text($0.shownValue)] + cells($0, $0.total) }
    if !others.isEmpty {
      rows.append([.text(Self.restName(others.count, hasUnchanged))] + cells(nil, rest))
    }
    values =
      ReportTable(
        name: HeadlineTable.drivers.rawValue, dimensions: [],
        columns: [.init(dimension.rawValue, .key)] + (isRate ? Self.ofRate : Self.ofAmount),
        rows: rows
      ).withoutEmptyColumns
  }

  /// The columns of an amount or a count after the value.
  private static let ofAmount: [ReportTable.Column] = [
    .init("currency", .key), .init("before", .rate), .init("after", .rate),
    .init("total", .rate, isChange: true),
  ]
  /// The columns of a rate after the value: the interval bounds `rate`, not `total`, and stands beside it.
  private static let ofRate: [ReportTable.Column] = [
    "before", "after", "total, points", "mix, points", "rate, points", "95 % interval of rate",
  ].map { .init($0, .rate) }

  private static func cellsOfAmount(
    _ driver: Driver?, _ total: ReportTable.Cell
  ) -> [ReportTable.Cell] {
    let code = driver?.currency ?? ""
    return [
      code.isEmpty ? .missing : .text(code), driver?.cell("before") ?? .missing,
      driver?.cell("after") ?? .missing, total,
    ]
  }

  private static func cellsOfRate(
    _ driver: Driver?, _ total: ReportTable.Cell
  ) -> [ReportTable.Cell] {
    let cell = { (column: String) in driver?.cell(column) ?? .missing }
    let bounds = ["low", "high"].map { points(cell($0)) }
    let interval = bounds.contains("") ? "" : bounds.joined(separator: " to ")
    return [cell("before"), cell("after")]
      + [points(total), points(cell("mix")), points(cell("rate")), interval]
      .map { $0.isEmpty ? .missing : .text($0) }
  }

  /// Returns a difference of rates with its sign and without its unit, such as `-3.10`; blank for a missing one.
  private static func points(_ cell: ReportTable.Cell) -> String {
    guard case .fraction(let bound) = cell else { return HeadlineFigures.signed(cell) }
    let digits = (NumberStyle.percentage(bound) ?? "").dropLast()
    let isPositive = !digits.hasPrefix("-") && digits.contains { ("1"..."9").contains($0) }
    return (isPositive ? "+" : "") + digits
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
