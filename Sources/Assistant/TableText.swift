import Rendering
import Scanning
import Storage

/// A CSV file of the folder of `report`, of which some rows are read.
struct TableText {
  /// The conditions of a row.
  struct Choice {
    /// A column, and the texts of which a row has one.
    var conditions: [(column: Int, values: [String])] = []
    /// The column of the month with the first and the last one; months are compared as texts.
    var months: (column: Int, first: String, last: String)?
  }

  private let bytes: [UInt8]
  let columns: [String]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var scanner = CSVScanner(ByteStream(bytes.span))
    let hasHeader = (try? scanner.nextRow()) == true
    columns = hasHeader ? scanner.fields : []
  }

  func place(of column: String) -> Int? { columns.firstIndex { $0.isSame(as: column) } }

  /// Calls `body` at each row that fulfils the conditions.
  func forEachRow(_ choice: Choice = Choice(), _ body: (borrowing CSVScanner) -> Void) {
    let conditions = choice.conditions.map { column, values in
      (column: column, values: values.map(Self.stored))
    }
    let months = choice.months.map { ($0.column, Array($0.first.utf8), Array($0.last.utf8)) }
    var scanner = CSVScanner(ByteStream(bytes.span))
    // The header is no row.
    guard (try? scanner.nextRow()) == true else { return }
    while (try? scanner.nextRow()) == true {
      let isChosen = conditions.allSatisfy { condition in
        let cell = scanner.text[scanner[condition.column]]
        return condition.values.contains { cell.elementsEqual($0) }
      }
      guard isChosen else { continue }
      if let (column, first, last) = months {
        let cell = scanner.text[scanner[column]]
        if cell.lexicographicallyPrecedes(first) || last.lexicographicallyPrecedes(cell) {
          continue
        }
      }
      body(scanner)
    }
  }

  /// Returns the values of a column, each once, in the order of the rows and without the guard of CSV.
  func values(of column: Int) -> [String] {
    var (seen, values): (Set<ExactText>, [String]) = ([], [])
    forEachRow { row in
      let cell = String(decoding: row.text[row[column]], as: UTF8.self)
      guard seen.insert(ExactText(cell)).inserted else { return }
      values.append(SeparatedValues.withoutGuard(cell))
    }
    return values
  }

  /// Returns a text as CSV stores it: `'=Pro` for `=Pro`.
  private static func stored(_ text: String) -> [UInt8] {
    let guarded = "'" + text
    return Array((SeparatedValues.withoutGuard(guarded).isSame(as: text) ? guarded : text).utf8)
  }
}
