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

  package static func cellsInOrder(of rows: consuming [KeyedRow]) -> [[ReportTable.Cell]] {
    var found: [[ReportTable.Cell]] = []
    found.reserveCapacity(rows.count)
    for place in order(of: rows) {
      found.append(rows[place].allCells)
      // A row is not kept twice: tables can have millions.
      rows[place] = KeyedRow(keys: [], cells: [])
    }
    return found
  }

  /// Returns the places of rows in their order: by their keys, texts by their UTF-8 bytes and numbers by their value.
  package static func order(of rows: [KeyedRow]) -> [Int] {
    let keys = rows.map(\.keyBytes)
    return rows.indices.sorted { keys[$0].precedes(keys[$1]) }
  }

  /// Bytes in the order of the keys.
  private var keyBytes: [UInt8] {
    var bytes: [UInt8] = []
    for key in keys {
      switch key {
      case .text(let text):
        for byte in text.utf8 {
          bytes.append(byte)
          // So that a zero byte is not the end of the text.
          if byte == 0 { bytes.append(1) }
        }
        bytes += [0, 0]
      case .number(let number): bytes.append(bigEndian: Int64(number))
      case .milliunits(let price): bytes.append(bigEndian: price ?? .min)
      }
    }
    return bytes
  }
}

extension [UInt8] {
  /// Adds eight bytes in the order of the numbers.
  fileprivate mutating func append(bigEndian number: Int64) {
    let bits = UInt64(bitPattern: number) ^ 1 << 63
    for shift in stride(from: 56, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: bits >> shift))
    }
  }
}

package extension SourceReport.State {
  /// The cell of the column `state`.
  var cell: ReportTable.Cell { .text(rawValue) }
}
