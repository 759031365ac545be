package import SubscriptionModel

/// The parts of a report file's name, such as day and vendor.
///
/// Apple's names are `S_D_80012345_20130919`, `Subscription_Event_80012345_20220102_V1_2.txt.gz`
/// and similar. But users rename files, and API clients use other names, so a part may be missing
/// or wrong.
package struct ReportName: Equatable, Sendable {
  /// The day of the report; for a month or a year, its last day.
  ///
  /// `nil` for two different days, unless one stands right behind the vendor number.
  package let date: Day?
  /// Whether the name has two different days, and no vendor number right before one of them.
  package let hasTwoDates: Bool
  /// The vendor number: the first 8 or 9 digits that are no date.
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
    let last =
      name.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
    let original = CopyMark(in: last)?.original ?? last
    // A date with dots would end the name's stem.
    let base = Self.withoutDotsInDates(last)[...]
    let tokens = Self.tokens(base)
    let letters = tokens.prefix { $0.utf8.count == 1 && !Self.isNumber($0) }
    var frequency = letters.count >= 2 ? Self.frequencies[tokens[letters.count - 1]] : nil
    if frequency == nil, Self.dailyPrefixes.contains(tokens.first ?? "") { frequency = .daily }

    let numbers = NumberInName.all(in: base, frequency)
    let dates = numbers.filter { $0.day != nil }
    let own = numbers.first(where: \.isVendor)
    let financial = Self.financialParts(original)
    date =
      Set(dates.map(\.day)).count > 1
      ? dates.first { $0.start == own?.endOfSeparators }?.day : dates.first?.day
    hasTwoDates = date == nil && !dates.isEmpty
    version = Self.version(tokens)
    // A number of another length is a vendor's only where Apple's names have it.
    vendor =
      own?.text ?? financial?.vendor
      ?? numbers.last { number in
        number.mayBeVendor && dates.contains { $0.start == number.endOfSeparators }
      }?.text
    settledMonth = financial?.month
    region = financial == nil ? Self.region(original[...]) : financial?.region
    self.frequency = frequency
    let stem = base.utf8.prefix { $0 != UInt8(ascii: ".") }
    isReportName = Self.isReportName(
      base, tokens, hasDay: !dates.isEmpty,
      isOnlyDay: dates.first.map { $0.start == 0 && $0.end == stem.count } == true,
      hasMonth: settledMonth != nil)
  }

  /// Returns the vendor number of the nearest folder that has one.
  ///
  /// - Parameter path: The path of a file below the input.
  /// - Returns: The number; `nil` if no folder has one.
  package static func vendor(ofFoldersOf path: String) -> String? {
    for folder in path.split(separator: "/").dropLast().reversed() {
      if let number = NumberInName.all(in: folder, nil).first(where: \.isVendor) {
        return number.text
      }
    }
    return nil
  }

  /// The first words of report names.
  private static let reportWords: Set<String> = [
    "subscription", "subscriptions", "subscriber", "subscribers", "winback", "sales", "finance",
    "financial",
  ]

  private static func isReportName(
    _ base: Substring, _ tokens: [String], hasDay: Bool, isOnlyDay: Bool, hasMonth: Bool
  ) -> Bool {
    let parts = base.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let endings = parts.dropFirst().filter { !$0.isEmpty }.map { Substring($0).lowercased() }
    // Browsers call a second download `financial_report (1).csv`.
    if base.hasPrefix("financial_report"), endings.first == "csv" { return true }
    guard let first = tokens.first, endings.allSatisfy(["txt", "tsv", "gz"].contains) else {
      return false
    }
    if hasMonth { return true }
    if first == "finance" || first == "financial" {
      return tokens.contains("report") || hasDay || region(base) != nil
    }
    let hasAppleLetters = tokens.count > 1 && first.count == 1 && tokens[1].count == 1
    return hasDay && (hasAppleLetters || reportWords.contains(first) || isOnlyDay)
  }

  private static let frequencies: [String: Frequency] = [
    "d": .daily, "w": .weekly, "m": .monthly, "y": .yearly,
  ]

  /// The first words of reports that are only daily.
  private static let dailyPrefixes: Set<String> = ["subscription", "subscriber", "winback"]

  /// Splits a name into words of letters and digits, in lower case.
  private static func tokens(_ name: Substring) -> [String] {
    let name = name.lowercased()
    // Unicode's tables are needed only for other characters than those of Apple's names.
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
      return name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
    let words = name.utf8.split { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): false
      default: true
      }
    }
    return words.map { String(Substring($0)) }
  }

  /// Returns a name with dashes in place of the dots in a date.
  private static func withoutDotsInDates(_ name: String) -> String {
    let afterDots = zip(name.utf8, name.utf8.dropFirst()).lazy.filter { $0.0 == UInt8(ascii: ".") }
    guard afterDots.contains(where: { 0x30...0x39 ~= $0.1 }) else { return name }
    let dots = NumberInName.all(in: name[...], nil).filter {
      $0.day != nil && $0.text.contains(".")
    }
    guard !dots.isEmpty else { return name }
    var bytes = Array(name.utf8)
    for date in dots {
      for index in date.start..<date.end where bytes[index] == UInt8(ascii: ".") {
        bytes[index] = UInt8(ascii: "-")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isNumber(_ token: String) -> Bool {
    token.utf8.allSatisfy { 0x30...0x39 ~= $0 }
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

  /// Returns the parts of a financial report's name, such as `45545510_0914_EU.txt`, `45545510_0914.txt` or
  /// `FD_45545510_0914.txt`.
  ///
  /// - Parameter name: The name without a copy mark.
  /// - Returns: `nil` for any other name.
  private static func financialParts(
    _ name: String
  ) -> (vendor: String, month: Month, region: String?)? {
    var parts = tokens(Substring(name.utf8.prefix { $0 != UInt8(ascii: ".") }))
    if parts.first == "fd" { parts.removeFirst() }
    guard parts.count >= 2,
      let vendor = NumberInName.all(in: parts[0][...], nil).first, vendor.text == parts[0],
      vendor.mayBeVendor, isNumber(parts[1]), parts[1].utf8.count == 4,
      let month = Int(parts[1].prefix(2)), (1...12).contains(month),
      let year = Int(parts[1].suffix(2))
    else { return nil }
    let region = parts.count > 2 ? parts[2].uppercased() : nil
    guard region?.utf8.count ?? 2 == 2 else { return nil }
    return (vendor.text, Month(year: 2000 + year, month: month), region)
  }

  /// Returns the region in a name from an API client, such as `EU` for
  /// `finance_2025-12_FINANCIAL_EU.tsv`; the name is without a copy mark.
  private static func region(_ base: Substring) -> String? {
    let stem = base.utf8.prefix { $0 != UInt8(ascii: ".") }
    let parts = stem.split { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    guard let last = parts.last, last.count == 2, last.count < stem.count,
      last.allSatisfy({ 0x41...0x5A ~= $0 })
    else { return nil }
    return String(Substring(last))
  }
}

/// A number in a name: a date, a vendor number or another one.
private struct NumberInName {
  /// The offset in the name of its first byte.
  let start: Int
  /// The offset after its last byte.
  let end: Int
  /// The offset after the characters between it and what follows.
  let endOfSeparators: Int
  let text: String
  /// The day, if it is a date; if the frequency is monthly or yearly, the last day of a month or a year.
  let day: Day?

  /// Whether it is as long as vendor numbers are.
  var isVendor: Bool { mayBeVendor && (8...9).contains(text.utf8.count) }

  /// Whether it may be a vendor number where a name should have one.
  var mayBeVendor: Bool { day == nil && text.utf8.count >= 6 && !looksLikeDate }

  /// Whether it has the form of a date, also of one that no report has, such as 30 February.
  private var looksLikeDate: Bool {
    guard text.utf8.count == 8, let number = Int(text) else { return false }
    return (1900...2099).contains(number / 10_000) && (1...12).contains(number / 100 % 100)
      && (1...31).contains(number % 100)
  }

  /// Returns the numbers in a name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - frequency: The frequency in it, for the last day of a month or a year.
  /// - Returns: The numbers in their order.
  static func all(in name: Substring, _ frequency: Frequency?) -> [NumberInName] {
    let bytes = Array(name.utf8)
    var found: [NumberInName] = []
    var start = 0
    while start < bytes.count {
      var end = endOfDigits(bytes, start)
      if end == start {
        start += 1
        continue
      }
      var day = day(bytes[start..<end], frequency)
      if let (last, separated) = separatedDay(bytes, start, end) { (end, day) = (last, separated) }
      let separators = bytes[end...].prefix { "_- .".utf8.contains($0) }
      found.append(
        NumberInName(
          start: start, end: end, endOfSeparators: separators.isEmpty ? -1 : separators.endIndex,
          text: String(decoding: bytes[start..<end], as: UTF8.self), day: day))
      start = end
    }
    return found
  }

  private static func endOfDigits(_ bytes: [UInt8], _ start: Int) -> Int {
    bytes[start...].prefix { 0x30...0x39 ~= $0 }.endIndex
  }

  /// Returns the day of digits alone: `20260218`, or a month or a year.
  private static func day(_ digits: ArraySlice<UInt8>, _ frequency: Frequency?) -> Day? {
    let text = Array(digits)
    if text.count == 8 {
      let dashed = text[..<4] + [0x2D] + text[4..<6] + [0x2D] + text[6...]
      return reportDay(Array(dashed).span, 0..<10)
    }
    let number = Int(String(decoding: text.prefix(4), as: UTF8.self))
    guard let year = number, (2008...2099).contains(year) else { return nil }
    switch (frequency, text.count) {
    case (.monthly, 6):
      guard let month = Int(String(decoding: text.suffix(2), as: UTF8.self)),
        (1...12).contains(month)
      else { return nil }
      return Month(year: year, month: month).lastDay
    case (.yearly, 4): return Month(year: year, month: 12).lastDay
    default: return nil
    }
  }

  /// Returns the day of a date such as `2026-02-18` that begins with four digits, and the offset after it.
  private static func separatedDay(_ bytes: [UInt8], _ start: Int, _ end: Int) -> (Int, Day)? {
    guard end == start + 4, start + 10 <= bytes.count, "-_.".utf8.contains(bytes[end]),
      bytes[end + 3] == bytes[end], endOfDigits(bytes, end + 1) == end + 3,
      endOfDigits(bytes, end + 4) == end + 6
    else { return nil }
    var dashed = Array(bytes[start..<start + 10])
    (dashed[4], dashed[7]) = (0x2D, 0x2D)
    return reportDay(dashed.span, 0..<10).map { (start + 10, $0) }
  }
}
