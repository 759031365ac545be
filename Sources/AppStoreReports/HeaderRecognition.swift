import Scanning

/// Recognizes a line as a header.
///
/// - Parameters:
///   - text: The line.
///   - line: The line's number, from 1.
/// - Returns: The header, of kind `unknown` if the line is not one of Apple's headers; or the
///   error, if the line is a damaged header.
func recognizeHeader(_ text: String, line: Int) -> HeaderRecognizer.Step {
  if let header = ReportHeader.payments(text, line: line), isRegionColumn(header.columnNames[0]) {
    return recognizePayments(header)
  }
  let names = withoutBlankEnd(
    text.split(separator: "\t", omittingEmptySubsequences: false).map(\.trimmed))
  if let layout = ReportLayout.bestMatch(names.map(comparableName)) {
    return recognizeColumns(names, layout, line: line)
  }
  let cells = separatedCells(text).map(\.trimmed)
  if let error = otherSeparator(text, cells: cells) { return .failed(error) }
  return .recognized(.unknown(names, line: line))
}

/// Returns the header of a payments CSV, or the error if a row follows it in the same line.
func recognizePayments(_ header: ReportHeader) -> HeaderRecognizer.Step {
  let isDamaged = header.columnNames.contains { name in
    name.utf8.count { 0x30...0x39 ~= $0 } > 2
  }
  guard isDamaged else { return .recognized(header) }
  return .failed(
    .damagedHeader(
      looksLike: .payments, found: "amounts among the names of its columns",
      expected: "a header on a line of its own"))
}

/// Returns whether a name is an English name of the first column of the payments CSV.
private func isRegionColumn(_ name: String) -> Bool {
  Column.regionAndCurrency.names.contains { comparableName($0) == comparableName(name) }
}

/// Removes blank names at the end, but not the first name.
func withoutBlankEnd(_ names: [String]) -> [String] {
  Array(names.prefix(1 + (names.lastIndex { $0 != "" } ?? 0)))
}

private func recognizeColumns(
  _ names: [String], _ layout: ReportLayout, line: Int
) -> HeaderRecognizer.Step {
  let header = ReportHeader(
    layout.kind, version: version(of: layout.kind, names), columnNames: names, layout: layout,
    line: line)
  let missing = layout.missingColumns(of: header)
  if header.newColumns.contains(where: { !mayBeColumnName($0) }) {
    return .failed(
      .damagedHeader(
        looksLike: layout.kind, found: "dates, numbers or ids among the names of its columns",
        expected: "a header on a line of its own"))
  }
  if !missing.isEmpty {
    if let cell = joinedCell(header.newColumns, missing) {
      return .failed(damaged(layout.kind, "\"\(cell.prefix(80))\" as one column"))
    }
    return .failed(.missingColumns(layout.kind, missing.map(\.name)))
  }
  let repeated = (layout.needed + layout.optional).flatMap(\.names).filter { name in
    header.fields(Column(name)).count > 1
  }
  if !repeated.isEmpty { return .failed(.duplicateColumns(layout.kind, repeated)) }
  return .recognized(header)
}

/// Returns whether a cell of a header may be the name of a column that Apple has added, and not the cell of a row.
///
/// Each row has a cell without a letter, such as a date, an amount or an id.
private func mayBeColumnName(_ cell: String) -> Bool {
  let longNumber = cell.split { !$0.isNumber }.first { $0.count >= 9 }
  return cell.utf8.count <= 100 && longNumber == nil && cell.contains(where: \.isLetter)
    && !cell.unicodeScalars.contains { $0.value < 0x20 }
}

/// Returns a column whose name contains the name of a missing column: a tab may have become a
/// space.
private func joinedCell(_ unknown: [String], _ missing: [Column]) -> String? {
  let missingNames = missing.flatMap(\.names).map(looseName)
  return unknown.first { cell in
    missingNames.contains { looseName(cell).contains($0) }
  }
}

/// Returns the error for a report header whose columns are not separated by tabs, or are in quotes.
///
/// `nil` if the line is no report header.
private func otherSeparator(_ text: String, cells: [String]) -> HeaderError? {
  if text.contains("\t"), text.contains("\""),
    let layout = ReportLayout.bestMatch(text.split(separator: "\t").map(looseName), loosely: true)
  {
    return .damagedHeader(
      looksLike: layout.kind, found: "columns in quotes",
      expected: "columns as Apple writes them, without quotes")
  }
  let separators: [(name: String, cells: [String])] = [
    ("commas", cells),
    ("semicolons", text.split(separator: ";").map(String.init)),
    ("vertical bars", text.split(separator: "|").map(String.init)),
  ]
  for separator in separators where separator.cells.count > 1 {
    if let layout = ReportLayout.bestMatch(separator.cells.map(looseName), loosely: true) {
      return damaged(layout.kind, "columns separated by \(separator.name)")
    }
  }
  let looseLine = looseName(text)
  for layout in ReportLayout.all where layout.isSpelledOut(in: looseLine) {
    return damaged(layout.kind, "columns that are not separated by tabs")
  }
  return nil
}

private func damaged(_ kind: ReportKind, _ found: String) -> HeaderError {
  .damagedHeader(looksLike: kind, found: found, expected: "columns separated by tabs")
}

extension StringProtocol {
  /// The text without white space at its ends.
  var trimmed: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

/// Columns of all subscription reports, each with the first version that has it.
///
/// Source: Apple's pages for 1_3; API clients of 2026 for 1_4.
private let addedColumns: [(name: String, version: String)] = [
  ("Contingent App Name", "1_4"), ("Subscription Offer Name", "1_3"),
  ("Promotional Offer Name", "1_2"), ("Promotional Offer ID", "1_2"),
]

/// Returns the version of a report, determined by its column names.
private func version(of kind: ReportKind, _ names: [String]) -> String {
  let present = Set(names.map(comparableName))
  func has(_ name: String) -> Bool { present.contains(comparableName(name)) }
  func newest(_ columns: [(name: String, version: String)]) -> String? {
    (addedColumns + columns).filter { has($0.name) }.map(\.version).max()
  }
  switch kind {
  case .subscriber: return newest([]) ?? "1_1"
  case .subscriptionEvent:
    // Version 1_0 has a column Trial.
    let oldest = has("Trial") ? "1_0" : "1_1"
    return newest([("Paid Service Days Recovered", "1_3")]) ?? oldest
  case .subscription:
    let oldest = has("Active Standard Price Subscriptions") ? "1_1" : "1_0"
    return newest([("Pay Up Front Offer Code Subscriptions", "1_3")]) ?? oldest
  case .sales:
    if has("Royalty Price") { return ReportHeader.versionBefore1 }
    return has("Contingent App Name") ? "1_1" : "1_0"
  case .offerRedemption, .winBack, .preOrder, .newsstand, .firstAnnual:
    return "1_0"
  case .installs:
    return "1_2"
  case .financial, .financeDetail, .payments, .transactionTax, .appleError, .unknown:
    return ""
  }
}

/// Returns the cells of a line of a CSV file, as ``CSVScanner`` reads them.
func separatedCells(_ line: String, by separator: UInt8 = UInt8(ascii: ",")) -> [String] {
  var scanner = CSVScanner(ByteStream(Array(line.utf8).span), separator: separator)
  return (try? scanner.nextRow()) == true ? scanner.fields : [""]
}
