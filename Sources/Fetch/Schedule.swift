package import SubscriptionModel

/// Which reports are due: FETCH.md, *When*.
///
/// All days are those of Pacific Time.
package enum Schedule {
  /// The reason of a request, as the index has it.
  package enum Reason: String, Sendable {
    case first, pending, missing, refused, age2, age7, age14, reask, now
    // Requests that an answer brings about.
    case retry, version, token, accept, nextPage, probe
  }

  /// The ages at which an answered day is requested again, because Apple revises fresh days.
  private static let revisions: [(age: Int, reason: Reason)] = [
    (14, .age14), (7, .age7), (2, .age2),
  ]
  /// The ages at which a day is to be had, in days.
  package static let lastAge = 365
  /// The age from which a day that Apple has not made is late.
  package static let lateAge = 3
  /// The hour of the next day at which a report is due.
  private static let dueHour = 5
  /// The shortest time between two requests for a report in different runs, in milliseconds.
  private static let pause: Int64 = 30 * 60_000
  private static let dayLength: Int64 = 86_400_000

  package static func newestDue(_ now: Instant, isForced: Bool = false) -> Day {
    let clock = now.pacificClock
    return clock.day - (clock.hour >= dueHour || isForced ? 1 : 2)
  }

  /// Returns why a day is to be asked for; `nil` if it is not.
  ///
  /// With `--now` also before it is due, or twice within half an hour.
  package static func reason(
    _ day: Day, _ record: FetchRecord?, _ now: Instant, isForced: Bool = false
  ) -> Reason? {
    let age = now.pacificClock.day - day
    guard day <= newestDue(now, isForced: isForced), age <= lastAge else { return nil }
    guard let record else { return .first }
    guard record.state != .gone, isForced || hasPaused(record, now) else { return nil }
    switch record.state {
    case .pending: return .pending
    case .missing: return .missing
    case .refused: return .refused
    case .present, .none, .gone:
      let revision = revisions.first { $0.age <= age && $0.age > record.answeredAge }
      return revision?.reason ?? (isForced && day == newestDue(now, isForced: true) ? .now : nil)
    }
  }

  private static func hasPaused(_ record: FetchRecord, _ now: Instant) -> Bool {
    1_000 * Int64(now.seconds) - record.asked >= pause
  }

  /// The first day on which the reports of a fiscal period are due: the first Friday after its end.
  package static func firstDue(_ period: FiscalPeriod) -> Day { period.lastDay + 6 }

  /// The days after a period's end with daily requests, then with weekly ones.
  package static let dailyDays = 30
  package static let weeklyDays = 60

  /// Returns why a fiscal period is to be asked for; `nil` if it is not.
  package static func reason(
    _ period: FiscalPeriod, _ record: FetchRecord?, _ now: Instant, isForced: Bool = false
  ) -> Reason? {
    let today = now.pacificClock.day
    guard firstDue(period) <= today || isForced && period.lastDay < today else { return nil }
    guard let record else { return .first }
    guard isForced || hasPaused(record, now) else { return nil }
    switch record.state {
    case .present, .none, .gone: return nil
    case .missing: return .missing
    case .refused: return .refused
    case .pending:
      let last = Instant(seconds: UInt32(clamping: record.asked / 1_000)).pacificClock.day
      let interval = today - period.lastDay <= dailyDays ? 1 : 7
      return isForced || today - last >= interval ? .pending : nil
    }
  }

  /// The fiscal periods in a row without a file after which the first run stops.
  static let emptyPeriods = 13
  /// The first period with settlements of the App Store.
  static let firstPeriod = FiscalPeriod(fiscalYear: 2008, period: 11)

  /// Returns the windows of the notification history: UTC days from 179 days ago to the last that ended an hour ago.
  package static func windows(_ now: Instant) -> ClosedRange<Day> {
    now.day - 179...(now + -3_600).day - 1
  }

  /// Returns the last day on which a pending day may still come in time.
  package static func until(_ slot: FetchSlot) -> Day {
    switch slot {
    case .day(let day): day + lateAge
    case .period(let period): period.lastDay + weeklyDays
    }
  }
}
