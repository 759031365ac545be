package import AppStoreReports
package import Scanning
package import SubscriptionModel

/// Decides which SALES reports of days, weeks and months count in `proceeds`: METRICS.md section 5, "Frequencies of SALES".
package struct SalesFrequencies {
  /// A SALES report.
  package struct Report {
    /// The vendor; blank when unknown.
    package var vendor: String
    package var frequency: Frequency
    package var days: ClosedRange<Day>
    /// Whether it has a header and no rows.
    package var isEmpty: Bool

    package init(
      vendor: String, _ frequency: Frequency, _ days: ClosedRange<Day>, isEmpty: Bool = false
    ) {
      self.isEmpty = isEmpty
      self.vendor = vendor
      self.frequency = frequency
      self.days = days
    }
  }

  /// What becomes of a report.
  package enum Decision: Equatable, Sendable {
    /// It counts in `proceeds`.
    case counts
    /// It is a daily report whose day counts in a weekly or monthly one.
    case countsIn(Frequency)
    case ignored(IgnoredReason)
  }

  /// Returns the decision on each report, in their order.
  package static func decisions(_ reports: [Report], _ months: MonthSystem) -> [Decision] {
    var decisions = [Decision](repeating: .counts, count: reports.count)
    for own in Dictionary(grouping: reports.indices, by: { reports[$0].vendor }).values {
      var vendor = OfVendor(reports, own, months)
      for (index, decision) in vendor.decisions() { decisions[index] = decision }
    }
    return decisions
  }

  /// The reports of one vendor.
  private struct OfVendor {
    private let reports: [Report]
    private let own: [Int]
    private let months: MonthSystem
    private var decided: [Int: Decision] = [:]

    init(_ reports: [Report], _ own: [Int], _ months: MonthSystem) {
      self.reports = reports
      self.own = own
      self.months = months
    }

    mutating func decisions() -> [Int: Decision] {
      for index in of(.yearly) { decided[index] = .ignored(.yearly) }
      let daily = days(of: of(.daily))
      let (within, shared) = (
        of(.weekly).filter(isInOneMonth), of(.weekly).filter { !isInOneMonth($0) }
      )
      let soldDays = days(of: of(.daily).filter { !reports[$0].isEmpty })
      for index in of(.weekly) where reports[index].isEmpty && isTouched(index, by: soldDays) {
        decided[index] = .ignored(.emptyBesideShorter)
      }
      for index in within where decided[index] == nil && isCovered(index, by: daily) {
        decided[index] = .ignored(.inDailyReports)
      }
      let weeks = within.filter { decided[$0] == nil }
      let shorter = daily.union(days(of: weeks))
      let soldInShorter = soldDays.union(days(of: weeks.filter { !reports[$0].isEmpty }))
      for index in of(.monthly) {
        if months == .fiscal {
          decided[index] = .ignored(.noFiscalPeriod)
        } else if isCovered(index, by: shorter) {
          decided[index] = .ignored(.inShorterReports)
        } else if reports[index].isEmpty, isTouched(index, by: soldInShorter) {
          // Apple's shorter reports say that there were sales.
          decided[index] = .ignored(.emptyBesideShorter)
        }
      }
      let inMonths = days(of: of(.monthly).filter { decided[$0] == nil })
      for index in weeks where isTouched(index, by: inMonths) {
        decided[index] = .ignored(.inOtherReports)
      }
      let inWeeks = days(of: weeks.filter { decided[$0] == nil })
      for index in shared
      where decided[index] == nil && isTouched(index, by: daily.union(inMonths).union(inWeeks)) {
        decided[index] = .ignored(.inOtherReports)
      }
      for index in of(.daily) {
        let day = reports[index].days.lowerBound
        if inMonths.contains(day) {
          decided[index] = .countsIn(.monthly)
        } else if inWeeks.contains(day) {
          decided[index] = .countsIn(.weekly)
        }
      }
      return decided
    }

    private func of(_ frequency: Frequency) -> [Int] {
      own.filter { reports[$0].frequency == frequency }
    }

    private func isInOneMonth(_ index: Int) -> Bool {
      let days = reports[index].days
      return months.month(of: days.lowerBound) == months.month(of: days.upperBound)
    }

    private func days(of indices: [Int]) -> Set<Day> {
      Set(indices.flatMap { Self.list(reports[$0].days) })
    }

    private func isCovered(_ index: Int, by days: Set<Day>) -> Bool {
      Self.list(reports[index].days).allSatisfy(days.contains)
    }

    private func isTouched(_ index: Int, by days: Set<Day>) -> Bool {
      Self.list(reports[index].days).contains(where: days.contains)
    }

    private static func list(_ days: ClosedRange<Day>) -> [Day] {
      (days.lowerBound.number...days.upperBound.number).map(Day.init(number:))
    }
  }
}

extension ReportResolution {
  /// Decides which SALES reports count in `proceeds`, where some are of weeks, months or years.
  ///
  /// With as-of, reports count by their last day: later ones of weeks and months are ignored, and no later one has the
  /// days of another.
  func decideFrequencies(_ files: inout [RecognizedFile]) {
    for index in files.indices { files[index].longerReport = nil }
    let isSales = { (file: RecognizedFile) in file.kind == .sales && file.isToBeUsed }
    guard files.contains(where: { isSales($0) && $0.frequency != .daily }) else { return }
    var owners = VendorDays.owners(files.map(\.vendor), files.map(\.replacement))
    let vendors = Set(files.indices.filter { isSales(files[$0]) }.map { owners[$0] })
      .subtracting([""])
    if let only = vendors.first, vendors.count == 1 { owners = owners.map { _ in only } }
    var (indices, reports): ([Int], [SalesFrequencies.Report]) = ([], [])
    for (index, file) in files.enumerated() {
      // A copy of another vendor's file, such as one without rows, still is a report of its own vendor.
      let isOthersCopy =
        file.kind == .sales && file.role.isOfDuplicate
        && file.replacement.map { owners[$0] != owners[index] } == true
      guard isSales(file) || isOthersCopy, !file.lacksReadableDates, let frequency = file.frequency,
        let days = file.salesDays
      else { continue }
      if let asOf = plan.asOf, days.upperBound > asOf {
        if frequency != .daily { files[index].role = .ignore(.afterAsOf) }
        continue
      }
      indices.append(index)
      reports.append(
        SalesFrequencies.Report(vendor: owners[index], frequency, days, isEmpty: file.isEmptySales))
    }
    let decisions = SalesFrequencies.decisions(reports, plan.monthSystem)
    for (index, decision) in zip(indices, decisions) {
      switch decision {
      case .countsIn(let frequency) where isSales(files[index]):
        files[index].longerReport = frequency
      case .ignored(let reason) where isSales(files[index]): files[index].role = .ignore(reason)
      default: break
      }
    }
  }
}
