import Rendering
import Scanning

/// Why a CSV file of the user cannot be used.
package struct TableError: Error, Equatable, Sendable {
  /// `FILE:LINE:FIELD: error: …`; several lines when several rows are bad and shown.
  package let message: String

  /// How many bad rows a message shows.
  private static let shownRows = 20

  init(_ place: String, _ text: String, code: String = "bad-table") {
    message = "\(SystemPath.visible(place)): error: \(text) [\(code)]"
  }

  fileprivate init(ofRows errors: [TableError]) {
    let more = errors.count - Self.shownRows
    let lines =
      errors.prefix(Self.shownRows).map(\.message)
      + (more > 0 ? ["… and \(counted(more, "more line"))"] : [])
    message = lines.joined(separator: "\n")
  }
}

/// The rows of a small CSV file written by the user, such as identities or prices.
///
/// Kept whole in memory, unlike dumps and reports.
struct UserTable {
  /// The line number and the cells of a row, by column; blank for a column that the header lacks.
  struct Row {
    let line: Int
    fileprivate let path: String
    fileprivate let cells: [String]
    fileprivate let columns: [String: Int]
    fileprivate let separator: UInt8

    subscript(column: String) -> String {
      columns[column].map { cells[$0] } ?? ""
    }

    /// Returns a cell that holds a decimal, with a point.
    func decimal(_ column: String) -> String { UserTable.withPoint(self[column], separator) }

    /// Returns the place of a cell as `FILE:LINE:FIELD`.
    func place(_ column: String) -> String {
      "\(path):\(line):\((columns[column] ?? 0) + 1)"
    }

    package func error(_ column: String, expected: String) -> TableError {
      TableError(
        place(column),
        "column \"\(column)\": found \(quotedExcerpt(self[column])), expected \(expected)")
    }
  }

  let columns: Set<String>
  let rows: [Row]

  /// Reads a file, whose header must have all columns of one of the forms.
  ///
  /// A message about another header names the columns as `expected`; `nil` for `forms`.
  init(
    _ text: String, path: String, forms: [[String]], expected: String? = nil
  ) throws(TableError) {
    var lines = try Self.lines(text, path: path)
    guard !lines.isEmpty else {
      throw TableError(path, "found an empty file, expected a header")
    }
    // A blank first line is a header without columns.
    let header = lines[0].number == 1 ? lines.removeFirst().cells : [""]
    var columns: [String: Int] = [:]
    for (index, name) in header.enumerated() { columns[name] = index }
    var rows: [Row] = []
    let separator = Self.separator(of: text)
    for line in lines {
      guard line.cells.count == header.count else {
        throw TableError(
          "\(path):\(line.number)",
          "found \(counted(line.cells.count, "cell")), expected \(header.count), as the header has")
      }
      rows.append(
        Row(
          line: line.number, path: path, cells: line.cells, columns: columns, separator: separator))
    }
    let names = Set(header)
    guard forms.contains(where: { names.isSuperset(of: $0) }) else {
      let forms = forms.map { $0.joined(separator: ",") }.joined(separator: " or ")
      throw TableError(
        "\(path):1", "found another header, expected the columns \(expected ?? forms)")
    }
    self.columns = names
    self.rows = rows
  }

  /// Reads all rows even after a bad one, so that the message shows each bad row.
  func readAll<Value>(_ read: (Row) throws(TableError) -> Value) throws(TableError) -> [Value] {
    var values: [Value] = []
    var errors: [TableError] = []
    for row in rows {
      do throws(TableError) {
        values.append(try read(row))
      } catch {
        errors.append(error)
      }
    }
    guard errors.isEmpty else { throw TableError(ofRows: errors) }
    return values
  }

  /// Returns the rows of a file that are not blank, the header among them, with the numbers of their first lines.
  static func lines(
    _ text: String, path: String, code: String = "bad-table"
  ) throws(TableError) -> [(number: Int, cells: [String])] {
    let bytes = Array(text.utf8)
    var scanner = CSVScanner(ByteStream(bytes.span), separator: separator(of: text))
    var lines: [(number: Int, cells: [String])] = []
    while (try? scanner.nextRow()) == true {
      if scanner.isTooLong {
        let found = "found a longer row, expected a row of at most 16 MiB"
        throw TableError("\(path):\(scanner.line)", found, code: code)
      }
      lines.append((scanner.line, scanner.fields))
    }
    if scanner.isTruncated {
      let found = "found a quote that is not closed, expected a closing one"
      throw TableError("\(path):\(scanner.line)", found, code: code)
    }
    return lines
  }
}

extension UserTable {
  /// Returns the byte between the cells of a file: a semicolon if the first line has no comma, else a comma.
  ///
  /// Spreadsheets write semicolons where the comma is in decimals.
  static func separator(of text: String) -> UInt8 {
    let isEnd = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
    let first = text.utf8.drop(while: isEnd).prefix { !isEnd($0) }
    let semicolon = UInt8(ascii: ";")
    return first.contains(semicolon) && !first.contains(UInt8(ascii: ","))
      ? semicolon : UInt8(ascii: ",")
  }

  /// Returns a decimal with a point; in a file with semicolons it may have a comma.
  ///
  /// Not one with three decimals, as `1,299` may be more than a thousand, unless it is below 1.
  static func withPoint(_ text: String, _ separator: UInt8) -> String {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard separator == UInt8(ascii: ";"), parts.count == 2,
      parts[1].utf8.count != 3 || Int(parts[0]) == 0
    else { return text }
    return parts.joined(separator: ".")
  }
}

/// Returns whether a text is a currency code of three letters, such as `USD`.
func isCurrency(_ text: String) -> Bool { isCapitals(text.uppercased(), 3) }

/// Returns the digits of a decimal without sign and exponent, such as 9.99; `nil` for any other text.
///
/// It may have at most `limit` decimals; their number is returned too.
package func decimalDigits(_ text: String, atMost limit: Int) -> (digits: String, decimals: Int)? {
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { return nil }
  let digits = parts.joined()
  let decimals = parts.count == 2 ? parts[1].count : 0
  guard decimals <= limit, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
  return (digits, decimals)
}

/// Returns an amount without sign, with at most three decimals, in milliunits; `nil` for any other text.
package func milliunits(of text: String) -> Int128? {
  decimalDigits(text, atMost: 3).flatMap { digits, decimals in
    Int128(digits + String(repeating: "0", count: 3 - decimals))
  }
}
