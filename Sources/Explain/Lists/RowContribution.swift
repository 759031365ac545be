import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// A row of a report that adds to a cell by itself: events, active subscriptions, or units.
struct RowContribution: ListedContribution, BitwiseCopyable {
  /// The kind of thing that a column counts, such as a fact; `nil` for a row that no column of the table counts.
  let counted: Counted?
  /// The number that the row adds to the cell.
  let value: Int128
  /// The index of the report among the run's files, and its day.
  let file: Int
  let day: Day?
  let row: CountedFileRow
  /// Why the cell does not count the row; `nil` if it does.
  var leftOut: RowLeftOutRule?

  func value(_ measure: Measure) -> Int128 { value }

  var isLeftOut: Bool { leftOut != nil }
  var firstRow: UInt64 { UInt64(file) << 32 | UInt64(row.line) }
  var firstEvidence: UInt64 { firstRow }
  // No two rows have one place.
  var moment: Int { 0 }
  var momentOfPair: Int { 0 }
  var order: [Int] { [] }

  static func makeStore() -> ElementStore<RowContribution>? { .file() }

  static func precedes(_ left: RowContribution, _ right: RowContribution) -> Bool {
    left.firstRow < right.firstRow
  }
}

/// Why a cell does not count a row of a report that belongs to it.
enum RowLeftOutRule: Equatable, Sendable, BitwiseCopyable {
  /// It counts as something else, such as a renewal where lapses are counted.
  case other
  /// The event ends or begins a free period.
  case free
  /// The subscription was in retry or grace before, and has counted when it entered it.
  case repeated
  case refund
  /// The event has a name that matches no rule.
  case unknownEvent
  /// The outcome is that of another paid period, in retention; `nil` if the event shows no outcome.
  case otherPeriod(Int?)
  case otherCurrency
  /// No paid subscription is active in the row of a snapshot.
  case noneActive
  case withoutPrice
  /// The row of a snapshot does not say what its subscriptions pay a month.
  case withoutValue
}

/// Makes the table that lists the rows of reports which add to cells by themselves.
///
/// It has the columns of all explanations; those that the report lacks are empty, such as the subscription.
struct RowTable: Sendable {
  private let names: Names
  private let result: RunResult
  private let terms: RowFold.Terms
  private let maker: TableMaker
  /// Whether the money of the explained row is the developer's proceeds.
  private let isOfProceeds: Bool

  init(_ result: RunResult, _ registries: Registries, isOfProceeds: Bool) {
    (names, self.result, terms) = (result.names, result, RowFold.Terms(registries))
    (maker, self.isOfProceeds) = (result.tableMaker(), isOfProceeds)
  }

  /// Returns the table of some columns' contributions, whose texts are made row by row.
  func table(_ lists: [(column: String, list: ContributionList<RowContribution>)]) -> LongTable {
    let parts = lists.map { ExplanationTable.Part($0, $1) }
    let columns = ExplanationTable.columns(hasMoney: lists.contains(where: \.list.measure.isMoney))
    return ExplanationTable.table(parts, columns) { number, place in
      cells(lists[number].column, lists[number].list.measure, parts[number].shown[place])
    }
  }

  func cells(
    _ column: String, _ measure: Measure, _ contribution: RowContribution
  ) -> [ReportTable.Cell] {
    let report = result.files[contribution.file]
    let reason = RowReason(
      contribution: contribution, terms: terms, names: names, snapshot: snapshot(contribution),
      days: [.daily, nil].contains(report.frequency) ? nil : report.period)
    var own = names.cells(attributes(contribution.row), nil)
    own[own.count - 1] = startMonth(contribution.row)
    let cells: [ReportTable.Cell] = [
      .text(column), contribution.isLeftOut ? .missing : measure.cell(contribution.value),
      .missing,
    ]
    return ExplanationTable.row(
      cells + own, fact: reason.factName, because: reason.because,
      rows: "\(report.file.relativePath):\(contribution.row.line)", of: names)
  }

  private func attributes(_ row: CountedFileRow) -> Attributes {
    switch row.content {
    case .events(let key, _): terms.events[Int(key.terms)].attributes
    case .active(_, let number), .column(_, _, let number): terms.snapshots[Int(number)].attributes
    case .units(let key, _): terms.sales[Int(key.terms)].attributes
    }
  }

  /// Returns what the subscriptions of a column of a snapshot row are worth; `nil` for any other row, and if unknown.
  private func snapshot(
    _ contribution: RowContribution
  ) -> (charge: ChargeValue, value: MonthlyValue)? {
    guard case .column(let column, _, let number) = contribution.row.content,
      let day = contribution.day
    else { return nil }
    let key = SnapshotGrid.Key(column, terms.snapshots[Int(number)], on: day, cohort: 0)
    let value = maker.monthlyValue(key, isOfProceeds: isOfProceeds)
    return key.value.flatMap { charge in value.map { (charge, $0) } }
  }

  /// Returns the month in which the subscriptions began, which only rows of events have.
  private func startMonth(_ row: CountedFileRow) -> ReportTable.Cell {
    guard case .events(let key, _) = row.content else { return .missing }
    return key.chainKey.value(of: .startMonth).map { .text($0.text(names)) } ?? .missing
  }
}

/// The fact and the sentence of a row that adds to a cell.
struct RowReason {
  let contribution: RowContribution
  let terms: RowFold.Terms
  let names: Names
  /// What the subscriptions of a column of a snapshot row are worth.
  let snapshot: (charge: ChargeValue, value: MonthlyValue)?
  /// The days of a report of more than a day, such as `2026-01`; `nil` for a report of one day.
  let days: String?

  /// The name of the fact, or that the cell leaves the row out.
  var factName: String { contribution.leftOut == nil ? ownName : "left out" }

  /// Why the cell counts the row, or why it leaves it out.
  var because: String {
    contribution.leftOut.map { rule in
      let why = self.why(rule)
      return why.isEmpty ? "\(ownName): \(sentence)" : "\(why): \(sentence)"
    } ?? sentence
  }

  /// Returns why a cell leaves the row out; blank if its own name says it.
  private func why(_ rule: RowLeftOutRule) -> String {
    switch rule {
    case .other: ""
    case .free: "its period is free, and only paid ones count"
    case .repeated: "the subscription was in retry or grace, and counted on the day it entered it"
    case .refund: "events of refunds count in no table"
    case .unknownEvent: "an event with an unknown name counts in no table"
    case .otherPeriod(let k?): "it shows what followed paid period \(k)"
    case .otherPeriod(nil): "\(ownName), which shows no outcome of a paid period"
    case .otherCurrency: otherCurrency
    case .noneActive: "no paid subscription is active"
    case .withoutPrice: "only units with a price count"
    case .withoutValue: "the report does not say what they pay a month"
    }
  }

  private var otherCurrency: String {
    if let snapshot { return "they pay in \(names.text(snapshot.value.amount.currency))" }
    guard case .units(let key, _) = contribution.row.content else { return "" }
    return "its proceeds are in \(names.text(terms.sales[Int(key.terms)].proceeds.currency))"
  }

  /// The name of the fact: the class of the event, `active`, `charge`, `refund` or `refund partial`.
  private var ownName: String {
    switch (contribution.row.content, contribution.counted) {
    // The cases have the names of METRICS.md.
    case (.events(let key, _), _): "\(terms.events[Int(key.terms)].eventClass)"
    case (.active, _): "active"
    case (.column(let column, _, _), _): column.status.factName
    case (.units, .refund(let isFull)): isFull ? "refund" : "refund partial"
    case (.units, _): "charge"
    }
  }

  private var sentence: String {
    switch contribution.row.content {
    case .events(let key, let quantity): events(key, quantity)
    case .active(let count, _):
      "\(counted(count, "paid subscription")) active at the end of \(contribution.day?.description ?? "")"
    case .column(let column, let count, _): self.column(column, count)
    case .units(let key, let count): units(key, count)
    }
  }

  private func events(_ key: EventRowKey, _ quantity: Int) -> String {
    let own = terms.events[Int(key.terms)]
    let from =
      own.previousProduct == .blank ? "" : ", changed from \(names.product(own.previousProduct))"
    return
      "\(counted(quantity, "event")) \(names.text(own.name)) of \(key.day) with \(counted(Int(key.paidPeriods), "paid period"))\(from)"
  }

  private func column(_ column: SnapshotColumn, _ count: Int) -> String {
    let what =
      "\(counted(count, "subscription")) \(column.words) at the end of \(contribution.day?.description ?? "")"
    guard let snapshot, [.recurring(.mrr), .recurring(.open)].contains(contribution.counted)
    else { return what }
    let words = snapshot.value.words(snapshot.charge, names)
    return "\(what): \(count == 1 ? "" : "each ")\(words)"
  }

  private func units(_ key: SalesRowKey, _ count: Int) -> String {
    let own = terms.sales[Int(key.terms)]
    let price =
      "\(NumberStyle.money(milliunits: Int128(own.price.milliunits))) \(names.text(own.price.currency))"
    let time = days.map { "in \($0)" } ?? "on \(key.day)"
    switch contribution.counted {
    case .refund(isFull: true): return "\(counted(count, "unit")) of \(price) given back \(time)"
    case .refund(isFull: false): return "a part of the price, \(price), given back \(time)"
    default: return "\(counted(count, "unit")) of \(price) sold \(time)"
    }
  }
}

extension SnapshotColumn {
  /// The state of its subscriptions, such as `in a free trial`.
  fileprivate var words: String {
    switch self {
    case .standard: "at the standard price"
    case .introUpFront: "with a pay-up-front introductory offer"
    case .introAsYouGo: "with a pay-as-you-go introductory offer"
    case .offerUpFront: "with another pay-up-front offer"
    case .offerAsYouGo: "with another pay-as-you-go offer"
    case .freeTrials: "in a free trial"
    case .freeOffers: "in another free offer"
    case .grace: "in a grace period"
    case .billingRetry: "in billing retry"
    }
  }
}
