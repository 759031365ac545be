import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

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
    case .refund: amount(event).map { "\(Source.refundOf) \($0)." } ?? "Refund."
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
      : own.kind == .trial ? "Free trial of" : "Free \(Source.freePeriod) of"
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
