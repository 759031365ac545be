import AppStoreReports
import Counting
import Pipeline
import Storage
import SubscriptionModel
import Tables

/// Reads the reports of events or sales once more on one thread, and collects what their rows add to the cells of a row.
struct RowFold: ~Copyable {
  private var reader: RowRereader
  private var events: EventFold
  private var sales: SalesFold
  private var counts: RowCounts
  private let columns: [AskedRow.Column]
  private var lists: Lists
  private let row: CountedRow
  private let months: MonthSystem
  private var terms: Terms
  private let registries: Registries
  private let reports: [FileReport]

  /// The terms of rows by their numbers.
  struct Terms: Sendable {
    let events: [EventTerms]
    let snapshots: [Attributes]
    let sales: [SalesTerms]

    init(_ registries: Registries) {
      events = registries.eventTerms
      snapshots = registries.snapshotTerms.map(\.attributes)
      sales = registries.salesTerms
    }
  }

  private init(
    _ row: CountedRow, _ columns: [AskedRow.Column], _ empty: Lists, _ result: RunResult,
    _ context: ReadContext
  ) {
    let hasOthers = columns.contains {
      $0.counted.contains { if case .other = $0 { true } else { false } }
    }
    let tally = { (source: Source) in
      Tally(
        source: source, views: [row.dimensions], filter: row.filter, months: context.months,
        monthSystem: context.plan.monthSystem, hasMoney: hasOthers, hasOthers: hasOthers)
    }
    reader = RowRereader(context)
    events = EventFold(tally: tally(.events))
    sales = SalesFold(tally: tally(.sales))
    counts = RowCounts(row, columns.reduce(into: []) { $0.formUnion($1.counted) })
    lists = empty
    self.row = row
    months = context.plan.monthSystem
    self.columns = columns
    registries = context.registries
    terms = Terms(context.registries)
    reports = result.files
  }

  /// The lists of each column of a row.
  struct Lists: Sendable {
    /// The rows that add to the cell.
    var counted: [ContributionList<RowContribution>]
    /// The rows that belong to the row and that the column leaves out; `nil` if they are not listed.
    var leftOut: [ContributionList<RowContribution>]?

    /// The lists to print.
    var shown: [ContributionList<RowContribution>] { leftOut ?? counted }

    mutating func merge(_ other: Lists) {
      counted.merge(other.counted)
      leftOut?.merge(other.leftOut ?? [])
    }
  }

  /// Returns what rows add to the cells of a row of a source: a list for each column.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  static func lists(
    _ row: CountedRow, _ columns: [AskedRow.Column], _ source: Source,
    _ listing: Listing, _ result: RunResult, _ context: ReadContext
  ) throws -> Lists {
    let files = files(of: source, row, result, context)
    let none = columns.map {
      ContributionList<RowContribution>($0.measure, limit: listing.limit, listing.order)
    }
    let empty = Lists(counted: none, leftOut: listing.leavingOut ? none : nil)
    return try KeptCharges.LineError.reread(
      files, jobs: result.plan.jobs,
      makeState: { RowFold(row, columns, empty, result, context) },
      work: { fold, file throws(KeptCharges.LineError) in try fold.add(file) },
      finish: { $0.lists }
    ).reduce(into: empty) { $0.merge($1) }
  }

  /// Returns the files that may have rows of a month; of snapshots those of the last day before it and in it.
  ///
  /// Retention counts the events of all months.
  private static func files(
    of source: Source, _ row: CountedRow, _ result: RunResult, _ context: ReadContext
  ) -> [Int] {
    let months = context.plan.monthSystem
    let days = months.firstDay(of: row.month)...months.lastDay(of: row.month)
    let stockDays = [days.lowerBound - 1, days.upperBound]
    return result.files.indices.filter { place in
      let (report, file) = (result.files[place], context.survey.files[place])
      guard report.isUsed, file.source == source, file.longerReport == nil else { return false }
      if row.k != nil { return report.kind != .subscription }
      return report.kind == .subscription
        ? file.day.map(stockDays.contains) ?? false : file.mayHaveRows(in: days)
    }
  }

  private mutating func add(_ file: Int) throws(KeptCharges.LineError) {
    let rows = try reader.rows(ofFileAt: file, reports[file])
    terms = Terms(registries)
    for row in rows { add(row, file) }
  }

  private mutating func add(_ row: CountedFileRow, _ file: Int) {
    let day = reports[file].day
    let additions: [RowCounts.Addition]
    switch row.content {
    case .events(let key, let quantity):
      events.add(key, quantity: quantity, terms: terms.events[Int(key.terms)])
      additions = counts.additions(events)
    case .active(let count, let number):
      guard let day else { return }
      events.addSnapshotRow(active: count, of: day, attributes: terms.snapshots[Int(number)])
      additions = counts.additions(events)
    case .units(let key, let count):
      sales.add(key, count: count, terms: terms.sales[Int(key.terms)])
      additions = counts.additions(sales)
    }
    for (place, column) in columns.enumerated() {
      let own = additions.filter { column.counted.contains($0.counted) }
      guard let first = own.first else {
        leaveOut(row, file, day, column, place)
        continue
      }
      lists.counted[place].add(
        RowContribution(
          counted: first.counted, value: own.reduce(0) { $0 + $1.value(column.measure) },
          file: file, day: day, row: row))
    }
  }

  // MARK: Rows that do not count

  /// Lists a row that a column does not count, if it belongs to the column's row.
  private mutating func leaveOut(
    _ row: CountedFileRow, _ file: Int, _ day: Day?, _ column: AskedRow.Column, _ place: Int
  ) {
    guard lists.leftOut != nil else { return }
    var counted: Counted?
    let rule: RowLeftOutRule?
    switch row.content {
    case .events(let key, _): rule = self.rule(key, column)
    case .active(let count, let number):
      guard count == 0, let day, column.counted.contains(stock(of: day)),
        counts.isOfRow(
          events.cohort(ofSnapshotRow: terms.snapshots[Int(number)]), events.cohorts)
      else { return }
      rule = .noneActive
    case .units(let key, _):
      let own = terms.sales[Int(key.terms)]
      counted =
        key.isNegative || own.isPriceNegative ? .refund(isFull: !key.isZero) : .charge
      rule = self.rule(key, own)
    }
    guard let rule else { return }
    lists.leftOut?[place].add(
      RowContribution(
        counted: counted, value: 0, file: file, day: day, row: row, leftOut: rule))
  }

  /// Returns the stock that the snapshot of a day belongs to: that before the month, or that at its end.
  private func stock(of day: Day) -> Counted {
    day < months.firstDay(of: self.row.month) ? .activeBefore : .activeAtEnd
  }

  /// The facts about the renewal of a period that was due.
  private static let renewals: Set<Counted> = Set(
    [Fact.dueRenewed, .dueRecovered, .dueLapsed, .duePending, .enteredRetry].map(Counted.fact))

  /// Returns why a column does not count events; `nil` if they belong to another row, or the column counts snapshots.
  private mutating func rule(_ key: EventRowKey, _ column: AskedRow.Column) -> RowLeftOutRule? {
    guard column.counted.isDisjoint(with: [.activeBefore, .activeAtEnd]),
      row.k != nil || months.month(of: key.day) == row.month
    else { return nil }
    let own = terms.events[Int(key.terms)]
    guard counts.isOfRow(events.cohort(key, own), events.cohorts) else { return nil }
    if own.eventClass == .unknown { return .unknownEvent }
    if row.k != nil {
      let k = own.survivalPeriod(paidPeriods: Int(key.paidPeriods))
      return k == row.k ? .other : .otherPeriod(k)
    }
    if own.eventClass == .refund { return .refund }
    let isOfTrials = !column.counted.isDisjoint(
      with: [.fact(.trialConverted), .fact(.trialNotConverted)])
    if !key.isPaid { return isOfTrials ? .other : .free }
    let isRepeated = own.isFromRetryOrGrace && !column.counted.isDisjoint(with: Self.renewals)
    return isRepeated ? .repeated : .other
  }

  /// Returns why a column does not count units; `nil` if they belong to another row.
  private mutating func rule(_ key: SalesRowKey, _ own: SalesTerms) -> RowLeftOutRule? {
    guard months.month(of: key.day) == row.month,
      counts.isOfRow(sales.cohort(key, own), sales.cohorts)
    else { return nil }
    if own.price.milliunits == 0 { return .withoutPrice }
    return own.proceeds.currency == row.currency ? .other : .otherCurrency
  }
}
