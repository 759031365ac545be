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

  init(_ writer: StoryWriter<some StorySource>) {
    (table, lines) = (writer.table, writer.text)
  }

  /// Returns the index of the view of the whole population.
  static func wholeView(of result: RunResult) -> Int {
    guard let view = result.plan.views.firstIndex(of: []) else {
      preconditionFailure("the run has the view of the whole population")
    }
    return view
  }

  /// Lists the events of a subscription.
  ///
  /// - Parameters:
  ///   - asked: The subscription.
  ///   - result: The result of a run with the view of the whole population that has kept its charges.
  ///   - charges: Those charges.
  ///   - naming: How the subscription is named; `nil` for the place of its first row.
  /// - Throws: ``QuestionError`` when no row counts, `KeptCharges.LineError` for a file that cannot be read again.
  package init(
    of asked: AskedSubscription, _ result: RunResult, _ charges: KeptCharges,
    naming: CustomerTable.Naming? = nil
  ) throws {
    let records = charges.records(of: asked.subscriber)
    let leftOut = try RowsLeftOut(files: result.files, charges: charges).rows(
      of: asked.subscriber, except: Set(records.map(\.order)))
    guard !records.isEmpty || !leftOut.isEmpty else {
      throw QuestionError(
        "--subscription: no Subscriber row of the input has this subscriber id; receipts have other ids, and chains and timeline list their subscriptions"
      )
    }
    let cells = try TableCells(result, view: Self.wholeView(of: result))
    let customers = ExplainedSubscribers(
      charges.storyRow(charges.months), cells.counted, charges)
    customers.load(records)
    let events =
      customers.next()
      ? StoryFold(
        customers, cells, ImpactCells(result, .subscribers, charges.completeness), charges,
        result.names
      ).events : [:]
    var lines = KeptCharges.LinesOfRows()
    try charges.read(records.map(\.order), into: &lines)
    for row in leftOut { lines.add(row.order, line: row.line) }
    self.init(
      StoryWriter(
        source: charges, names: result.names, lines: lines,
        chapters: Self.chapters(events, leftOut, asked) { [lines] chapter, first in
          let name = charges.name(of: asked.subscriber, first: first, lines, naming)
          return StoryChapter(
            name: name, heading: Self.heading(name, chapter, charges, result.names),
            events: chapter)
        }))
  }

  /// Returns the subscriptions in the order of their first rows, then the events that belong to none.
  ///
  /// - Parameters:
  ///   - events: The events of each chain.
  ///   - leftOut: The rows that do not count.
  ///   - asked: The subscription.
  ///   - chapter: Makes a chapter of events and the first row of the subscription.
  /// - Returns: The chapters.
  private static func chapters(
    _ events: [Int?: [StoryEvent<UInt64>]], _ leftOut: [RowsLeftOut.Row],
    _ asked: AskedSubscription,
    _ chapter: ([StoryEvent<UInt64>], UInt64) -> StoryChapter<UInt64>
  ) -> [StoryChapter<UInt64>] {
    let first = { (events: [StoryEvent<UInt64>]) in
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
    let chapters = shown.map { chapter($0, first($0)) }
    guard let row = others.first?.rows.first else { return chapters }
    return chapters + [chapter(others, shown.first.map(first) ?? row)]
  }

  private static func heading(
    _ name: String, _ events: [StoryEvent<UInt64>], _ charges: KeptCharges, _ names: Names
  ) -> String {
    guard let own = events.first(where: { $0.kind == .charge })?.charge?.attributes else {
      return "Rows of subscriber \(name) that belong to no subscription"
    }
    let days = charges.completeness
    return
      "Subscription \(name): \(names.app(own.app)), group \(names.text(own.group)); the data cover \(days.firstDay) to \(days.asOf)"
  }
}
