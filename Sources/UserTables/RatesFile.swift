import Rendering
import Scanning
import SubscriptionModel
package import Tables

/// Reads the `--rates` file: CSV `date,from,to,rate` with a header.
package enum RatesFile {
  /// The header of the file.
  package static let columns = ["date", "from", "to", "rate"]

  /// Reads rates.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - path: The file's name, for messages.
  ///   - target: The currency to convert to; rates to others are skipped.
  /// - Returns: The rates to the target.
  /// - Throws: ``TableError`` for the first bad line.
  package static func read(
    _ text: String, path: String, target: String
  ) throws(TableError) -> CurrencyConversion {
    var rates: [(day: Day, place: Int, currency: String, rate: CurrencyConversion.Rate)] = []
    let code = "bad-rates"
    for (line, cells) in try UserTable.lines(text, path: path, code: code) {
      func error(_ field: Int, _ found: String, expected: String) -> TableError {
        TableError(
          "\(path):\(line):\(field)", "found \(found), expected \(expected)", code: code)
      }
      if line == 1 {
        guard cells == columns else {
          let found = quotedExcerpt(cells.joined(separator: ","))
          throw error(1, found, expected: columns.joined(separator: ","))
        }
        continue
      }
      guard cells.count == columns.count else {
        throw error(1, counted(cells.count, "cell"), expected: "4, as the header has")
      }
      guard let day = Day(cells[0]) else {
        throw error(1, quotedExcerpt(cells[0]), expected: "a day such as 2026-09-30")
      }
      guard let rate = rate(cells[3]) else {
        throw error(4, quotedExcerpt(cells[3]), expected: "a rate above 0 such as 1.0842")
      }
      if cells[2] == target { rates.append((day, rates.count, cells[1], rate)) }
    }
    var conversion = CurrencyConversion(to: target)
    // In order, each is added at the end; of several for a day the last counts.
    for one in rates.sorted(by: { ($0.day, $0.place) < ($1.day, $1.place) }) {
      conversion.add(one.rate, from: one.currency, on: one.day)
    }
    return conversion
  }

  private static func rate(_ text: String) -> CurrencyConversion.Rate? {
    guard let (digits, decimals) = decimalDigits(text, atMost: 12), let number = Int64(digits),
      number > 0
    else { return nil }
    return CurrencyConversion.Rate(numerator: number, scale: decimals)
  }
}
