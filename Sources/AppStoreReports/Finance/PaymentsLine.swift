import Scanning
import SubscriptionModel

/// One line of a payments CSV: FORMATS.md section 4.1, "Variants of the payments CSV".
struct PaymentsLine {
  /// The cells without the blanks at their ends.
  let cells: [String]

  /// Divides a line into cells.
  ///
  /// - Parameters:
  ///   - text: The line.
  ///   - separator: The byte between cells.
  init(_ text: String, separator: UInt8) {
    cells = separatedCells(text, by: separator).map { cell in
      // In Japanese and Chinese.
      cell.trimmed.replacing("（", with: "(").replacing("）", with: ")")
    }
  }

  /// Whether all cells are blank.
  var isBlank: Bool { cells.allSatisfy(\.isEmpty) }

  /// Whether the line is a header: its first cell ends in brackets that hold no currency, such as
  /// `Region (Währung)`.
  ///
  /// A line with an amount is a row with a bad name; a line with a month is a title.
  var isHeader: Bool {
    guard cells[0].last == ")", cells[0].contains("("), !namesCurrency else { return false }
    let others = cells.dropFirst().filter { !$0.isEmpty }
    return !others.isEmpty && month == nil
      && !others.contains { $0.first?.isNumber == true || $0.first == "-" }
  }

  /// The month of a title line such as `… Financial Reports (September, 2014)`; `nil` for other lines.
  var month: Month? { hasAmounts ? nil : paymentsMonth(cells.joined(separator: " ")) }

  /// Whether the line has amounts but is no payout line: a row, or what damage has left of one.
  var hasAmounts: Bool {
    let numbers = cells.filter { groupedMilliunits($0) != nil }
    return payout == nil && (numbers.count > 2 || numbers.contains { $0.contains(".") })
  }

  /// Whether a currency in brackets is in the first cell, wherever it stands.
  private var namesCurrency: Bool {
    cells[0].split(separator: "(").dropFirst().contains { part in
      part.firstIndex(of: ")").map { RejectedRow.isCode(part[..<$0], letters: 3) } ?? false
    }
  }

  /// Whether the line names the bank account to which a block was paid.
  var isBankLine: Bool {
    guard let only = onlyCell else { return false }
    return only.hasPrefix("Paid to") || only.contains("****")
  }

  /// Whether the line is a row, good or bad: its first cell is a region, or it has amounts.
  var isRow: Bool {
    (!cells[0].isEmpty || hasAmounts) && !isHeader && !isBankLine && payout == nil && month == nil
  }

  /// The payout line, such as `234.58` and `EUR` for `234.58 EUR`; `nil` for any other line.
  var payout: (amount: String, currency: String)? {
    guard let words = onlyCell?.split(separator: " "), words.count == 2,
      RejectedRow.isCode(words[1], letters: 3),
      words[0].first?.isNumber == true || words[0].first == "-"
    else { return nil }
    return (String(words[0]), String(words[1]))
  }

  /// The name and the currency of a row's region, from a text such as `Euro-Zone (EUR)`; `nil` for
  /// other lines.
  var region: (name: String, currency: String)? {
    guard let open = cells[0].lastIndex(of: "("), cells[0].last == ")" else { return nil }
    let currency = cells[0][cells[0].index(after: open)...].dropLast()
    guard RejectedRow.isCode(currency, letters: 3) else { return nil }
    return (cells[0][..<open].trimmed, String(currency))
  }

  /// The only cell with a text; `nil` if there are none or several.
  private var onlyCell: String? {
    let filled = cells.filter { !$0.isEmpty }
    return filled.count == 1 ? filled[0] : nil
  }
}

extension ReportHeader {
  /// The separators of payments CSVs.
  private static let separators: [UInt8] = [
    UInt8(ascii: ","), UInt8(ascii: "\t"), UInt8(ascii: ";"),
  ]

  /// Returns the header of a payments CSV; `nil` for any other line.
  ///
  /// The separator is the one of which the line has most. English titles name the columns; in other
  /// languages their number decides.
  ///
  /// - Parameters:
  ///   - text: The line.
  ///   - line: The line's number, from 1.
  /// - Returns: The header; `nil` for another line.
  static func payments(_ text: String, line: Int) -> ReportHeader? {
    let counts = separators.map { separator in text.utf8.count { $0 == separator } }
    let most = counts.max() ?? 0
    let separator = zip(separators, counts).first { $1 == most }?.0 ?? separators[0]
    let parsed = PaymentsLine(text, separator: separator)
    guard parsed.isHeader else { return nil }
    let names = withoutBlankEnd(parsed.cells)
    let comparable = names.map(comparableName)
    let isEnglish = [Column.earned, .totalOwed].allSatisfy { column in
      comparable.contains(column.comparableNames[0])
    }
    return ReportHeader(
      .payments, version: "", columnNames: names,
      meanings: isEnglish ? nil : paymentsColumns(names.count), layout: .payments, line: line,
      separator: separator)
  }

  /// Returns the columns of a payments CSV in another language by their number; none for a number that
  /// does not tell them.
  private static func paymentsColumns(_ count: Int) -> [Column] {
    switch count {
    case 9:
      [
        .regionAndCurrency, .unitsSold, .earned, .inputTax, .adjustments, .withholdingTax,
        .totalOwed, .proceeds, .bankCurrency,
      ]
    case 11:
      [
        .regionAndCurrency, .unitsSold, .earned, .preTaxSubtotal, .inputTax, .adjustments,
        .withholdingTax, .totalOwed, .exchangeRate, .proceeds, .bankCurrency,
      ]
    default: []
    }
  }
}

/// Returns the month in brackets in a payments CSV's title, such as `… Reports (September, 2014)`.
///
/// Apple writes the title in the language of the account; five languages were seen in files.
///
/// - Parameter title: A line above the header.
/// - Returns: The month; `nil` if the line has none.
func paymentsMonth(_ title: String) -> Month? {
  guard let (year, words) = bracketsOfPaymentsTitle(title) else { return nil }
  return words.compactMap { monthNumbers[$0] }.first.map { Month(year: year, month: $0) }
}

/// Returns the year and the words in the brackets of a payments CSV's title, in any language: `(2026年1月)` too.
///
/// - Parameter title: A line above the header.
/// - Returns: The year and the words in small letters; `nil` if no brackets hold a year.
func bracketsOfPaymentsTitle(_ title: String) -> (year: Int, words: [String])? {
  let parts = title.split(omittingEmptySubsequences: false) { "(（".contains($0) }
  for part in parts.dropFirst() {
    guard let end = part.firstIndex(where: { ")）".contains($0) }) else { continue }
    let content = part[..<end].lowercased()
    let numbers = content.split { !("0"..."9" ~= $0) }.filter { $0.utf8.count == 4 }
    guard let year = numbers.compactMap({ Int($0) }).first(where: { 2008...2099 ~= $0 }) else {
      continue
    }
    return (year, content.split { !$0.isLetter && !$0.isNumber }.map(String.init))
  }
  return nil
}

private let monthNumbers: [String: Int] = {
  var numbers: [String: Int] = [:]
  for line in monthNames.split(separator: "\n") {
    for (index, name) in line.split(separator: " ").enumerated() {
      numbers[String(name)] = index + 1
    }
  }
  return numbers
}()

private let monthNames = """
  january february march april may june july august september october november december
  janvier février mars avril mai juin juillet août septembre octobre novembre décembre
  januar februar märz april mai juni juli august september oktober november dezember
  gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
  """
