import SubscriptionModel

/// Recognizes months in other notations, for the question "did you mean 2026-08?".
enum MonthText {
  private static let names = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Returns the month that a text may mean, or `nil` if it is ambiguous or none.
  ///
  /// Examples are `2026/8`, `08.2026`, `202608` and `August 2026`.
  static func meant(_ text: String) -> Month? {
    let parts = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    if parts.count == 1, let part = parts.first, part.count == 6, Int(part) != nil {
      return month(year: String(part.prefix(4)), of: String(part.suffix(2)))
    }
    let years = parts.filter { $0.count == 4 && Int($0) != nil }
    guard (2...3).contains(parts.count), years.count == 1, let year = years.first else {
      return nil
    }
    // In a date, the day is last if the year is first; if the year is not first, the day may be on either side.
    let rest = parts.filter { $0 != year }
    if parts.first == year { return month(year: year, of: rest[0]) }
    let named = rest.compactMap { month(year: year, of: $0) }
    return rest.count == 1 || named.count == 1 ? named.first : nil
  }

  private static func month(year: String, of text: String) -> Month? {
    guard let year = Int(year), (2000...2999).contains(year) else { return nil }
    let number = Int(text) ?? names.firstIndex { text.hasPrefix($0) }.map { $0 + 1 }
    return number.flatMap { (1...12).contains($0) ? Month(year: year, month: $0) : nil }
  }
}
