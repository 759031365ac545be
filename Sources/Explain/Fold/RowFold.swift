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
  private let maker: TableMaker
  /// For each column, the day of the snapshot that it counts; `nil` for columns of other things.
  private let snapshotDays: [Day?]

  /// The terms of rows by their numbers.
  struct Terms: Sendable {
    let events: [EventTerms]
    let snapshots: [SnapshotTerms]
    let sales: [SalesTerms]

    init(_ registries: Registries) {
      events = registries.eventTerms
      snapshots = registries.snapshotTerms
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
    maker = result.tableMaker()
    snapshotDays = Self.snapshotDays(row, columns, maker)
  }

  private static func snapshotDays(
    _ row: CountedRow, _ columns: [AskedRow.Column], _ maker: TableMaker
  ) -> [Day?] {
    columns.map { column in
      column.counted.first.flatMap { counted in
        switch counted {
        case .recurring, .status: maker.snapshotDay(of: counted, in: row.month)
        default: nil
        }
      }
    }
  }

  /// The lists of each column of a row.
  struct Lists: Sendable {
    var counted: [ContributionList<RowContribution>]
    /// The rows that belong to the row and that the column leaves out; `nil` if they are not listed.
    var leftOut: [ContributionList<RowContribution>]?

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
    let files = files(of: source, row, columns, result, context)
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

  /// Returns the files that may have rows of a month; of snapshots those of the last day before it and in it, or of the
  /// newest day.
  ///
  /// Retention counts the events of all months.
  private static func files(
    of source: Source, _ row: CountedRow, _ columns: [AskedRow.Column], _ result: RunResult,
    _ context: ReadContext
  ) -> [Int] {
    let months = context.plan.monthSystem
    let days = months.firstDay(of: row.month)...months.lastDay(of: row.month)
    let stockDays =
      [days.lowerBound - 1, days.upperBound]
      + snapshotDays(row, columns, result.tableMaker()).compactMap(\.self)
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
      let attributes = terms.snapshots[Int(number)].attributes
      events.addSnapshotRow(active: count, of: day, attributes: attributes)
      additions = counts.additions(events)
    case .column(let column, let count, let number):
      return add(count, column, terms.snapshots[Int(number)], row, file)
    case .units(let key, let count):
      sales.add(key, count: count, terms: terms.sales[Int(key.terms)])
      additions = counts.additions(sales)
    }
    for (place, column) in columns.enumerated() where snapshotDays[place] == nil {
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

  /// Adds the subscriptions of a column of a snapshot row to the columns of recurring revenue or of status.
  private mutating func add(
    _ count: Int, _ own: SnapshotColumn, _ terms: SnapshotTerms, _ row: CountedFileRow, _ file: Int
  ) {
    guard let day = reports[file].day, snapshotDays.contains(day),
      let key = events.key(of: own, terms, on: day),
      counts.isOfRow(Int(key.cohort), events.cohorts)
    else { return }
    let value = maker.monthlyValue(key, isOfProceeds: self.row.isOfProceeds)?.result
    let currency = value?.currency ?? .blank
    for (place, column) in columns.enumerated() where snapshotDays[place] == day {
      let isOfCurrency = self.row.currency.map { $0 == currency } ?? true
      let isCounted =
        column.counted.contains(.status(own.status))
        || own.isPaid && isOfCurrency && column.counted.contains { $0.isRecurring }
      let worth = column.measure.isMoney ? Int128(value?.milliunits ?? 0) : 1
      var one = RowContribution(
        counted: column.counted.first, value: isCounted ? Int128(count) * worth : 0, file: file,
        day: day, row: row)
      guard !isCounted else {
        lists.counted[place].add(one)
        continue
      }
      let isOther = !own.isPaid || isOfCurrency
      one.leftOut = isOther ? .other : value == nil ? .withoutValue : .otherCurrency
      lists.leftOut?[place].add(one)
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
          events.cohort(ofSnapshotRow: terms.snapshots[Int(number)].attributes), events.cohorts)
      else { return }
      rule = .noneActive
    case .column: return
    case .units(let key, _):
      let own = terms.sales[Int(key.terms)]
      counted = key.isNegative || own.isPriceNegative ? .refund(isFull: !key.isZero) : .charge
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

/// The numbers of the explained row so far, in a fold of events or of sales.
///
/// It has no rules of its own: a row of a report adds the difference of these numbers before and after it.
struct RowCounts {
  private let row: CountedRow
  /// What the columns count, each once.
  private let counted: [Counted]
  /// The number of the fold's cohorts that were compared with the row, and the indices of those that are the row's.
  ///
  /// Several cohorts are the row's if the table prints the same text for them.
  private var comparedCohorts = 0
  private var asked: [Int] = []
  /// The numbers so far, in the order of ``counted``.
  private var facts: [Int]
  /// The money so far of each cohort of ``asked``.
  private var money: [MoneyCell] = []

  init(_ row: CountedRow, _ counted: Set<Counted>) {
    self.row = row
    self.counted = Array(counted)
    facts = Array(repeating: 0, count: counted.count)
  }

  /// The number and the money that a row of a report adds for one kind of thing that columns count.
  struct Addition {
    var counted: Counted
    var count: Int
    var price: Int128 = 0
    var proceeds: Int128 = 0

    /// Returns the number that the addition makes in a cell.
    func value(_ measure: Measure) -> Int128 {
      switch measure {
      case .count: Int128(count)
      case .price: price
      case .proceeds: proceeds
      // Reports of events and sales have neither gaps nor subscriptions with a value.
      case .rank, .value: 0
      }
    }
  }

  // MARK: Events

  /// Returns the increase of the numbers since the last call.
  mutating func additions(_ fold: borrowing EventFold) -> [Addition] {
    findCohorts(fold.cohorts)
    var additions: [Addition] = []
    for (place, counted) in counted.enumerated() {
      var count = 0
      if case .other(let fact) = counted {
        count = fold.count(fact, month: row.month)
      } else {
        for cohort in asked { count += self.count(counted, cohort, fold) }
      }
      if count != facts[place] {
        additions.append(Addition(counted: counted, count: count - facts[place]))
        facts[place] = count
      }
    }
    return additions
  }

  private func count(_ counted: Counted, _ cohort: Int, _ fold: borrowing EventFold) -> Int {
    if let (fact, month) = fact(of: counted) {
      return fold.count(fact, cohort: cohort, month: month)
    }
    guard let k = row.k else { return 0 }
    let outcomes = fold.survival(cohort: cohort, k: k)
    // An event is at risk only at its own k.
    return switch counted {
    case .atRisk: outcomes.kept + outcomes.lost
    case .kept: outcomes.kept
    case .lost: outcomes.lost
    default: 0
    }
  }

  /// Returns the fact and its month; the active subscriptions of a snapshot count for the month after its day.
  private func fact(of counted: Counted) -> (Fact, Month)? {
    switch counted {
    case .fact(let fact): (fact, row.month)
    case .activeBefore: (.snapshotActive, row.month)
    case .activeAtEnd: (.snapshotActive, row.month + 1)
    default: nil
    }
  }

  // MARK: Sales

  /// Returns the increase of the numbers since the last call.
  mutating func additions(_ fold: borrowing SalesFold) -> [Addition] {
    guard let currency = row.currency else { return [] }
    findCohorts(fold.cohorts)
    var additions: [Addition] = []
    for (place, cohort) in asked.enumerated() {
      let now = fold.money(cohort: cohort, currency: currency, month: row.month)
      additions += Self.additions(now, money[place])
      money[place] = now
    }
    return additions
  }

  private static func additions(_ money: MoneyCell, _ before: MoneyCell) -> [Addition] {
    var additions: [Addition] = []
    let charges = money.charges.count - before.charges.count
    if charges != 0 {
      additions.append(
        Addition(counted: .charge, count: charges, more: money.charges.sum, before.charges.sum))
    }
    let (refunds, refundsBefore) = (money.byRefund, before.byRefund)
    let (full, partial) = (
      refunds.full - refundsBefore.full, refunds.partial - refundsBefore.partial
    )
    if full != 0 || partial != 0 {
      additions.append(
        Addition(
          counted: .refund(isFull: full != 0), count: full + partial, more: refunds.sum,
          refundsBefore.sum))
    }
    return additions
  }

  // MARK: Cohorts

  /// Returns whether a cohort of the fold is the row's, whatever was added to it.
  mutating func isOfRow(_ cohort: Int?, _ cohorts: [[DimensionValue]]) -> Bool {
    findCohorts(cohorts)
    return cohort.map(asked.contains) == true
  }

  private mutating func findCohorts(_ cohorts: [[DimensionValue]]) {
    while comparedCohorts < cohorts.count {
      if row.isOfCohort(cohorts[comparedCohorts]) {
        asked.append(comparedCohorts)
        money.append(.zero)
      }
      comparedCohorts += 1
    }
  }
}

extension RowCounts.Addition {
  /// Creates the difference of two sums of money.
  fileprivate init(counted: Counted, count: Int, more: PricedSum, _ before: PricedSum) {
    self.init(
      counted: counted, count: count, price: more.price - before.price,
      proceeds: more.proceeds - before.proceeds)
  }
}

extension KeptCharges.LineError {
  /// A thread's state, with the first error.
  private struct Guarded<State: ~Copyable>: ~Copyable {
    var state: State
    var error: KeptCharges.LineError?

    consuming func end<Found>(
      _ finish: (consuming State) -> Found
    ) -> (found: Found, error: KeptCharges.LineError?) {
      let error = error
      return (finish(state), error)
    }
  }

  /// Reads files again, several at once: see ``Workers/run(count:jobs:makeState:work:finish:)``.
  ///
  /// - Throws: The error of the first file in path order that cannot be read again, whichever thread found it.
  static func reread<State: ~Copyable, Found: Sendable>(
    _ files: [Int], jobs: Int, makeState: @Sendable () -> State,
    work: @Sendable (inout State, Int) throws(KeptCharges.LineError) -> Void,
    finish: @Sendable (consuming State) -> Found
  ) throws(KeptCharges.LineError) -> [Found] {
    let parts = Workers.run(
      count: files.count, jobs: jobs, makeState: { Guarded(state: makeState(), error: nil) },
      work: { one, place in
        do throws(KeptCharges.LineError) {
          try work(&one.state, files[place])
        } catch {
          one.error = one.error ?? error
        }
      }, finish: { $0.end(finish) })
    let errors = parts.compactMap(\.error).sorted { $0.path.precedes($1.path) }
    if let error = errors.first { throw error }
    return parts.map(\.found)
  }
}
