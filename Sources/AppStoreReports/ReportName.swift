package import SubscriptionModel

/// The parts of a report file's name, such as day and vendor.
///
/// Apple's names are `S_D_80012345_20130919`, `Subscription_Event_80012345_20220102_V1_2.txt.gz`
/// and similar. But users rename files, and API clients use other names, so a part may be missing
/// or wrong.
package struct ReportName: Equatable, Sendable {
  /// The day of the report; for a month or a year, its last day.
  package let date: Day?
  /// The vendor number, if the name follows Apple's pattern.
  package let vendor: String?
  /// The length of the period, if the name follows Apple's pattern.
  package let frequency: Frequency?
  /// The version, such as `1_2`.
  package let version: String?
  /// The month in a financial report's name, such as September 2014 for `45545510_0914_EU.txt`.
  package let settledMonth: Month?
  /// The region in a financial report's name, two letters at its end, in capitals.
  package let region: String?
  /// Whether a file with this name should be a report.
  ///
  /// True for Apple's names, for names used by clients of Apple's API, and for a name that is only
  /// a day.
  package let isReportName: Bool

  /// Divides a file's name into its parts.
  ///
  /// - Parameter name: The name, with or without the folders before it.
  package init(_ name: String) {
    let base = name.split(separator: "/").last ?? ""
    let tokens = Self.tokens(base)
    let letters = tokens.prefix { $0.count == 1 && $0.allSatisfy(\.isLetter) }
    var frequency = letters.count >= 2 ? Self.frequencies[tokens[letters.count - 1]] : nil
    if frequency == nil, Self.dailyPrefixes.contains(tokens.first ?? "") { frequency = .daily }

    let dated = tokens.indices.last { Self.day(tokens[$0], frequency) != nil }
    date = dated.flatMap { Self.day(tokens[$0], frequency) }
    version = Self.version(tokens)
    if let dated, dated > 0, Self.isVendor(tokens[dated - 1]) {
      vendor = tokens[dated - 1]
    } else {
      vendor = Self.settledMonth(tokens) == nil ? nil : tokens[0]
    }
    settledMonth = Self.settledMonth(tokens)
    region = settledMonth == nil ? Self.region(base) : tokens[2].uppercased()
    self.frequency = frequency
    isReportName = Self.isReportName(
      base, tokens, hasDay: date != nil, hasMonth: settledMonth != nil)
  }

  /// The first words of report names.
  private static let reportWords: Set<String> = [
    "subscription", "subscriptions", "subscriber", "subscribers", "winback", "sales", "finance",
    "financial",
  ]

  private static func isReportName(
    _ base: Substring, _ tokens: [String], hasDay: Bool, hasMonth: Bool
  ) -> Bool {
    let stem = base.prefix { $0 != "." }
    let endings = base.dropFirst(stem.count).lowercased().split(separator: ".")
    // Browsers call a second download `financial_report (1).csv`.
    if stem.hasPrefix("financial_report"), endings.first == "csv" { return true }
    guard let first = tokens.first, endings.allSatisfy({ ["txt", "tsv", "gz"].contains($0) }) else {
      return false
    }
    if hasMonth { return true }
    if first == "finance" || first == "financial" {
      return tokens.contains("report") || hasDay || region(base) != nil
    }
    let hasAppleLetters = tokens.count > 1 && first.count == 1 && tokens[1].count == 1
    return hasDay
      && (hasAppleLetters || reportWords.contains(first) || self.tokens(stem).count == 1)
  }

  private static let frequencies: [String: Frequency] = [
    "d": .daily, "w": .weekly, "m": .monthly, "y": .yearly,
  ]

  /// The first words of reports that are only daily.
  private static let dailyPrefixes: Set<String> = ["subscription", "subscriber", "winback"]

  /// Splits a name into words of letters and digits; a date such as `2026-02-18` is one word.
  private static func tokens(_ name: Substring) -> [String] {
    var tokens: [String] = []
    for part in name.lowercased().split(whereSeparator: { !isPartOfWord($0) }) {
      if let date = isoDate(part) {
        tokens +=
          words(part[..<date.lowerBound]) + [String(part[date])]
          + words(part[date.upperBound...])
      } else {
        tokens += words(part)
      }
    }
    return tokens
  }

  /// Returns whether a character is a letter, a digit or a dash.
  private static func isPartOfWord(_ character: Character) -> Bool {
    // Unicode's tables are needed only for other characters than those of Apple's names.
    guard let byte = character.asciiValue else { return character.isLetter || character.isNumber }
    return switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: byte == UInt8(ascii: "-")
    }
  }

  private static func words(_ part: Substring) -> [String] {
    part.split(separator: "-").map(String.init)
  }

  /// Returns the range of a date such as `2026-02-18` with no digit before or after it.
  private static func isoDate(_ text: Substring) -> Range<Substring.Index>? {
    guard text.utf8.contains(UInt8(ascii: "-")) else { return nil }
    var start = text.startIndex
    while let end = text.index(start, offsetBy: 10, limitedBy: text.endIndex) {
      let isAlone =
        (start == text.startIndex || !text[text.index(before: start)].isNumber)
        && (end == text.endIndex || !text[end].isNumber)
      if isAlone, day(String(text[start..<end]), nil) != nil { return start..<end }
      start = text.index(after: start)
    }
    return nil
  }

  /// Returns the day of a token; if the frequency is monthly or yearly, the last day of a month or
  /// year.
  private static func day(_ token: String, _ frequency: Frequency?) -> Day? {
    if token.utf8.count == 10 || isNumber(token) && token.utf8.count == 8 {
      let bytes = Array(token.utf8)
      if bytes.count == 10 { return bytes[4] == 0x2D ? reportDay(bytes.span, 0..<10) : nil }
      let dashed = bytes[..<4] + [0x2D] + bytes[4..<6] + [0x2D] + bytes[6...]
      return reportDay(Array(dashed).span, 0..<10)
    }
    guard isNumber(token), let year = Int(token.prefix(4)), (2008...2099).contains(year) else {
      return nil
    }
    switch (frequency, token.utf8.count) {
    case (.monthly, 6):
      guard let month = Int(token.suffix(2)), (1...12).contains(month) else { return nil }
      return Month(year: year, month: month).lastDay
    case (.yearly, 4): return Month(year: year, month: 12).lastDay
    default: return nil
    }
  }

  private static func isNumber(_ token: String) -> Bool {
    token.utf8.allSatisfy { 0x30...0x39 ~= $0 }
  }

  private static func isVendor(_ token: String) -> Bool {
    token.utf8.count >= 6 && isNumber(token)
  }

  /// Returns the version, such as `1_2` for `V1_2`, which is two tokens.
  private static func version(_ tokens: [String]) -> String? {
    for (first, second) in zip(tokens, tokens.dropFirst()) {
      let major = first.dropFirst()
      guard first.hasPrefix("v"), !major.isEmpty, isNumber(String(major)), isNumber(second),
        major.count <= 2, second.count <= 2
      else { continue }
      return "\(major)_\(second)"
    }
    return nil
  }

  /// Returns the month in a financial report's name, such as `45545510_0914_EU.txt`.
  private static func settledMonth(_ tokens: [String]) -> Month? {
    guard tokens.count >= 3, isVendor(tokens[0]), isNumber(tokens[1]), tokens[1].utf8.count == 4,
      let month = Int(tokens[1].prefix(2)), (1...12).contains(month),
      let year = Int(tokens[1].suffix(2)), tokens[2].utf8.count == 2
    else { return nil }
    return Month(year: 2000 + year, month: month)
  }

  /// Returns the region in a name from an API client, such as `EU` for
  /// `finance_2025-12_FINANCIAL_EU.tsv`.
  private static func region(_ base: Substring) -> String? {
    let stem = base.utf8.prefix { $0 != UInt8(ascii: ".") }
    let parts = stem.split { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    guard let last = parts.last, last.count == 2, last.count < stem.count,
      last.allSatisfy({ 0x41...0x5A ~= $0 })
    else { return nil }
    return String(Substring(last))
  }
}
