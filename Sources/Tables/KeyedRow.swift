import Counting

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

  /// Returns whether a row comes before another: by their keys, texts by their UTF-8 bytes and numbers by their value.
  package static func precedes(_ left: KeyedRow, _ right: KeyedRow) -> Bool {
    for index in 0..<min(left.keys.count, right.keys.count) {
      switch (left.keys[index], right.keys[index]) {
      case (.number(let first), .number(let second)) where first != second: return first < second
      case (.text(let first), .text(let second)) where first != second:
        return first.precedes(second)
      case (.milliunits(let first), .milliunits(let second)) where first != second:
        return (first ?? .min) < (second ?? .min)
      default: continue
      }
    }
    return false
  }
}

extension String {
  /// Returns whether the text sorts before another by its UTF-8 bytes.
  fileprivate func precedes(_ other: String) -> Bool {
    // Safe: the buffers are read within the calls. They are there for every text but a bridged one, and much faster
    // than a view of the text.
    let isEarlier = unsafe utf8.withContiguousStorageIfAvailable { own in
      unsafe other.utf8.withContiguousStorageIfAvailable {
        unsafe own.lexicographicallyPrecedes($0)
      }
    }
    return isEarlier.flatMap { $0 } ?? utf8.lexicographicallyPrecedes(other.utf8)
  }
}

package extension SourceReport.State {
  /// The cell of the column `state`.
  var cell: ReportTable.Cell { .text(rawValue) }
}
