import Rendering
import Scanning
import Storage
import SubscriptionModel
package import Tables

/// Reads the `--rates` file: CSV `date,from,to,rate` with a header, or the file of the European Central Bank.
///
/// The bank's file, `eurofxref-hist.csv`, has a row a day and a column for each currency: what a euro is worth. That of
/// the newest day, `eurofxref.csv`, writes the day as `30 October 2026`. A rate between two other currencies is the
/// quotient of theirs, to twelve decimals.
package enum RatesFile {
  package static let columns = ["date", "from", "to", "rate"]

  private static let code = "bad-rates"
  private static let quotientDecimals = 12
  /// The most decimals and digits of a rate of the bank, so that quotients can be computed.
  private static let mostDecimals = 8

  /// A rate, with its currency and its day.
  private typealias DatedRate = (day: Day, currency: String, rate: CurrencyConversion.Rate)

  /// Reads the file's text; returns the rates to the target, and skips those to other currencies.
  package static func read(
    _ text: String, path: String, target: String
  ) throws(TableError) -> CurrencyConversion {
    var lines = try UserTable.lines(text, path: path, code: code)
    let separator = UserTable.separator(of: text)
    let isBeginning = lines.first?.number == 1
    let header = isBeginning ? lines.removeFirst().cells.map(trimmed) : columns
    var rates: [DatedRate] = []
    var known: [ExactText: CurrencyConversion.Rate] = [:]
    if let currencies = currencies(ofBank: header) {
      for line in lines {
        rates += try bankRates(Line(line, path, separator), currencies, target)
      }
    } else if header == columns {
      for line in lines {
        let line = Line(line, path, separator)
        guard let rate = try rate(line, target) else { continue }
        let key = ExactText("\(rate.day) \(rate.currency)")
        if let other = known.updateValue(rate.rate, forKey: key), other != rate.rate {
          throw line.error(3, expected: "one rate of \(rate.currency) on \(rate.day)")
        }
        rates.append(rate)
      }
    } else {
      let found = quotedExcerpt(header.joined(separator: ","))
      throw TableError(
        "\(path):1:1", "found \(found), expected \(columns.joined(separator: ","))", code: code)
    }
    var conversion = CurrencyConversion(to: target)
    let inOrder = rates.enumerated().sorted { ($0.1.day, $0.0) < ($1.1.day, $1.0) }
    for (_, rate) in inOrder { conversion.add(rate.rate, from: rate.currency, on: rate.day) }
    return conversion
  }

  /// A line below the header.
  private struct Line {
    let cells: [String]
    private let place: String

    init(_ line: (number: Int, cells: [String]), _ path: String, _ separator: UInt8) {
      cells = line.cells.map { UserTable.withPoint(trimmed($0), separator) }
      place = "\(path):\(line.number)"
    }

    func error(_ field: Int, _ found: String? = nil, expected: String) -> TableError {
      let found = found ?? quotedExcerpt(cells[field])
      return TableError(
        "\(place):\(field + 1)", "found \(found), expected \(expected)", code: RatesFile.code)
    }

    func requireCells(_ count: Int) throws(TableError) {
      guard cells.count != count else { return }
      throw error(0, counted(cells.count, "cell"), expected: "\(count), as the header has")
    }

    func day() throws(TableError) -> Day {
      guard let day = Day(cells[0]) else {
        throw error(0, expected: "a day such as 2026-09-30")
      }
      return day
    }

    func rate(_ field: Int, decimals: Int) throws(TableError) -> CurrencyConversion.Rate {
      guard let (digits, decimals) = decimalDigits(cells[field], atMost: decimals),
        let number = Int64(digits), number > 0
      else { throw error(field, expected: "a rate above 0 such as 1.0842") }
      return CurrencyConversion.Rate(numerator: number, scale: decimals)
    }
  }

  private static func rate(_ line: Line, _ target: String) throws(TableError) -> DatedRate? {
    try line.requireCells(columns.count)
    let day = try line.day()
    for field in 1...2 where !isCurrency(line.cells[field]) {
      throw line.error(field, expected: "a 3-letter code such as USD")
    }
    let rate = try line.rate(3, decimals: 12)
    return line.cells[2].uppercased() == target ? (day, line.cells[1].uppercased(), rate) : nil
  }

  // MARK: The European Central Bank

  /// Returns the currency of each column of the bank's file but the first; `nil` for another header.
  ///
  /// A comma ends its lines, so that the last column is blank.
  private static func currencies(ofBank header: [String]) -> [String]? {
    guard header[0].lowercased() == "date" else { return nil }
    let currencies = header.dropFirst()
    let codes = currencies.last == "" ? currencies.dropLast() : currencies
    return !codes.isEmpty && codes.allSatisfy { isCapitals($0, 3) } ? Array(currencies) : nil
  }

  /// Returns a day such as `30 October 2026`; `nil` for any other text.
  private static func dayInWords(_ text: String) -> Day? {
    let parts = text.split(separator: " ")
    let names = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september",
      "october", "november", "december",
    ]
    guard parts.count == 3, let day = Int(parts[0]), let year = Int(parts[2]),
      let month = names.firstIndex(of: parts[1].lowercased())
    else { return nil }
    return Day(year: year, month: month + 1, day: day)
  }

  /// Returns the rates of a day to the target; none on a day without a rate of the target.
  private static func bankRates(
    _ line: Line, _ currencies: [String], _ target: String
  ) throws(TableError) -> [DatedRate] {
    try line.requireCells(currencies.count + 1)
    let newest = dayInWords(line.cells[0])
    let day = if let newest { newest } else { try line.day() }
    var ofEuro = ["EUR": CurrencyConversion.Rate(numerator: 1, scale: 0)]
    for (index, currency) in currencies.enumerated() {
      if ["", "N/A"].contains(line.cells[index + 1]) { continue }
      let rate = try line.rate(index + 1, decimals: mostDecimals)
      guard rate.numerator < 1_000_000_000_000 else {
        throw line.error(index + 1, expected: "a rate of at most 12 digits")
      }
      ofEuro[currency] = rate
    }
    guard let wanted = ofEuro[target] else { return [] }
    return ofEuro.compactMap { currency, rate in
      guard currency != target else { return nil }
      if currency == "EUR" { return (day, currency, wanted) }
      let dividend =
        Int128(wanted.numerator) * CurrencyConversion.power(quotientDecimals + rate.scale)
      let divisor = Int128(rate.numerator) * CurrencyConversion.power(wanted.scale)
      guard let quotient = Int64(exactly: dividend.dividedHalfToEven(by: divisor)), quotient > 0
      else { return nil }
      return (day, currency, .init(numerator: quotient, scale: quotientDecimals))
    }
  }
}

/// Returns a cell without blanks at its ends.
private func trimmed(_ cell: String) -> String {
  let bytes = Array(cell.utf8)
  return String(decoding: bytes[trimmed(bytes.span, bytes.indices)], as: UTF8.self)
}
