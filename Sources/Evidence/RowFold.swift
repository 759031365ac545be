import AppStoreReports
import Counting
import Pipeline
import Storage
import SubscriptionModel
import Tables
import Threads

/// Reads the reports of events or sales once more on one thread, and collects what their rows add to the cells of a row.
struct RowFold: ~Copyable {
  private var reader: RowRereader
  private var events: EventFold
  private var sales: SalesFold
  private var counts: RowCounts
  private let columns: [AskedRow.Column]
  private var lists: [RowContributionList]
  private var terms: Terms
  private let registries: Registries
  private let reports: [FileReport]
  private var error: KeptCharges.LineError?

  /// The terms of rows by their numbers.
  struct Terms: Sendable {
    let events: [EventTerms]
    let snapshots: [Attributes]
    let sales: [SalesTerms]

    init(_ registries: Registries) {
      events = registries.eventTerms
      snapshots = registries.snapshotTerms
      sales = registries.salesTerms
    }
  }

  private init(
    _ row: CountedRow, _ columns: [AskedRow.Column], _ empty: RowContributionList,
    _ result: RunResult, _ context: ReadContext
  ) {
    let tally = { (source: Source) in
      Tally(
        source: source, views: [row.dimensions], filter: row.filter, months: context.months,
        monthSystem: context.plan.monthSystem)
    }
    reader = RowRereader(context)
    events = EventFold(tally: tally(.events))
    sales = SalesFold(tally: tally(.sales))
    counts = RowCounts(row, columns.reduce(into: []) { $0.formUnion($1.counted) })
    lists = columns.map { _ in empty }
    self.columns = columns
    registries = context.registries
    terms = Terms(context.registries)
    reports = result.files
  }

  /// Returns what rows add to the cells of a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - columns: Its columns.
  ///   - source: The source of the row.
  ///   - limit: How many contributions of each column are printed; `nil` for all.
  ///   - order: The order of the contributions: by value, or by file and line.
  ///   - result: The run.
  ///   - context: The context in which its files were read.
  /// - Returns: A list for each column.
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  static func lists(
    _ row: CountedRow, _ columns: [AskedRow.Column], _ source: Source, limit: Int?,
    order: ContributionOrder = .evidence, _ result: RunResult, _ context: ReadContext
  ) throws -> [RowContributionList] {
    let files = files(of: source, row, result, context)
    let empty = RowContributionList(limit: limit, order)
    let parts = Workers.run(
      count: files.count, jobs: result.plan.jobs,
      makeState: { RowFold(row, columns, empty, result, context) },
      work: { $0.add(files[$1]) }, finish: { (lists: $0.lists, error: $0.error) })
    // The first of the errors, whichever thread found it.
    let errors = parts.compactMap(\.error).sorted {
      $0.path.precedes($1.path)
    }
    if let error = errors.first { throw error }
    var merged = columns.map { _ in empty }
    for part in parts { for (place, list) in part.lists.enumerated() { merged[place].merge(list) } }
    return merged
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
      guard report.isUsed, file.source == source else { return false }
      if row.k != nil { return report.kind != .subscription }
      return report.kind == .subscription
        ? file.day.map(stockDays.contains) ?? false : file.mayHaveRows(in: days)
    }
  }

  private mutating func add(_ file: Int) {
    do throws(KeptCharges.LineError) {
      let rows = try reader.rows(ofFileAt: file, reports[file])
      terms = Terms(registries)
      for row in rows { add(row, file) }
    } catch {
      self.error = self.error ?? error
    }
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
      guard let first = own.first else { continue }
      lists[place].add(
        RowContribution(
          counted: first.counted, value: own.reduce(0) { $0 + $1.value(column.measure) },
          file: file, day: day, row: row))
    }
  }
}
