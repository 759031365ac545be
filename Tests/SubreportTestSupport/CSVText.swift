/// Reads CSV in the most obvious way, byte by byte.
package enum CSVText {
  /// Returns the cells of each line, the header first.
  package static func lines(_ text: String, delimiter: Character = ",") -> [[String]] {
    let (quote, comma) = (UInt8(ascii: "\""), delimiter.asciiValue)
    var lines: [[String]] = []
    var cells: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    let bytes = Array(text.utf8)
    var place = 0
    func end() {
      cells.append(String(decoding: cell, as: UTF8.self))
      cell = []
    }
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if isQuoted {
        if byte != quote {
          cell.append(byte)
        } else if place < bytes.count, bytes[place] == quote {
          cell.append(quote)
          place += 1
        } else {
          isQuoted = false
        }
      } else if byte == quote {
        isQuoted = true
      } else if byte == comma {
        end()
      } else if byte == UInt8(ascii: "\n") {
        end()
        lines.append(cells)
        cells = []
      } else {
        cell.append(byte)
      }
    }
    return lines
  }
}
