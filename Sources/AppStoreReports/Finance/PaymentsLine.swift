/// One line of a payments CSV.
struct PaymentsLine {
  /// The cells without the blanks at their ends.
  let cells: [String]

  init(_ text: String) {
    cells = commaSeparatedCells(text).map { $0.trimmed }
  }

  /// Whether all cells are blank.
  var isBlank: Bool { cells.allSatisfy(\.isEmpty) }

  /// Whether it is the header, which is repeated above the regions below the payout threshold.
  var isHeader: Bool { isRegionColumn(cells[0]) }

  /// Whether it is a row: its first cell holds a region, good or bad.
  var isRow: Bool { !cells[0].isEmpty && !isHeader }

  /// The amount of the payout line, such as `234.58` of `234.58 EUR`; `nil` for any other line.
  var payout: String? {
    guard cells[0].isEmpty else { return nil }
    for cell in cells {
      let words = cell.split(separator: " ")
      if words.count == 2, isCurrencyCode(words[1]), words[0].first?.isNumber == true {
        return String(words[0])
      }
    }
    return nil
  }

  /// The name and the currency of a row's region, such as `Euro-Zone (EUR)`; `nil` for other lines.
  var region: (name: String, currency: String)? {
    guard let open = cells[0].lastIndex(of: "("), cells[0].last == ")" else { return nil }
    let currency = cells[0][cells[0].index(after: open)...].dropLast()
    guard isCurrencyCode(currency) else { return nil }
    return (String(cells[0][..<open]).trimmed, String(currency))
  }
}

/// Returns whether a text has the form of an ISO 4217 code: three capitals.
private func isCurrencyCode(_ text: Substring) -> Bool {
  text.utf8.count == 3 && text.utf8.allSatisfy { 0x41...0x5A ~= $0 }
}

extension String {
  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
