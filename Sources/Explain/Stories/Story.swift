import AppStoreReports
import Counting
import Files
package import Pipeline
import Rendering
import Storage
import SubscriptionModel
package import Tables

/// The story of one subscription: its rows, its periods, and the cells in which each counts.
package struct Story: Sendable {
  /// One row for each event, each subscription in the order of time.
  package let table: ReportTable
  /// The same as lines to read out.
  package let lines: [String]

  private init(_ writer: StoryWriter<some ExplainedSource>) {
    (table, lines) = (writer.table, writer.text)
  }

  /// Lists the events of a subscription.
  ///
  /// - Parameters:
  ///   - text: The id of its subscriber, or of any of its transactions in receipts; or `FILE:LINE` of one of its rows.
  ///   - result: The result of a run with the view of the whole population that has kept its charges or its receipts.
  ///   - naming: How subscriptions are named; `nil` for the place of their first row.
  /// - Throws: ``QuestionError`` when there is no such subscription, ``KeptCharges/LineError`` for a file that cannot be
  ///   read again.
  package init(
    of text: String, _ result: RunResult, naming: CustomerTable.Naming? = nil
  ) throws {
    if let receipts = result.receipts {
      self.init(try StoryMaker(receipts, .receipts, result, naming).writer(asked: text))
    } else {
      self.init(
        try StoryMaker(result.keptCharges, .subscribers, result, naming).writer(asked: text))
    }
  }
}

/// Makes the chapters of a story.
private struct StoryMaker<Kept: ExplainedSource>: ~Copyable {
  typealias Event = StoryEvent<Kept.Row>

  private let kept: Kept
  private let result: RunResult
  private let naming: CustomerTable.Naming?
  private let cells: TableCells
  private let increases: ImpactCells

  init(
    _ kept: Kept, _ source: Source, _ result: RunResult, _ naming: CustomerTable.Naming?
  ) throws {
    (self.kept, self.result, self.naming) = (kept, result, naming)
    cells = try TableCells(result, source)
    increases = ImpactCells(result, source, kept.completeness)
  }

  /// Returns the customers, with all that tables count in some months.
  private func customers(_ months: ClosedRange<Month>) -> Kept.Customers {
    kept.customers(kept.storyRow(months), cells.counted, named: naming != nil)
  }

  /// Returns the events of each chain of the current customer.
  private func events(_ customers: Kept.Customers) -> [Int?: [Event]] {
    StoryFold(customers, cells, increases, kept, result.names).events
  }

  private func writer(
    _ lines: Kept.Lines, _ chapters: [StoryChapter<Kept.Row>]
  ) -> StoryWriter<Kept> {
    StoryWriter(source: kept, names: result.names, lines: lines, chapters: chapters)
  }
}

// MARK: - Reports

extension StoryMaker<KeptCharges> {
  func writer(asked text: String) throws -> StoryWriter<KeptCharges> {
    let asked = try AskedSubscription(text, in: kept)
    let records = kept.records(of: asked.subscriber)
    let leftOut = try RowsLeftOut(files: result.files, charges: kept).rows(
      of: asked.subscriber, except: Set(records.map(\.order)))
    guard !records.isEmpty || !leftOut.isEmpty else {
      throw QuestionError(
        "--subscription: no Subscriber row of the input has this subscriber id; receipts have other ids, and chains and timeline list their subscriptions"
      )
    }
    let customers = customers(kept.months)
    customers.load(records)
    let events = customers.next() ? events(customers) : [:]
    var lines = try kept.lines(of: records.map(\.order), jobs: result.plan.jobs)
    for row in leftOut { lines.add(row.order, line: row.line) }
    let chapters = Self.chapters(events, leftOut, asked).map { events, first in
      let name = kept.name(of: asked.subscriber, first: first, lines, naming)
      return StoryChapter(name: name, heading: heading(name, events), events: events)
    }
    return writer(lines, chapters)
  }

  /// Returns the subscriptions in the order of their first rows, then the events that belong to none; each with the
  /// first row of the subscription.
  private static func chapters(
    _ events: [Int?: [Event]], _ leftOut: [RowsLeftOut.Row], _ asked: AskedSubscription
  ) -> [(events: [Event], first: UInt64)] {
    let first = { (events: [Event]) in
      events.first { $0.kind == .charge }?.rows.first ?? 0
    }
    let all = events.filter { $0.key != nil }.map(\.value).sorted { first($0) < first($1) }
    let own = all.filter { events in
      asked.row.map { row in events.contains { $0.rows.contains(row) } } ?? true
    }
    // A row that belongs to no subscription: show all subscriptions of its subscriber.
    let shown = own.isEmpty ? all : own
    var others = events[nil] ?? []
    others += leftOut.map { row in
      StoryEvent(
        kind: .ignored, instant: row.day.flatMap(Instant.init(startOf:)), because: row.because,
        rows: [row.order])
    }
    others.sort(by: StoryEvent.precedes)
    let chapters = shown.map { ($0, first($0)) }
    guard let row = others.first?.rows.first else { return chapters }
    return chapters + [(others, shown.first.map(first) ?? row)]
  }

  private func heading(_ name: String, _ events: [Event]) -> String {
    guard let own = events.first(where: { $0.kind == .charge })?.charge?.attributes else {
      return "Rows of subscriber \(name) that belong to no subscription"
    }
    let (days, names) = (kept.completeness, result.names)
    return
      "Subscription \(name): \(names.app(own.app)), group \(names.text(own.group)); the data cover \(days.firstDay) to \(days.asOf)"
  }
}

// MARK: - Receipts

extension StoryMaker<KeptReceipts> {
  func writer(asked text: String) throws -> StoryWriter<KeptReceipts> {
    let (numbers, ids) = try ReceiptSearch.find(text, kept, jobs: result.plan.jobs)
    guard !numbers.isEmpty else {
      // The message does not repeat an id: it is personal.
      throw QuestionError(
        "--subscription: no subscription of the receipts has this name, or a row in this line; write an original transaction id, FILE:LINE of a row, or a name as explain lists it"
      )
    }
    let days = kept.completeness
    let customers = customers(days.firstMonth...max(days.firstMonth, days.lastMonth))
    var told: [(chain: ReceiptChain, first: Contribution<KeptReceipts>, events: [Event])] = []
    for number in numbers {
      customers.load(customer: number)
      guard customers.next() else { continue }
      let events = events(customers)
      for (number, chain) in customers.history.chains.enumerated()
      where chain.periods.contains(where: { customers.history.periods[$0].isOf(ids) }) {
        let first = CountedPeriod(
          counted: .charge, chain: number, period: chain.periods.lowerBound)
        told.append(
          (chain, customers.contribution(first, leftOutBy: nil), events[number] ?? []))
      }
    }
    let rows = told.flatMap { kept.namedRows($0.first, naming) + $0.events.flatMap(\.rows) }
    let lines = try kept.lines(of: rows, jobs: 1)
    let chapters = told.map { chain, first, events in
      let name = kept.name(of: first.customer, first: first.rows.first, lines, naming)
      return StoryChapter(name: name, heading: heading(name, chain), events: events)
    }
    return writer(lines, chapters)
  }

  private func heading(_ name: String, _ chain: ReceiptChain) -> String {
    let names = result.names
    let group = chain.group == .blank ? "no group" : "group \(names.text(chain.group))"
    let family = chain.ownership == .family ? ", shared by family" : ""
    return
      "Subscription \(name): \(names.app(chain.app)), \(group)\(family); its data end on \(chain.asOf.day); state: \(chain.state.rawValue)"
  }
}
