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

  /// Lists the events of a subscription, which is named by the id of its subscriber, or of any of its transactions in
  /// receipts; or by `FILE:LINE` of one of its rows.
  ///
  /// The run has the view of the whole population, and has kept its charges or its receipts.
  ///
  /// - Throws: ``QuestionError`` without such a subscription, ``KeptCharges/LineError`` for an unreadable file.
  package init(of text: String, _ result: RunResult, naming: CustomerTable.Naming? = nil) throws {
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
    return StoryWriter(source: kept, names: result.names, lines: lines, chapters: chapters)
  }

  /// Returns the subscriptions with their first rows, in the order of these, then the events that belong to none.
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
        let first = CountedPeriod(counted: .charge, chain: number, period: chain.periods.lowerBound)
        told.append((chain, customers.contribution(first, leftOutBy: nil), events[number] ?? []))
      }
    }
    let rows = told.flatMap { kept.namedRows($0.first, naming) + $0.events.flatMap(\.rows) }
    let lines = try kept.lines(of: rows, jobs: 1)
    let chapters = told.map { chain, first, events in
      let name = kept.name(of: first.customer, first: first.rows.first, lines, naming)
      return StoryChapter(name: name, heading: heading(name, chain), events: events)
    }
    return StoryWriter(source: kept, names: result.names, lines: lines, chapters: chapters)
  }

  private func heading(_ name: String, _ chain: ReceiptChain) -> String {
    let names = result.names
    let group = chain.group == .blank ? "no group" : "group \(names.text(chain.group))"
    let family = chain.ownership == .family ? ", shared by family" : ""
    return
      "Subscription \(name): \(names.app(chain.app)), \(group)\(family); its data end on \(chain.asOf.day); state: \(chain.state.rawValue)"
  }
}

/// A subscription with its events, or the events that belong to none.
struct StoryChapter<Row: Comparable> {
  let name: String
  /// The line above the events.
  let heading: String
  let events: [StoryEvent<Row>]
}

/// Writes chapters as a table, and as lines to read out.
struct StoryWriter<Source: ExplainedSource> {
  typealias Event = StoryEvent<Source.Row>

  let source: Source
  let names: Names
  /// Where rows are in their files.
  let lines: Source.Lines
  let chapters: [StoryChapter<Source.Row>]

  private func places(_ event: Event) -> String {
    event.rows.map { source.text(of: $0, lines) }.joined(separator: "; ")
  }

  // MARK: The table

  private static var columns: [ReportTable.Column] {
    [
      .init("subscription", .key), .init("date", .key), .init("event", .key), .init("app", .text),
      .init("group", .text), .init("product", .text), .init("country", .text),
      .init("kind", .text), .init("price", .money), .init("currency", .text),
      .init("period_start", .text), .init("period_end", .text), .init("bought_until", .text),
      .init("fact", .text), .init("because", .text), .init("counts_in", .text),
      .init("rows", .text),
    ]
  }

  var table: ReportTable {
    ReportTable(
      name: "explain", dimensions: [], columns: Self.columns,
      rows: chapters.flatMap { chapter in chapter.events.map { cells($0, of: chapter.name) } })
  }

  private func cells(_ event: Event, of name: String) -> [ReportTable.Cell] {
    let text = { (text: String?) in text.map { ReportTable.Cell.text($0) } ?? .missing }
    let (charge, period) = (event.charge, event.period)
    let own = charge?.attributes
    let price = event.isOfMoney ? charge?.price : nil
    let boughtUntil = period?.boughtEnd == period?.end ? nil : period?.boughtEnd
    return [
      .text(name), text(event.instant.map(source.text)), .text(event.kind.rawValue),
      text(own.map { names.app($0.app) }), text(own.map { names.text($0.group) }),
      text(own.map { names.product($0.product) }), text(own.map { names.text($0.country) }),
      text(charge?.kind.name), price.map { .money(milliunits: Int128($0)) } ?? .missing,
      text(price == nil ? nil : charge.map { names.text($0.currency) }),
      text(period.map { source.text(of: $0.explained.start) }),
      text(period?.end.map(source.text)), text(boughtUntil.map(source.text)),
      .text(event.fact), .text(event.because),
      .text(event.cells.map(\.text).joined(separator: "; ")), .text(places(event)),
    ]
  }

  // MARK: Text

  /// Short lines: one for each event, and below it the reason, the cells and the rows.
  var text: [String] {
    var text: [String] = []
    for chapter in chapters {
      if !text.isEmpty { text.append("") }
      text.append(chapter.heading)
      for event in chapter.events {
        text.append("")
        text.append("\(event.instant.map { "\($0.day)" } ?? "no date")  \(headline(event))")
        var details = event.because.isEmpty ? [] : [event.because.capitalizedSentence]
        details += TableCell.byRow(event.cells).map { "Counts in \($0)." }
        if event.kind != .end, !event.rows.isEmpty { details.append("Row: \(places(event))") }
        text += details.map { String(repeating: " ", count: 12) + $0 }
      }
    }
    return text.map(VisibleText.of)
  }

  private func headline(_ event: Event) -> String {
    switch event.kind {
    case .charge: charge(event)
    case .refund:
      // Receipts have the price of the charge.
      amount(event).map { "Refund of \(Source.isOfReceipts ? "a charge of " : "")\($0)." }
        ?? "Refund."
    case .gap: "Gap."
    case .ignored: "A row that does not count."
    case .end: end(event).capitalizedSentence
    }
  }

  /// Returns such as `Paid 9.99 USD for Pro Monthly in US, until 2026-02-05.`.
  private func charge(_ event: Event) -> String {
    guard let own = event.charge, let period = event.period else { return "" }
    let what =
      own.isPaid
      ? amount(event).map { "Paid \($0) for" } ?? "Paid for"
      : own.kind == .trial ? "Free trial of" : "Free \(Source.isOfReceipts ? "period" : "offer") of"
    let kind =
      switch own.kind {
      case .standard, .trial: ""
      case .intro: ", at an introductory price"
      case .offer: own.isPaid ? ", with an offer" : ""
      }
    let product = names.product(own.attributes.product)
    let country = own.attributes.country
    let place = country == .blank ? "" : " in \(names.text(country))"
    let position = Self.text(period.explained.position)
    let ends = period.boughtEnd.map { bought in
      ", " + Self.ends(bought: bought.day, counted: (period.end ?? bought).day)
    }
    return "\(what) \(product)\(place)\(kind)\(position)\(ends ?? "")."
  }

  /// Returns such as `, instalment 5 of 12`; blank for a charge that is no instalment.
  private static func text(_ position: InstalmentPosition?) -> String {
    guard let position else { return "" }
    return position.number.map { ", instalment \($0) of \(position.total)" }
      ?? ", an instalment, its number in the term is not known"
  }

  /// Returns the end of a period, and the end that was bought where it is another day.
  ///
  /// Such as `until 2026-02-05`, or `bought until 2026-02-05, counted until 2026-01-20`.
  private static func ends(bought: Day, counted: Day) -> String {
    bought == counted ? "until \(bought)" : "bought until \(bought), counted until \(counted)"
  }

  /// Returns the price, such as `9.99 USD`; `nil` if it is not known.
  private func amount(_ event: Event) -> String? {
    guard let own = event.charge, let price = own.price else { return nil }
    return "\(NumberStyle.money(milliunits: Int128(price))) \(names.text(own.currency))"
  }

  /// Returns what became of a period, in a few words.
  private func end(_ event: Event) -> String {
    guard let period = event.period else { return "" }
    if event.fact.hasPrefix("trial") { return event.fact }
    let own = period.explained
    switch own.fate {
    case .continued:
      switch own.ending {
      case .changedProduct: return "changed to another product"
      case .boughtAgainSameDay: return "bought again on the same day"
      case .refunded: return "ended by the refund, and went on"
      case .fullEnd, .oldBillingDay, .transferred, nil:
        if own.isReplaced {
          return period.isCutByUpgrade ? "changed to another product" : "upgraded"
        }
        if own.isRefunded { return "refunded, and went on" }
        // Only the last instalment of a term is followed by a renewal.
        return own.isInstalment && own.position?.isLast != true
          ? "the next instalment was paid" : "renewed"
      }
    case .recovered: return "lapsed, and recovered"
    case .reactivated: return "lapsed, and came back later"
    case .openFinal: return "lapsed"
    case .openProvisional: return "lapsed so far; a late charge may still come"
    case .running: return own.isTransferred ? Period.movedAway : "still running"
    }
  }
}

extension StoryEvent {
  /// Whether the event is a charge or a refund.
  fileprivate var isOfMoney: Bool { kind == .charge || kind == .refund }
}

extension String {
  /// The text with a capital first letter and a full stop.
  var capitalizedSentence: String {
    prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".")
  }
}
