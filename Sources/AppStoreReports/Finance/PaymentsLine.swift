import SubscriptionModel

/// One line of a payments CSV.
struct PaymentsLine {
  /// The cells without the blanks at their ends.
  let cells: [String]

  init(_ text: String) {
    cells = commaSeparatedCells(text).map(\.trimmed)
  }

  /// Whether all cells are blank.
  var isBlank: Bool { cells.allSatisfy(\.isEmpty) }

  /// Whether the line is the header, which occurs again above the regions below the payout
  /// threshold.
  var isHeader: Bool { isRegionColumn(cells[0]) }

  /// Whether the line is a row, good or bad: its first cell is a region.
  var isRow: Bool { !cells[0].isEmpty && !isHeader }

  /// The amount of the payout line, such as `234.58` for `234.58 EUR`; `nil` for any other line.
  var payout: String? {
    guard cells[0].isEmpty else { return nil }
    for cell in cells {
      let words = cell.split(separator: " ")
      if words.count == 2, RejectedRow.isCode(words[1], letters: 3),
        words[0].first?.isNumber == true
      {
        return String(words[0])
      }
    }
    return nil
  }

  /// The name and the currency of a row's region, from a text such as `Euro-Zone (EUR)`; `nil` for
  /// other lines.
  var region: (name: String, currency: String)? {
    guard let open = cells[0].lastIndex(of: "("), cells[0].last == ")" else { return nil }
    let currency = cells[0][cells[0].index(after: open)...].dropLast()
    guard RejectedRow.isCode(currency, letters: 3) else { return nil }
    return (cells[0][..<open].trimmed, String(currency))
  }
}

/// Returns the month in a payments CSV's title, such as `… Financial Reports (September, 2014)`.
///
/// Apple writes the title in the language of the account; five languages were seen in files.
///
/// - Parameter title: A line above the header.
/// - Returns: The month; `nil` if the line has none.
func paymentsMonth(_ title: String) -> Month? {
  let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  let year = words.compactMap { $0.utf8.count == 4 ? Int($0) : nil }.first { 2008...2099 ~= $0 }
  let month = words.compactMap { monthNumbers[$0] }.first
  guard let year, let month else { return nil }
  return Month(year: year, month: month)
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
