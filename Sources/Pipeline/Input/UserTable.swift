import Scanning

/// The rows of a small CSV file written by the user, such as identities or prices.
///
/// RFC 4180: commas, quotes, CRLF or LF. Kept whole in memory, unlike dumps and reports.
struct UserTable {
  /// A one-line message why a file cannot be used.
  struct Problem: Error {
    let message: String
  }

  /// The line number and the cells of a row, by column; blank for a column that the header lacks.
  struct Row {
    let line: Int
    fileprivate let cells: [String]
    fileprivate let columns: [String: Int]

    subscript(column: String) -> String {
      columns[column].map { cells[$0] } ?? ""
    }
  }

  let columns: Set<String>
  let rows: [Row]
  private let path: String

  init(_ text: String, path: String) throws(Problem) {
    self.path = path
    var lines = try Self.lines(text, path: path)
    guard !lines.isEmpty else {
      throw Problem(message: "\(path): error: found an empty file, expected a header [bad-table]")
    }
    let header = lines.removeFirst().cells
    var columns: [String: Int] = [:]
    for (index, name) in header.enumerated() { columns[name] = index }
    self.columns = Set(header)
    var rows: [Row] = []
    for line in lines where line.cells != [""] {
      guard line.cells.count == header.count else {
        throw Problem(
          message:
            "\(path):\(line.number): error: found \(counted(line.cells.count, "cell")), expected \(header.count), as the header has [bad-table]"
        )
      }
      rows.append(Row(line: line.number, cells: line.cells, columns: columns))
    }
    self.rows = rows
  }

  /// Returns the problem with a cell, as one line.
  func problem(_ row: Row, _ column: String, expected: String) -> Problem {
    Problem(
      message:
        "\(place(row, column)): error: column \"\(column)\": found \(quotedExcerpt(row[column])), expected \(expected) [bad-table]"
    )
  }

  /// Returns the place of a cell as `FILE:LINE:FIELD`.
  func place(_ row: Row, _ column: String) -> String {
    "\(path):\(row.line):\((row.columns[column] ?? 0) + 1)"
  }

  /// Returns the problem with the header, as one line.
  func headerProblem(expected: String) -> Problem {
    Problem(
      message:
        "\(path):1: error: found another header, expected the columns \(expected) [bad-table]")
  }

  private static func lines(
    _ text: String, path: String
  ) throws(Problem) -> [(number: Int, cells: [String])] {
    var lines: [(number: Int, cells: [String])] = []
    var cells: [String] = []
    var cell = ""
    var number = 1
    var first = 1
    var isQuoted = false
    var characters = Substring(text)
    if characters.first == "\u{FEFF}" { characters.removeFirst() }
    while let character = characters.popFirst() {
      if character.isNewline { number += 1 }
      switch character {
      case "\"" where isQuoted && characters.first == "\"":
        characters.removeFirst()
        cell.append("\"")
      case "\"" where isQuoted || cell.isEmpty: isQuoted.toggle()
      case "," where !isQuoted:
        cells.append(cell)
        cell = ""
      case _ where character.isNewline && !isQuoted:
        lines.append((first, cells + [cell]))
        cells = []
        cell = ""
        first = number
      default: cell.append(character)
      }
    }
    if isQuoted {
      throw Problem(
        message:
          "\(path):\(first): error: found a quote that is not closed, expected a closing one [bad-table]"
      )
    }
    if !cell.isEmpty || !cells.isEmpty { lines.append((first, cells + [cell])) }
    return lines
  }
}
