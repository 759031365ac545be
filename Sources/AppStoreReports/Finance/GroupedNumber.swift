import Scanning

/// Reads a decimal whose thousands may be separated by commas, such as `1,398.00`, as milliunits.
///
/// Totals and payments CSVs have such numbers, rows of reports do not.
///
/// - Parameter text: The text without blanks at its ends.
/// - Returns: The milliunits; `nil` if the text is not such a number.
func groupedMilliunits(_ text: String) -> Int64? {
  let whole = text.prefix { $0 != "." }
  let groups = whole.split(separator: ",", omittingEmptySubsequences: false)
  if groups.count > 1 {
    let digits = groups[0].drop { $0 == "-" || $0 == "+" }
    guard (1...3).contains(digits.count), groups.dropFirst().allSatisfy({ $0.count == 3 }) else {
      return nil
    }
  }
  let bytes = Array((groups.joined() + text.dropFirst(whole.count)).utf8)
  guard case .value(let milliunits) = ByteNumber.milliunits(bytes.span, 0..<bytes.count) else {
    return nil
  }
  return milliunits
}
