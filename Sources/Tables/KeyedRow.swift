import Counting

/// A row with its keys, for sorting.
package struct KeyedRow {
  package enum Key {
    case text(String)
    case number(Int)
    /// A price in milliunits; rows without a price come first.
    case milliunits(Int64?)
  }

  var keys: [Key]
  var cells: [ReportTable.Cell]

  package init(keys: [Key], cells: [ReportTable.Cell]) {
    self.keys = keys
    self.cells = cells
  }

  /// All cells of the row, the keys first.
  ///
  /// Rows are sorted by their keys: texts by their UTF-8 bytes, numbers by their value.
  package var allCells: [ReportTable.Cell] {
    keys.map { key in
      switch key {
      case .text(let text): .text(text)
      case .number(let number): .count(number)
      case .milliunits(let price): price.map { .money(milliunits: Int128($0)) } ?? .missing
      }
    } + cells
  }

  package static func precedes(_ left: KeyedRow, _ right: KeyedRow) -> Bool {
    for (leftKey, rightKey) in zip(left.keys, right.keys) {
      switch (leftKey, rightKey) {
      case (.number(let first), .number(let second)) where first != second: return first < second
      case (.text(let first), .text(let second)) where first != second:
        return first.utf8.lexicographicallyPrecedes(second.utf8)
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
