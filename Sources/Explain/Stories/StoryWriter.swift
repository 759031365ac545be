import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// Writes the events of a subscriber as a table, and as lines to read out.
struct StoryWriter: ~Copyable {
  /// A subscription, or the events that belong to none.
  private struct Chapter {
    /// The index of the chain; `nil` for refunds without a charge and rows that do not count.
    let chain: Int?
    let events: [StoryEvent]
    /// The place of the first row.
    let first: UInt64
  }

  let fold: StoryFold
  let asked: AskedSubscription
  let leftOut: [RowsLeftOut.Row]
  let names: Names
  let charges: KeptCharges
  let naming: CustomerTable.Naming?
  /// The number of each row's line.
  let lines: [UInt64: Int]

  /// The subscriptions in the order of their first rows, then the events that belong to none.
  private var chapters: [Chapter] {
    let events = Dictionary(grouping: fold.events, by: \.chain)
    let all = fold.history.chains.indices.map { chain in
      Chapter(
        chain: chain, events: events[chain] ?? [],
        first: fold.history.row(ofPeriod: fold.history.chains[chain].periods.lowerBound))
    }
    let own = all.filter { chapter in
      asked.row.map { row in chapter.events.contains { $0.rows.contains(row) } } ?? true
    }
    // A row that belongs to no subscription: show all subscriptions of its subscriber.
    var chapters = (own.isEmpty ? all : own).sorted { $0.first < $1.first }
    var others = events[nil] ?? []
    others += leftOut.map { row in
      StoryEvent(kind: .ignored, day: row.day, because: row.because, rows: [row.order])
    }
    others.sort(by: StoryEvent.precedes)
    if let first = others.first?.rows.first {
      chapters.append(
        Chapter(chain: nil, events: others, first: chapters.first?.first ?? first))
    }
    return chapters
  }

  // MARK: Names

  private func places(_ event: StoryEvent) -> String {
    event.rows.map { charges.place(of: $0, lines) }.joined(separator: "; ")
  }

  private func name(_ chapter: Chapter) -> String {
    charges.name(of: asked.subscriber, first: chapter.first, lines, naming)
  }

  /// Returns the terms of an event: of the refund, else of the period.
  private func terms(_ event: StoryEvent) -> ChargeTerms? {
    let number =
      event.refund.map { fold.history.refunds[$0].terms }
      ?? event.period.map { fold.history.periods[$0].terms }
    return number.map { fold.own.terms[Int($0)] }
  }

  private func period(_ event: StoryEvent) -> Period? {
    event.period.map { fold.history.periods[$0] }
  }

  // MARK: The table

  static let columns: [ReportTable.Column] = [
    .init("subscription", .key), .init("date", .key), .init("event", .key), .init("app", .text),
    .init("group", .text), .init("product", .text), .init("country", .text), .init("kind", .text),
    .init("price", .money), .init("currency", .text), .init("period_start", .text),
    .init("period_end", .text), .init("bought_until", .text), .init("fact", .text),
    .init("because", .text), .init("counts_in", .text), .init("rows", .text),
  ]

  var table: ReportTable {
    var rows: [[ReportTable.Cell]] = []
    for chapter in chapters {
      let name = name(chapter)
      for event in chapter.events { rows.append(cells(event, of: name)) }
    }
    return ReportTable(name: "explain", dimensions: [], columns: Self.columns, rows: rows)
  }

  private func cells(_ event: StoryEvent, of name: String) -> [ReportTable.Cell] {
    let own = terms(event)
    let text = { (text: String?) in text.map { ReportTable.Cell.text($0) } ?? .missing }
    let hasPrice = event.kind == .charge || event.kind == .refund
    let price = hasPrice ? own?.price : nil
    return [
      .text(name), text(event.day?.description), .text(event.kind.rawValue),
      text(own.map { names.app($0.attributes.app) }),
      text(own.map { names.text($0.attributes.group) }),
      text(own.map { names.product($0.attributes.product) }),
      text(own.map { names.text($0.attributes.country) }), text(own?.kind.name),
      price.map { .money(milliunits: Int128($0.milliunits)) } ?? .missing,
      text(price.map { names.text($0.currency) }), text(period(event)?.start.description),
      text(period(event)?.end.description), text(period(event)?.boughtEnd?.description),
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
      text.append(heading(chapter))
      for event in chapter.events {
        text.append("")
        text.append("\(event.day?.description ?? "no date")  \(headline(event))")
        var details = event.because.isEmpty ? [] : [event.because.capitalizedSentence]
        details += Self.cellsByRow(event.cells).map { "Counts in \($0)." }
        if event.kind != .end, !event.rows.isEmpty { details.append("Row: \(places(event))") }
        text += details.map { String(repeating: " ", count: 12) + $0 }
      }
    }
    return text.map(VisibleText.of)
  }

  private func heading(_ chapter: Chapter) -> String {
    let days = charges.completeness
    guard let chain = chapter.chain else {
      return "Rows of subscriber \(name(chapter)) that belong to no subscription"
    }
    let first = fold.history.periods[fold.history.chains[chain].periods.lowerBound].terms
    let own = fold.own.terms[Int(first)].attributes
    return
      "Subscription \(name(chapter)): \(names.app(own.app)), group \(names.text(own.group)); the data cover \(days.firstDay) to \(days.asOf)"
  }

  /// Returns the cells with one text for those of the same columns: `churn 2026-02, 2026-03: active_start`.
  static func cellsByRow(_ cells: [TableCell]) -> [String] {
    var byMonth: [(rows: String, month: String, columns: [String])] = []
    for cell in cells {
      let place = byMonth.firstIndex { $0.rows == cell.rows && $0.month == cell.month }
      if let place {
        byMonth[place].columns.append(cell.column)
      } else {
        byMonth.append((cell.rows, cell.month, [cell.column]))
      }
    }
    var merged: [(rows: String, months: [String], columns: [String])] = []
    for one in byMonth {
      let place = merged.firstIndex { $0.rows == one.rows && $0.columns == one.columns }
      if let place {
        merged[place].months.append(one.month)
      } else {
        merged.append((one.rows, [one.month], one.columns))
      }
    }
    return merged.map { one in
      let months = one.months.filter { !$0.isEmpty }.joined(separator: ", ")
      return
        "\(one.rows)\(months.isEmpty ? "" : " ")\(months): \(one.columns.joined(separator: ", "))"
    }
  }

  private func headline(_ event: StoryEvent) -> String {
    switch event.kind {
    case .charge: charge(event)
    case .refund: "Refund of \(amount(terms(event)))."
    case .gap: "Gap."
    case .ignored: "A row that does not count."
    case .end: "\(end(event).capitalizedSentence)"
    }
  }

  /// Returns such as `Paid 9.99 USD for Pro Monthly in US, until 2026-02-05.`.
  private func charge(_ event: StoryEvent) -> String {
    guard let own = terms(event), let period = period(event) else { return "" }
    let what =
      own.isPaid
      ? "Paid \(amount(own)) for" : own.kind == .trial ? "Free trial of" : "Free offer of"
    let kind =
      switch own.kind {
      case .standard, .trial: ""
      case .intro: ", at an introductory price"
      case .offer: own.isPaid ? ", with an offer" : ""
      }
    let product = names.product(own.attributes.product)
    let place = names.text(own.attributes.country)
    let ends = Self.ends(bought: period.fullEnd, counted: period.end)
    let position = Self.position(period.instalment.position)
    return "\(what) \(product) in \(place)\(kind)\(position), \(ends)."
  }

  /// Returns such as `, instalment 5 of 12`; blank for a charge that is no instalment.
  static func position(_ position: InstalmentPosition?) -> String {
    guard let position else { return "" }
    return position.number.map { ", instalment \($0) of \(position.total)" }
      ?? ", an instalment, its number in the term is not known"
  }

  /// Returns the end of a period, and the end that was bought where it is another day.
  ///
  /// Such as `until 2026-02-05`, or `bought until 2026-02-05, counted until 2026-01-20`.
  static func ends(bought: Day, counted: Day) -> String {
    bought == counted ? "until \(bought)" : "bought until \(bought), counted until \(counted)"
  }

  private func amount(_ terms: ChargeTerms?) -> String {
    guard let price = terms?.price else { return "" }
    return
      "\(NumberStyle.money(milliunits: Int128(price.milliunits))) \(names.text(price.currency))"
  }

  /// Returns what became of a period, in a few words.
  private func end(_ event: StoryEvent) -> String {
    guard let period = period(event) else { return "" }
    if event.fact.hasPrefix("trial") { return event.fact }
    switch period.fate {
    case .continued:
      switch period.ending {
      case .changedProduct: return "changed to another product"
      case .boughtAgainSameDay: return "bought again on the same day"
      case .refunded: return "ended by the refund, and went on"
      case .fullEnd, .oldBillingDay, .transferred:
        // Only the last instalment of a term is followed by a renewal.
        return period.instalment.position?.isLast ?? true
          ? "renewed" : "the next instalment was paid"
      }
    case .recovered: return "lapsed, and recovered"
    case .reactivated: return "lapsed, and came back later"
    case .openFinal: return "lapsed"
    case .openProvisional: return "lapsed so far; a late charge may still come"
    case .running:
      return period.ending == .transferred ? Period.movedAway : "still running"
    }
  }
}

extension Period {
  /// The first day after the period that was bought, where the period ended on another day; `nil` otherwise.
  fileprivate var boughtEnd: Day? { fullEnd == end ? nil : fullEnd }
}

extension String {
  /// The text with a capital first letter and a full stop.
  var capitalizedSentence: String {
    prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".")
  }
}
