import Rendering
package import Tables

extension Measure {
  /// Returns the cell of a sum.
  package func cell(_ sum: Int128) -> ReportTable.Cell {
    isMoney ? .money(milliunits: sum) : .count(Int(sum))
  }

  /// Returns the number in a cell; `nil` for a cell of another measure, or an empty one.
  package func number(_ cell: ReportTable.Cell) -> Int128? {
    switch (cell, self) {
    case (.count(let count), .count), (.count(let count), .rank): Int128(count)
    // Gaps of receipts are in hundredths of days.
    case (.hundredths(let hundredths), .rank): Int128(hundredths)
    case (.money(let milliunits), .price), (.money(let milliunits), .proceeds): milliunits
    default: nil
    }
  }

  /// Returns a sum in words: `19`, or `29.97`.
  package func text(_ sum: Int128) -> String {
    isMoney ? NumberStyle.money(milliunits: sum) : String(sum)
  }
}
