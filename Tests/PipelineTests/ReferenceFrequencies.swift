import AppStoreReports
import SubscriptionModel

/// Which SALES reports count in `proceeds`, rule by rule and day by day: METRICS.md section 5, "Frequencies of SALES".
struct ReferenceFrequencies {
  /// A report with its units.
  struct Report: Sendable {
    var vendor: String
    var frequency: Frequency
    var days: [Day]
    var units: Int

    init(vendor: String, _ frequency: Frequency, _ days: ClosedRange<Day>, units: Int) {
      self.vendor = vendor
      self.frequency = frequency
      self.days = (days.lowerBound.number...days.upperBound.number).map(Day.init(number:))
      self.units = units
    }
  }

  private let reports: [Report]
  private let months: MonthSystem

  init(_ reports: [Report], _ months: MonthSystem) {
    self.reports = reports
    self.months = months
  }

  /// The note of a report: why it is ignored, or that it is not in proceeds; blank for one that counts.
  func note(_ report: Report) -> String {
    switch report.frequency {
    case .yearly: return "a year has no month"
    case .weekly where isOfOneMonth(report):
      if report.days.allSatisfy({ hasDaily($0, report.vendor) }) {
        return "the daily reports have its days"
      }
      return report.days.contains { isInMonth($0, report.vendor) }
        ? "other reports have its days" : ""
    case .monthly where months == .fiscal: return "a month has no fiscal period"
    case .monthly: return replacesMonth(report) ? "the shorter reports have its days" : ""
    case .weekly:
      let isElsewhere = report.days.contains { day in
        hasDaily(day, report.vendor) || isInMonth(day, report.vendor)
      }
      return isElsewhere ? "other reports have its days" : ""
    case .daily:
      if isInMonth(report.days[0], report.vendor) { return "not in proceeds: in a monthly report" }
      let isInWeek = reports.contains { week in
        week.vendor == report.vendor && week.frequency == .weekly
          && week.days.contains(report.days[0]) && note(week) == ""
      }
      return isInWeek ? "not in proceeds: in a weekly report" : ""
    }
  }

  /// The state of a vendor's day: `present`, `covered` or `missing`.
  func state(_ day: Day, _ vendor: String) -> String {
    if hasDaily(day, vendor) { return "present" }
    let isCovered = reports.contains {
      $0.vendor == vendor && $0.frequency != .daily && $0.days.contains(day) && note($0) == ""
    }
    return isCovered ? "covered" : "missing"
  }

  private func hasDaily(_ day: Day, _ vendor: String) -> Bool {
    reports.contains { $0.vendor == vendor && $0.frequency == .daily && $0.days == [day] }
  }

  private func isOfOneMonth(_ report: Report) -> Bool {
    report.days.allSatisfy { months.month(of: $0) == months.month(of: report.days[0]) }
  }

  /// Whether a day is in a monthly report that counts.
  private func isInMonth(_ day: Day, _ vendor: String) -> Bool {
    reports.contains {
      $0.vendor == vendor && $0.frequency == .monthly && $0.days.contains(day) && note($0) == ""
    }
  }

  /// Whether each day of a month has a daily report, or is in a week of one month that has a day without one.
  private func replacesMonth(_ month: Report) -> Bool {
    month.days.allSatisfy { day in
      hasDaily(day, month.vendor)
        || reports.contains { week in
          week.vendor == month.vendor && week.frequency == .weekly && week.days.contains(day)
            && isOfOneMonth(week) && !week.days.allSatisfy { hasDaily($0, week.vendor) }
        }
    }
  }
}
