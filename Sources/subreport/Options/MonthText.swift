import SubscriptionModel

/// A month as people write it elsewhere, for the question "did you mean 2026-08?".
enum MonthText {
  private static let names = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Returns the month that a text may mean, such as `2026/8`, `08.2026`, `202608` or `August 2026`; `nil` when
  /// it can be anything.
  static func meant(_ text: String) -> Month? {
    let parts = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    if parts.count == 1, let part = parts.first, part.count == 6, Int(part) != nil {
      return month(year: String(part.prefix(4)), of: String(part.suffix(2)))
    }
    let years = parts.filter { $0.count == 4 && Int($0) != nil }
    guard (2...3).contains(parts.count), years.count == 1, let year = years.first else {
      return nil
    }
    // The day of a date stands last after a year; before one it may stand on either side.
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
