/// The simulated days, numbered from 0, which is 560 days before the first report.
///
/// The world begins before the first report so that some members already subscribe on its first day. The days with
/// reports are the *window*.
struct Timeline {
  /// The number of days simulated before the first report.
  static let historyDays = 560

  /// The number of the calendar day of day 0.
  let base: Int
  let firstDay: Int
  let lastDay: Int
  /// The number of calendar months that overlap the window.
  let monthCount: Int

  private let texts: [UInt8]
  private let months: [Int16]

  init(options: WorldOptions) {
    base = options.firstDayNumber - Self.historyDays
    firstDay = Self.historyDays
    lastDay = options.lastDayNumber - base
    var texts: [UInt8] = []
    var months: [Int16] = []
    let first = CalendarDay.parts(options.firstDayNumber)
    for day in 0...(lastDay + 1) {
      texts.append(contentsOf: CalendarDay.text(base + day).utf8)
      let parts = CalendarDay.parts(base + day)
      months.append(Int16((parts.year - first.year) * 12 + parts.month - first.month))
    }
    self.texts = texts
    self.months = months
    monthCount = Int(months[lastDay]) + 1
  }

  /// Returns the month of a day, counted from the window's first month; negative before it.
  func month(of day: Int) -> Int {
    Int(months[day])
  }

  func endsMonth(_ day: Int) -> Bool {
    months[day] != months[day + 1]
  }

  /// Returns a month as `2026-01`; `month` may be negative.
  func monthText(_ month: Int) -> String {
    let first = CalendarDay.parts(base + firstDay)
    let number = first.year * 12 + first.month - 1 + month
    return "\(number / 12)-\(number % 12 + 1, digits: 2)"
  }

  /// Returns the day a number of calendar months after a day: one month after 31 January is 28 February.
  ///
  /// With a billing day, it is that day of the month: one month after 28 February is 31 March, if it is 31.
  func end(ofMonths months: Int, from day: Int, billingDay: UInt8? = nil) -> Int {
    CalendarDay.adding(months: months, to: base + day, billingDay: billingDay.map(Int.init)) - base
  }

  /// Returns the day of the month, from 1; the day may be after the last.
  func dayOfMonth(_ day: Int) -> UInt8 { UInt8(CalendarDay.parts(base + day).day) }

  /// Returns the last day of a day's month; the day may be after the last.
  func lastOfMonth(_ day: Int) -> Int { end(ofMonths: 0, from: day, billingDay: 31) }

  /// Appends a day as `2026-01-31`.
  func append(_ day: Int, to text: inout ByteText) {
    text.append(texts[(day * 10)..<(day * 10 + 10)])
  }
}

/// A moment in milliseconds since 1970, as in receipts.
typealias Instant = Int

extension Timeline {
  /// Returns the moment some milliseconds after the beginning of a day, in UTC.
  func instant(_ day: Int, _ milliseconds: Int) -> Instant {
    (base + day) * Self.dayLength + milliseconds
  }

  /// Returns the month of a moment, counted from the window's first; negative before it.
  func month(at instant: Instant) -> Int {
    month(of: day(of: instant))
  }

  /// Returns the day of a moment, in UTC.
  func day(of instant: Instant) -> Int {
    instant / Self.dayLength - base
  }

  /// Returns the first moment of a month, counted from the window's first.
  func begin(ofMonth month: Int) -> Instant {
    let first = base + firstDay - CalendarDay.parts(base + firstDay).day + 1
    return CalendarDay.adding(months: month, to: first) * Self.dayLength
  }

  static let dayLength = 86_400_000
  /// The time of day by which all purchases are made; receipts are captured in the hour after it.
  static let closingTime = 23 * 3_600_000
}

/// Writes moments in the formats of receipts.
enum InstantText {
  /// Appends `2026-01-31 08:00:00`.
  static func append(_ instant: Instant, to text: inout ByteText) {
    let seconds = instant / 1_000
    let day = CalendarDay.parts(seconds / 86_400)
    text.append(number: day.year)
    append(separator: "-", day.month, to: &text)
    append(separator: "-", day.day, to: &text)
    append(separator: " ", seconds / 3_600 % 24, to: &text)
    append(separator: ":", seconds / 60 % 60, to: &text)
    append(separator: ":", seconds % 60, to: &text)
  }

  private static func append(separator: String, _ number: Int, to text: inout ByteText) {
    text.append(separator)
    if number < 10 { text.append("0") }
    text.append(number: number)
  }

  /// Returns the moment shifted to Los Angeles time.
  ///
  /// Summer time lasts from the second Sunday of March, 10:00 UTC, to the first Sunday of November,
  /// 9:00 UTC.
  static func pacific(_ instant: Instant) -> Instant {
    let year = CalendarDay.parts(instant / Timeline.dayLength).year
    let begins = sunday(onOrAfter: CalendarDay.number(year: year, month: 3, day: 8))
    let ends = sunday(onOrAfter: CalendarDay.number(year: year, month: 11, day: 1))
    let isSummer =
      begins * Timeline.dayLength + 36_000_000 <= instant
      && instant < ends * Timeline.dayLength + 32_400_000
    return instant - (isSummer ? 7 : 8) * 3_600_000
  }

  private static func sunday(onOrAfter day: Int) -> Int {
    // Day 0, 1970-01-01, was a Thursday.
    day + (10 - day % 7) % 7
  }
}
