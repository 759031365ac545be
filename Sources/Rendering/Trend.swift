package import Tables

/// Lines of block characters, which show how a number went over months.
package enum Trend {
  package static let column = "trend"
  /// The number of months in a line: the newest ones.
  static let months = 12

  private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  /// In place of a number that is not known.
  private static let unknown: Character = "·"

  /// Returns a block for each number, oldest first: `▁` for the least, `█` for the largest, `▄` if all are equal, else
  /// `·`.
  package static func line(_ cells: [ReportTable.Cell]) -> String {
    let values = cells.map(\.size)
    let known = values.compactMap { $0 }
    guard let least = known.min(), let most = known.max() else {
      return String(repeating: unknown, count: cells.count)
    }
    return String(
      values.map { value in
        guard let value else { return unknown }
        guard most > least else { return blocks[3] }
        let place = (value - least) / (most - least) * Double(blocks.count - 1)
        return blocks[Int(place.rounded())]
      })
  }
}

extension ReportTable {
  /// Returns the table with a last column `trend`: in each row the line of its series up to the row's month.
  ///
  /// A series is what all keys but the month have in common. Its lines have one scale, from the least to the largest
  /// number that the table shows; so the newest row has the whole line, of at most 12 months. It is of the table's main
  /// number, unless `column` names another.
  package func addingTrend(of column: String? = nil) -> ReportTable {
    guard let name = column ?? mainColumn,
      let value = columns.firstIndex(where: { $0.name == name }),
      let month = columns.firstIndex(where: { $0.name == "month" })
    else { return self }
    let keys = columns.indices.filter { columns[$0].kind == .key && $0 != month }
    let series = Dictionary(grouping: rows.indices) { row in keys.map { rows[row][$0] } }
    var trends: [Int: String] = [:]
    for places in series.values {
      let cells = places.map { rows[$0][value] }
      guard cells.count(where: { $0 != .missing }) > 1 else { continue }
      let line = Array(Trend.line(cells))
      for (index, place) in places.enumerated() {
        trends[place] = String(line[...index].suffix(Trend.months))
      }
    }
    guard !trends.isEmpty else { return self }
    return ReportTable(
      name: self.name, dimensions: dimensions, columns: columns + [Column(Trend.column, .text)],
      rows: rows.enumerated().map { index, row in
        row + [trends[index].map(Cell.text) ?? .missing]
      })
  }
}

extension ReportTable.Cell {
  /// The number for drawing; `nil` for words and missing cells.
  fileprivate var size: Double? {
    switch self {
    case .count(let count): Double(count)
    case .ratio(let above, let below): Double(above) / Double(below)
    case .fraction(let fraction): fraction
    case .money(let milliunits): Double(milliunits)
    case .hundredths(let hundredths): Double(hundredths)
    case .missing, .text: nil
    }
  }
}
