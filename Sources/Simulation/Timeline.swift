/// The simulated days, numbered from 0, which is 560 days before the first report.
///
/// The world begins before the first report so that some members already subscribe on its first day. The days with
/// reports are the *window*.
struct Timeline {
  /// The number of days simulated before the first report.
  static let historyDays = 560

  /// The number of the calendar day of day 0.
  let base: Int
  /// The first day with reports.
  let firstDay: Int
  /// The last day with reports.
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

  /// Returns whether a day is the last of its month.
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
