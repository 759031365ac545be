import Counting
import Storage

/// A row of a table before it is sorted: its keys, and the cells after them.
package struct KeyedRow {
  package enum Key {
    case text(String)
    case number(Int)
    /// A price; rows without a price come first.
    case milliunits(Int64?)
  }

  var keys: [Key]
  var cells: [ReportTable.Cell]

  package init(keys: [Key], cells: [ReportTable.Cell]) {
    self.keys = keys
    self.cells = cells
  }

  /// All cells of the row, the keys first.
  package var allCells: [ReportTable.Cell] {
    keys.map { key in
      switch key {
      case .text(let text): .text(text)
      case .number(let number): .count(number)
      case .milliunits(let price): price.map { .money(milliunits: Int128($0)) } ?? .missing
      }
    } + cells
  }

  /// Returns all cells of each row, with the rows in order.
  package static func cellsInOrder(of rows: [KeyedRow]) -> [[ReportTable.Cell]] {
    // Sorting numbers, not rows: each row that moves costs a reference count for each of its lists.
    rows.indices.sorted { precedes(rows[$0], rows[$1]) }.map { rows[$0].allCells }
  }

  /// Returns whether a row comes before another: by their keys, texts by their UTF-8 bytes and numbers by their value.
  package static func precedes(_ left: KeyedRow, _ right: KeyedRow) -> Bool {
    for index in 0..<min(left.keys.count, right.keys.count) {
      switch (left.keys[index], right.keys[index]) {
      case (.number(let first), .number(let second)) where first != second: return first < second
      case (.text(let first), .text(let second)) where !first.isSame(as: second):
        return first.precedes(second)
      case (.milliunits(let first), .milliunits(let second)) where first != second:
        return (first ?? .min) < (second ?? .min)
      default: continue
      }
    }
    return false
  }
}

package extension SourceReport.State {
  /// The cell of the column `state`.
  var cell: ReportTable.Cell { .text(rawValue) }
}
