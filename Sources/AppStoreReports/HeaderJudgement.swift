/// Recognizes a header line.
///
/// - Parameters:
///   - text: The line.
///   - line: Its number, from 1.
/// - Returns: The header, an unknown header if it is not one of Apple's, or the fault in it.
func judgeHeader(_ text: String, line: Int) -> HeaderRecognizer.Step {
  var names = text.split(separator: "\t", omittingEmptySubsequences: false).map(trimmedName)
  while names.count > 1, names.last == "" { names.removeLast() }
  if let match = ReportLayout.bestMatch(names.map(comparableName)) {
    return judgeColumns(names, match.layout, line: line)
  }
  let cells = commaSeparatedCells(text).map(trimmedName)
  if cells.contains(where: isRegionColumn) { return judgePayments(cells, line: line) }
  if let error = otherSeparator(text, cells: cells) { return .failed(error) }
  return .recognized(.unknown(names, line: line))
}

/// Returns whether a name is that of the first column of the payments CSV.
func isRegionColumn(_ name: String) -> Bool {
  Column.regionAndCurrency.names.contains { comparableName($0) == comparableName(name) }
}

private func judgePayments(_ cells: [String], line: Int) -> HeaderRecognizer.Step {
  var names = cells
  while names.count > 1, names.last == "" { names.removeLast() }
  return judgeColumns(names, .payments, line: line)
}

private func judgeColumns(
  _ names: [String], _ layout: ReportLayout, line: Int
) -> HeaderRecognizer.Step {
  let header = ReportHeader(
    layout.kind, version: version(of: layout.kind, names), columnNames: names, layout: layout,
    line: line)
  let missing = layout.needed.filter { header.field($0) == nil }
  if !missing.isEmpty {
    if let cell = joinedCell(header.newColumns, missing) {
      return .failed(
        .damagedHeader(
          looksLike: layout.kind, found: "\"\(cell.prefix(80))\" as one column",
          expected: "columns separated by tabs"))
    }
    return .failed(.missingColumns(layout.kind, missing.map(\.name)))
  }
  let repeated = (layout.needed + layout.optional).flatMap(\.names).filter { name in
    header.fields(Column(name)).count > 1
  }
  if !repeated.isEmpty { return .failed(.duplicateColumns(layout.kind, repeated)) }
  return .recognized(header)
}

/// Returns a column whose name contains that of a missing column, as when a tab became a space.
private func joinedCell(_ unknown: [String], _ missing: [Column]) -> String? {
  let missingNames = missing.flatMap(\.names).map(looseName)
  return unknown.first { cell in
    missingNames.contains { looseName(cell).contains($0) }
  }
}

/// Recognizes a report header whose columns are not separated by tabs.
private func otherSeparator(_ text: String, cells: [String]) -> HeaderError? {
  if text.contains("\t"), text.contains("\""),
    let match = ReportLayout.bestMatch(text.split(separator: "\t").map(looseName), loosely: true)
  {
    return .damagedHeader(
      looksLike: match.layout.kind, found: "columns in quotes",
      expected: "columns as Apple writes them, without quotes")
  }
  let separators: [(name: String, cells: [String])] = [
    ("commas", cells),
    ("semicolons", text.split(separator: ";").map(String.init)),
    ("vertical bars", text.split(separator: "|").map(String.init)),
  ]
  for separator in separators where separator.cells.count > 1 {
    guard let match = ReportLayout.bestMatch(separator.cells.map(looseName), loosely: true) else {
      continue
    }
    return damaged(match.layout.kind, "columns separated by \(separator.name)")
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

private func trimmedName(_ name: some StringProtocol) -> String {
  var name = Substring(name)
  while name.first?.isWhitespace == true { name.removeFirst() }
  while name.last?.isWhitespace == true { name.removeLast() }
  return String(name)
}

/// Returns the version of a report, judged by its column names.
private func version(of kind: ReportKind, _ names: [String]) -> String {
  let present = Set(names.map(comparableName))
  func has(_ name: String) -> Bool { present.contains(comparableName(name)) }
  switch kind {
  case .subscriber, .subscriptionEvent, .subscription:
    // Apple's pages describe 1_3; the additions of 1_4 were seen in API clients of 2026.
    return has("Contingent App Name") ? "1_4" : versionBefore1_4(of: kind, has)
  case .sales:
    if has("Royalty Price") { return ReportHeader.versionBefore1 }
    return has("Contingent App Name") ? "1_1" : "1_0"
  case .offerRedemption, .winBack, .preOrder, .newsstand, .firstAnnual:
    return "1_0"
  case .installs:
    return "1_2"
  case .financial, .financeDetail, .payments, .appleError, .unknown:
    return ""
  }
}

private func versionBefore1_4(of kind: ReportKind, _ has: (String) -> Bool) -> String {
  switch kind {
  case .subscriber:
    if has("Subscription Offer Name") { return "1_3" }
    return has("Promotional Offer Name") || has("Promotional Offer ID") ? "1_2" : "1_1"
  case .subscriptionEvent:
    if has("Subscription Offer Name") || has("Paid Service Days Recovered") { return "1_3" }
    if has("Promotional Offer Name") || has("Promotional Offer ID") { return "1_2" }
    return has("Trial") ? "1_0" : "1_1"
  default:
    if has("Subscription Offer Name") || has("Pay Up Front Offer Code Subscriptions") {
      return "1_3"
    }
    if has("Promotional Offer Name") || has("Promotional Offer ID") { return "1_2" }
    return has("Active Standard Price Subscriptions") ? "1_1" : "1_0"
  }
}

/// Returns the cells of a line of a CSV file; text after a closing quote belongs to the cell.
func commaSeparatedCells(_ line: String) -> [String] {
  var cells: [String] = []
  var cell = ""
  var isQuoted = false
  for character in line {
    switch character {
    case "\"": isQuoted.toggle()
    case "," where !isQuoted:
      cells.append(cell)
      cell = ""
    default: cell.append(character)
    }
  }
  cells.append(cell)
  return cells
}
