/// A calendar day of a report, without time of day or time zone.
@usableFromInline
package struct Day: NumberedTime, BitwiseCopyable {
  /// Days since 1970-01-01; negative before it.
  @usableFromInline
  package let number: Int32

  /// Creates a day from its number.
  @inlinable package init(number: Int32) { self.number = number }

  /// A day before all others.
  package static let first = Day(number: .min)

  /// A day after all others.
  package static let last = Day(number: .max)

  /// Creates a day from a calendar date, or returns `nil` if there is no such date.
  ///
  /// - Parameters:
  ///   - year: The year, such as 2026.
  ///   - month: The month, 1 to 12.
  ///   - day: The day of the month, from 1.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    let month = Month(year: year, month: month)
    guard day <= 28 || day <= month.dayCount else { return nil }
    self = month.firstDay + (day - 1)
  }

  /// Creates a day from text such as `2026-10-01`; `nil` if the text is not a day.
  ///
  /// - Parameter text: The text as users type it.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The month that holds the day.
  package var month: Month {
    let (year, month, _) = civil
    return Month(year: year, month: month)
  }

  /// The day of the month, from 1.
  package var dayOfMonth: Int { civil.day }

  /// The day of the week, 0 for Monday to 6 for Sunday.
  package var weekday: Int {
    let shifted = (Int(number) + 3) % 7  // 1970-01-01 was a Thursday.
    return shifted < 0 ? shifted + 7 : shifted
  }

  /// Year, month and day in the proleptic Gregorian calendar, for days from the year 0 on.
  ///
  /// Computed for the month of every fact, so it divides only by constants. Method: C. Neri, L.
  /// Schneider, "Euclidean affine functions and their application to calendar algorithms" (2022).
  package var civil: (year: Int, month: Int, day: Int) {
    // Days since 1 March of the year 0, so that a leap day is the last day of its year.
    let days = UInt64(UInt32(bitPattern: number &+ 719_468))
    let inCenturies = 4 &* days &+ 3
    let century = inCenturies / 146_097
    let dayOfCentury = inCenturies % 146_097 / 4
    let inYears = 2_939_745 &* (4 &* dayOfCentury &+ 3)
    let yearOfCentury = inYears >> 32
    let dayOfYear = (inYears & 0xFFFF_FFFF) / 2_939_745 / 4
    let inMonths = 2_141 &* dayOfYear &+ 197_913
    let isInNextYear = dayOfYear >= 306
    let year = 100 &* century &+ yearOfCentury &+ (isInNextYear ? 1 : 0)
    let month = (inMonths >> 16) &- (isInNextYear ? 12 : 0)
    return (Int(year), Int(month), Int((inMonths & 0xFFFF) / 2_141) &+ 1)
  }
}

extension Day: CustomStringConvertible {
  /// The day as `2026-10-01`.
  @usableFromInline
  package var description: String {
    let (year, month, day) = civil
    return dateText(year, month, day)
  }
}

/// Returns a day such as `2026-10-01`, or a month such as `2026-10`.
///
/// A string of up to 15 bytes holds them itself, so nothing is allocated: lists have a million dates.
///
/// - Parameters:
///   - year: The year, with at least four digits.
///   - month: The month, from 1.
///   - day: The day of the month; `nil` for a month.
/// - Returns: The text.
func dateText(_ year: Int, _ month: Int, _ day: Int? = nil) -> String {
  guard (0...9_999).contains(year) else {
    let end = day.map { "-\(padded($0, to: 2))" } ?? ""
    return "\(year)-\(padded(month, to: 2))\(end)"
  }
  // Safe: the bytes before `length` are written, and all are ASCII.
  return unsafe String(unsafeUninitializedCapacity: 10) { bytes in
    var length = 0
    func append(_ number: Int) {
      unsafe bytes[length] = UInt8(truncatingIfNeeded: 0x30 + number / 10)
      unsafe bytes[length + 1] = UInt8(truncatingIfNeeded: 0x30 + number % 10)
      length += 2
    }
    func appendDash() {
      unsafe bytes[length] = UInt8(ascii: "-")
      length += 1
    }
    append(year / 100)
    append(year % 100)
    appendDash()
    append(month)
    guard let day else { return length }
    appendDash()
    append(day)
    return length
  }
}

/// Returns a number with leading zeros.
func padded(_ number: Int, to width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
