import Scanning
import SubscriptionModel

/// An instant that may occur under several keys of an object, in any order (METRICS.md 3.6).
///
/// `X_ms` takes precedence over `X` (a text or a number), and `X` over `X_formatted`. A value that is not an
/// instant from 2008 to 2099 is missing. The `_pst` keys are never read: one hour a year is ambiguous.
struct StatedInstant {
  /// The format of the value, by its key; a later case takes precedence over an earlier one.
  enum Format: UInt8 {
    case formatted = 1
    /// `expirationDate` of in-app libraries.
    case ofLibrary
    case camelCase
    case plain
    case camelCaseMilliseconds
    case milliseconds
  }

  /// Seconds since 1970; 0 without an instant.
  private(set) var seconds: UInt32 = 0
  private var format: UInt8 = 0
  private var others: Others = []

  /// The kinds of values that are no instant.
  private struct Others: OptionSet {
    let rawValue: UInt8

    /// Neither missing, nor a number, nor a date and time.
    static let unreadable = Others(rawValue: 1)
    /// A number or a date and time, though outside 2008 to 2099 or without a zone.
    static let other = Others(rawValue: 2)
    /// A date and time without a zone, or a date or a number of another time; 1970 stands for none.
    static let unplaced = Others(rawValue: 4)
    /// A date and time that would be an instant if it had a zone.
    static let withoutZone = Others(rawValue: 8)
  }

  /// The instant, if any.
  var value: Instant? { seconds == 0 ? nil : Instant(seconds: seconds) }

  /// Whether a value is there that is in none of its forms a number or a date and time: METRICS.md 3.16.
  var isUnreadable: Bool { others == .unreadable && seconds == 0 }

  /// Whether a date has no zone, and so is missing.
  var isWithoutZone: Bool { seconds == 0 && others.contains(.withoutZone) }

  /// Whether the only values are dates without a zone or outside 2008 to 2099, which are missing: METRICS.md 3.6.
  var isUnplaced: Bool { seconds == 0 && others.contains(.unplaced) }

  /// Adds the value of a key.
  mutating func add(_ value: JSONScalar, _ text: Span<UInt8>, _ format: Format) {
    guard format.rawValue > self.format else { return }
    switch value.kind {
    case .string, .number: add(text, trimmed(text, value.range), format)
    case .null: break
    case .true, .false, .object, .array: others.insert(.unreadable)
    }
  }

  /// Adds a text without blanks around it.
  mutating func add(_ text: Span<UInt8>, _ range: Range<Int>, _ format: Format) {
    guard format.rawValue > self.format else { return }
    guard let instant = Self.instant(text, range, format) else { return addOther(text, range) }
    seconds = instant.seconds
    self.format = format.rawValue
  }

  /// Adds a cell of a table, in which a text without a zone is UTC; it overrides any other.
  mutating func add(cell text: Span<UInt8>, _ range: Range<Int>) {
    let instant =
      DateText.instant(text, range, isUTCWithoutZone: true) ?? Self.number(text, range)
    guard let instant else { return addOther(text, range) }
    seconds = instant.seconds
    format = Format.milliseconds.rawValue
  }

  private mutating func addOther(_ text: Span<UInt8>, _ range: Range<Int>) {
    if ScalarText.isMissing(text, range) { return }
    if Self.isShortened(text, range) {
      others.insert(.unreadable)
    } else if ScalarText.isNumber(text, range) {
      let isPositive = ScalarText.flooredNumber(text, range).map { $0 > 0 } ?? false
      others.formUnion(isPositive ? [.other, .unplaced] : .other)
    } else if DateText.isDateAndTime(text, range) {
      let is1970 = ScalarText.isWord("1970", text, range.prefix(4))
      others.formUnion(is1970 ? .other : [.other, .unplaced])
      if DateText.instant(text, range, isUTCWithoutZone: true) != nil {
        others.insert(.withoutZone)
      }
    } else {
      others.insert(.unreadable)
    }
  }

  private static func instant(
    _ text: Span<UInt8>, _ range: Range<Int>, _ format: Format
  ) -> Instant? {
    switch format {
    case .milliseconds, .camelCaseMilliseconds: number(text, range)
    case .plain, .camelCase, .ofLibrary: DateText.instant(text, range) ?? number(text, range)
    case .formatted: DateText.instant(text, range)
    }
  }

  /// Returns the instant of a number of milliseconds.
  ///
  /// All milliseconds of 2008 to 2099 have 13 digits, so a number of seconds gives nil.
  private static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Instant? {
    if isShortened(text, range) { return nil }
    return ScalarText.flooredNumber(text, range).flatMap { Instant(milliseconds: $0) }
  }

  /// Returns whether a spreadsheet has cut the seconds off a number: `1.74082E+12` may be any of 10,000 seconds.
  private static func isShortened(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    // Scientific notation has one digit before the point; most dates are whole numbers.
    if range.count < 3 || text[range.lowerBound + 1] &- 0x30 <= 9 { return false }
    let exponent = range.first { text[$0] | 0x20 == UInt8(ascii: "e") } ?? range.upperBound
    let mantissa = range.lowerBound..<exponent
    return exponent < range.upperBound && mantissa.count { text[$0] &- 0x30 <= 9 } < 10
      && ScalarText.isNumber(text, range)
  }
}

/// Reads dates that are text, in receipts and in exports made from them.
enum DateText {
  /// Returns whether a cell that has a date where something happened has none: it is blank in any of the usual ways, 0, or
  /// before 2008, such as `1970-01-01 00:00:00` (METRICS.md 3.6).
  static func isMissing(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    if ScalarText.isMissingID(text, range) { return true }
    if range.allSatisfy({ text[$0] == UInt8(ascii: "0") }) { return true }
    guard let day = range.count >= 10 ? day(text, range.lowerBound) : nil else { return false }
    return day < Month(year: 2008, month: 1).firstDay
  }

  /// Returns the instant of a date and time with a time zone.
  ///
  /// The formats are `2018-05-17 08:00:00 Etc/GMT` (verifyReceipt), `2020-07-14T19:36:40Z` (raw
  /// receipts), `2020-07-22T18:33:14+0100` (Xcode) and any other RFC 3339 text. Fractions of
  /// seconds are dropped.
  ///
  /// - Parameters:
  ///   - text: The bytes that hold the text.
  ///   - range: Where it is, without blanks around it.
  ///   - isUTCWithoutZone: Whether a text without a zone is UTC; if false, such a text gives nil.
  /// - Returns: The instant; nil if the text is not a date, or outside 2008-01-01 to 2100-01-01.
  static func instant(
    _ text: Span<UInt8>, _ range: Range<Int>, isUTCWithoutZone: Bool = false
  ) -> Instant? {
    guard range.count >= 19, let day = day(text, range.lowerBound),
      let second = secondOfDay(text, range.lowerBound + 10)
    else { return nil }
    var offset = range.lowerBound + 19
    if offset < range.upperBound, text[offset] == UInt8(ascii: ".") {
      offset += 1
      while offset < range.upperBound, isDigit(text[offset]) { offset += 1 }
    }
    let zone = offset..<range.upperBound
    guard let ahead = zone.isEmpty && isUTCWithoutZone ? 0 : secondsAhead(text, zone) else {
      return nil
    }
    return Instant(milliseconds: Int64(Int(day.number) * 86_400 + second - ahead) * 1_000)
  }

  /// Returns whether a text begins with a date and a time, whatever follows.
  static func isDateAndTime(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    range.count >= 19 && day(text, range.lowerBound) != nil
      && secondOfDay(text, range.lowerBound + 10) != nil
  }

  private static func day(_ text: Span<UInt8>, _ start: Int) -> Day? {
    guard text[start + 4] == UInt8(ascii: "-"), text[start + 7] == UInt8(ascii: "-"),
      let century = twoDigits(text, start), let yearOfCentury = twoDigits(text, start + 2),
      let month = twoDigits(text, start + 5), let day = twoDigits(text, start + 8)
    else { return nil }
    return Day(year: century * 100 + yearOfCentury, month: month, day: day)
  }

  /// Reads `T08:00:00` or ` 08:00:00`.
  private static func secondOfDay(_ text: Span<UInt8>, _ start: Int) -> Int? {
    let separator = text[start]
    guard separator == UInt8(ascii: " ") || separator | 0x20 == UInt8(ascii: "t"),
      text[start + 3] == UInt8(ascii: ":"), text[start + 6] == UInt8(ascii: ":"),
      let hour = twoDigits(text, start + 1), hour < 24,
      let minute = twoDigits(text, start + 4), minute < 60,
      let second = twoDigits(text, start + 7), second < 60
    else { return nil }
    return hour * 3_600 + minute * 60 + second
  }

  /// Returns the offset of a zone from UTC in seconds, such as 3,600 for `+0100`.
  private static func secondsAhead(_ text: Span<UInt8>, _ zone: Range<Int>) -> Int? {
    let zone = trimmed(text, zone)
    guard let first = zone.first else { return nil }
    let sign = text[first]
    if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      // PostgreSQL writes `+00` for `+00:00`.
      let hasColon = zone.count == 6 && text[first + 3] == UInt8(ascii: ":")
      let hasMinutes = hasColon || zone.count == 5
      guard hasMinutes || zone.count == 3, let hours = twoDigits(text, first + 1),
        let minutes = hasMinutes ? twoDigits(text, first + (hasColon ? 4 : 3)) : 0,
        hours < 24, minutes < 60
      else { return nil }
      return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }
    let isUTC =
      ScalarText.isWord("Etc/GMT", text, zone) || ScalarText.isWord("Z", text, zone)
      || ScalarText.isWord("GMT", text, zone) || ScalarText.isWord("UTC", text, zone)
    return isUTC ? 0 : nil
  }

  private static func twoDigits(_ text: Span<UInt8>, _ start: Int) -> Int? {
    guard isDigit(text[start]), isDigit(text[start + 1]) else { return nil }
    return Int(text[start] - 0x30) * 10 + Int(text[start + 1] - 0x30)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }
}
