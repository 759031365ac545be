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
    var all: [ReportTable.Cell] = []
    all.reserveCapacity(keys.count + cells.count)
    for key in keys {
      switch key {
      case .text(let text): all.append(.text(text))
      case .number(let number): all.append(.count(number))
      case .milliunits(let price):
        all.append(price.map { .money(milliunits: Int128($0)) } ?? .missing)
      }
    }
    all += cells
    return all
  }

  /// Returns all cells of each row, with the rows in order.
  package static func cellsInOrder(of rows: consuming [KeyedRow]) -> [[ReportTable.Cell]] {
    // Sorting numbers, not rows: each row that moves costs a reference count for each of its lists.
    let order = rows.indices.sorted { precedes(rows[$0], rows[$1]) }
    var found: [[ReportTable.Cell]] = []
    found.reserveCapacity(order.count)
    for place in order {
      found.append(rows[place].allCells)
      // A row is not kept twice: tables can have millions.
      rows[place] = KeyedRow(keys: [], cells: [])
    }
    return found
  }

  /// Returns whether a row comes before another: by their keys, texts by their UTF-8 bytes and numbers by their value.
  package static func precedes(_ left: KeyedRow, _ right: KeyedRow) -> Bool {
    for index in 0..<min(left.keys.count, right.keys.count) {
      switch (left.keys[index], right.keys[index]) {
      case (.number(let first), .number(let second)) where first != second: return first < second
      case (.text(let first), .text(let second)):
        let order = first.compared(to: second)
        if order != 0 { return order < 0 }
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
