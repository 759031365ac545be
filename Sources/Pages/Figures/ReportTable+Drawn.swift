import Charts
import Rendering
import Tables

extension ReportTable.Cell {
  /// The number as charts draw it: a rate as a fraction of 1, an amount in units of its currency; `nil` for words and
  /// missing cells.
  var drawn: Double? {
    switch self {
    case .count(let count): Double(count)
    case .ratio(let above, let below): Double(above) / Double(below)
    case .fraction(let fraction): fraction
    case .money(let milliunits): Double(milliunits) / 1_000
    case .hundredths(let hundredths): Double(hundredths) / 100
    case .missing, .text: nil
    }
  }
}

extension ReportTable {
  /// Whether a column has a number other than 0.
  func hasNumbers(_ name: String) -> Bool {
    guard let column = columns.firstIndex(where: { $0.name == name }) else { return false }
    return rows.contains { row in row[column].drawn.map { $0 != 0 } == true }
  }
}
