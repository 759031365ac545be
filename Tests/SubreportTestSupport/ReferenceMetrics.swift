package import SubscriptionModel
package import Tables

/// The obvious version of METRICS.md section 5 for source `subscribers`, to compare with: every row
/// asks its questions of every charge again.
///
/// Products and apps must print as their ids.
package struct ReferenceMetrics {
  /// A charge, and all that a table may ask about it.
  struct Charge {
    let period: ReferencePeriod
    let terms: ChargeTerms
    let chain: Chain
    /// The values of the view's dimensions.
    let cohort: [String]
    /// The same for `retention`: METRICS.md 10.1 takes plan and contingent from the first paid charge.
    let retentionCohort: [String]
    /// The charges of the same chain.
    let indexInChain: Int
    let chainCharges: Range<Int>
    /// The number of its subscriber.
    let subscriber: Int
    let startMonth: Month
    let endMonth: Month
    let nextMonth: Month?

    var isPaid: Bool { terms.price.milliunits > 0 }
    var isFirst: Bool { indexInChain == 0 }
    var isInstalment: Bool { terms.plan == .commitment && isPaid }
    /// METRICS.md 10.2: days for which Apple retries billing.
    var retryDays: Int { isInstalment ? 90 : 60 }
    /// METRICS.md 10.2: an instalment's standard duration is 1 Month.
    var standardTerm: Term { isInstalment ? Term(months: 1) : terms.standardTerm }
    var isLapse: Bool {
      switch period.fate {
      case .recovered, .reactivated, .openFinal, .openProvisional: true
      case .continued, .running: false
      }
    }
    var isChurn: Bool { isLapse && period.fate != .recovered }

    /// Whether the charge counts as an active subscription at the end of a day.
    func isActive(on day: Day) -> Bool {
      guard isPaid, period.start <= day else { return false }
      if period.ending == .transferred { return day < period.end }
      switch period.fate {
      case .running: return true
      case .continued: return period.nextStart.map { day < $0 } ?? true
      default: return day < period.end
      }
    }
  }

  struct RefundRow {
    let refund: ReferenceRefund
    let terms: ChargeTerms
    let cohort: [String]
    let month: Month
    let saleMonth: Month?
    /// The place of the refunded charge among all charges; `nil` outside the input.
    var place: Int?
  }

  let firstFileDay: Day
  let asOf: Day
  let missingDays: Set<Day>
  let transfers: [AppTransfer]
  let symbols: [String]
  let dimensions: [Dimension]
  /// Every charge of every chain, chain after chain.
  private(set) var charges: [Charge] = []
  private(set) var refunds: [RefundRow] = []
  private var partialMonths: Set<Month> = []
  /// The months with a day that has a file.
  private let monthsWithFiles: Set<Month>
  private let hasStopped: Bool
  let monthSystem: MonthSystem

  /// Prepares one view.
  ///
  /// - Parameters:
  ///   - world: The subscribers.
  ///   - histories: Their histories.
  ///   - missingDays: Days without a file.
  ///   - dimensions: The view's dimensions.
  package init(
    _ world: WorldBuilder, _ histories: [ReferenceChains], missingDays: Set<Day>,
    dimensions: [Dimension]
  ) {
    monthSystem = world.monthSystem
    firstFileDay = world.firstFileDay
    asOf = world.asOf
    self.missingDays = missingDays
    hasStopped = world.hasStopped
    let days = (0...(world.asOf - world.firstFileDay)).map { world.firstFileDay + $0 }
    monthsWithFiles = Set(
      days.filter { !missingDays.contains($0) }.map(world.monthSystem.month(of:)))
    transfers = world.transfers.all
    self.dimensions = dimensions
    symbols = world.symbols
    for (subscriber, history) in histories.enumerated() { add(history, subscriber, world.terms) }
    partialMonths = Set(months.filter { isPartial($0) })
  }

  private mutating func add(
    _ history: ReferenceChains, _ subscriber: Int, _ terms: [ChargeTerms]
  ) {
    var starts: [Int] = []
    for chain in history.chains {
      starts.append(charges.count)
      let range = charges.count..<charges.count + chain.periods.count
      let first = history.periods[chain.periods.lowerBound]
      let firstPaid = history.periods[chain.periods].first {
        terms[Int($0.terms)].price.milliunits > 0
      }
      for (position, index) in chain.periods.enumerated() {
        let period = history.periods[index]
        let cohort = self.cohort(terms[Int(period.terms)], chain, first, terms)
        charges.append(
          Charge(
            period: period, terms: terms[Int(period.terms)], chain: chain, cohort: cohort,
            retentionCohort: self.cohort(
              terms[Int(period.terms)], chain, first, terms, firstPaid: firstPaid),
            indexInChain: position, chainCharges: range, subscriber: subscriber,
            startMonth: monthSystem.month(of: period.start),
            endMonth: monthSystem.month(of: period.end),
            nextMonth: period.nextStart.map(monthSystem.month)))
      }
    }
    for refund in history.refunds {
      let ownTerms = terms[Int(refund.terms)]
      guard let index = refund.period, let chain = refund.chain else {
        let cohort = cohort(ownTerms, Chain(start: .before, periods: 0..<0), nil, terms)
        refunds.append(
          RefundRow(
            refund: refund, terms: ownTerms, cohort: cohort,
            month: monthSystem.month(of: refund.day), saleMonth: nil))
        continue
      }
      let sale = history.periods[index]
      let start = history.chains[chain]
      let first = history.periods[start.periods.lowerBound]
      let cohort = cohort(terms[Int(sale.terms)], start, first, terms)
      refunds.append(
        RefundRow(
          refund: refund, terms: ownTerms, cohort: cohort,
          month: monthSystem.month(of: refund.day), saleMonth: monthSystem.month(of: sale.start),
          place: starts[chain] + index - start.periods.lowerBound))
    }
  }

  private func cohort(
    _ terms: ChargeTerms, _ chain: Chain, _ first: ReferencePeriod?, _ all: [ChargeTerms],
    firstPaid: ReferencePeriod? = nil
  ) -> [String] {
    dimensions.map { dimension in
      switch dimension {
      case .startMonth:
        switch chain.start {
        case .known: first.map { $0.start.month.description } ?? ""
        case .before: "before \((chain.receivedOn ?? firstFileDay).month)"
        case .idReset: "id reset"
        }
      case .offer:
        chain.start == .known ? first.map { "\(all[Int($0.terms)].kind)" } ?? "" : "unknown"
      case .plan, .contingent:
        (firstPaid.map { all[Int($0.terms)] } ?? terms).attributes.value(of: dimension)
          .map { symbols[Int($0)] } ?? ""
      default: terms.attributes.value(of: dimension).map { symbols[Int($0)] } ?? ""
      }
    }
  }

  // MARK: What the tables share

  /// A month as the `month` column has it.
  func written(_ month: Month) -> String {
    monthSystem == .calendar
      ? month.description
      : month.description.split(separator: "-").enumerated().map { ["FY", "P"][$0] + $1 }
        .joined(separator: "-")
  }

  var cohorts: Set<[String]> {
    Set(charges.map(\.cohort)).union(refunds.map(\.cohort))
  }

  /// Every month with a charge, an end or a refund, and those between.
  var months: [Month] {
    let days =
      charges.flatMap { [$0.period.start, $0.period.end] } + refunds.map(\.refund.day)
      + [firstFileDay, asOf]
    let numbers = days.map { monthSystem.month(of: $0).number }
    return ((numbers.min() ?? 0)...(numbers.max() ?? 0)).map { Month(number: $0) }
  }

  /// The months that tables of periods have rows for.
  var monthsToAsOf: [Month] { months.filter { $0 <= monthSystem.month(of: asOf) } }

  enum State: String {
    case partial, provisional, final
  }

  /// Whether a day of the month is not in the data, or a lapse that ended in it may be none.
  private func isPartial(_ month: Month) -> Bool {
    let firstDay = monthSystem.firstDay(of: month)
    let days = (0...(monthSystem.lastDay(of: month) - firstDay)).map { firstDay + $0 }
    let isIncomplete = days.contains {
      $0 <= asOf && ($0 < firstFileDay || missingDays.contains($0))
    }
    let isDoubtful = charges.contains { charge in
      charge.endMonth == month && charge.isLapse
        && missingDays.contains { abs($0 - charge.period.end) <= 2 }
    }
    let isStopped = hasStopped && month == monthSystem.month(of: asOf)
    return isIncomplete || isDoubtful || isStopped || !monthsWithFiles.contains(month)
  }

  /// METRICS.md 5, *No data*: the cells of a month without files are empty, and its state is partial.
  func known(_ cells: [ReportTable.Cell], _ month: Month) -> [ReportTable.Cell] {
    isWithFiles(month) ? cells : withoutNumbers(cells)
  }

  func isWithFiles(_ month: Month) -> Bool { monthsWithFiles.contains(month) }

  /// Whether who was active at the beginning of a month is not known, because the month before has no file.
  func isAfterMonthWithoutFiles(_ month: Month) -> Bool {
    let first = monthSystem.month(of: firstFileDay)
    let paid = charges.filter(\.isPaid).map(\.startMonth).min() ?? first
    return month > min(first, paid) && !monthsWithFiles.contains(month - 1)
  }

  /// Whether the month has a day from 60 days before the move of an app of these charges up to it.
  func isNearTransfer(_ month: Month, _ charges: [Charge]) -> Bool {
    let days = transfers.filter { transfer in
      charges.contains { $0.terms.attributes.app == transfer.app }
    }.flatMap { transfer in (0...60).map { transfer.day - $0 } }
    return days.contains { monthSystem.month(of: $0) == month }
  }

  func state(_ month: Month, isUndecided: Bool, isAtEdge: Bool = false) -> ReportTable.Cell {
    if partialMonths.contains(month) || isAtEdge { return .text(State.partial.rawValue) }
    let isRunning = monthSystem.lastDay(of: month) > asOf
    return .text((isUndecided || isRunning ? State.provisional : .final).rawValue)
  }

  /// Whether a paid period of these ended in the month at most 2 days before as-of, with nothing after.
  func endsAtAsOf(_ charges: [Charge], _ month: Month) -> Bool {
    charges.contains {
      $0.endMonth == month && $0.isPaid && $0.period.nextStart == nil
        && $0.period.ending != .transferred && (0...2).contains(asOf - $0.period.end)
    }
  }

  /// Returns a row for each month and cohort for which there are cells.
  func rows(
    _ months: [Month], cells: (Month, [Charge], [String]) -> [ReportTable.Cell]?
  ) -> [[ReportTable.Cell]] {
    var rows: [[ReportTable.Cell]] = []
    for cohort in cohorts {
      let own = charges.filter { $0.cohort == cohort }
      for month in months {
        guard let cells = cells(month, own, cohort) else { continue }
        let keys = ["subscribers", written(month)] + cohort
        rows.append(keys.map { .text($0) } + known(cells, month))
      }
    }
    return sortedRows(rows, keys: 2 + dimensions.count)
  }

  /// Returns the rows of a table.
  package func rows(of table: TableKind) -> [[ReportTable.Cell]] {
    switch table {
    case .churn: churn
    case .renewals: renewals
    case .lapses: lapses
    case .refunds: moneyRows(isRefunds: true)
    case .retention: retention
    case .movement: movement
    case .proceeds: moneyRows(isRefunds: false)
    case .trials: trials
    case .commitments: commitments
    case .recurring: recurring
    case .lifetime: lifetime
    case .status: status
    case .definitions: definitions
    }
  }
}
