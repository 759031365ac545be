import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// Writes the events of a customer's subscriptions as rows of a table, and as lines to read out.
struct ReceiptStoryWriter {
  private(set) var rows: [[ReportTable.Cell]] = []
  private(set) var lines: [String] = []

  private let names: Names
  private let receipts: KeptReceipts
  private let naming: CustomerTable.Naming?
  private let customer: CustomerName
  private let found: [ReceiptPlace: KeptReceipts.FoundPlace]

  /// Writes the events.
  ///
  /// - Parameters:
  ///   - fold: The events of the customer.
  ///   - ids: The ids that choose the subscriptions.
  ///   - names: The texts behind the symbols.
  ///   - receipts: The receipts of the run.
  ///   - naming: How customers are named; `nil` for the place of the first purchase.
  /// - Throws: `KeptCharges.LineError` for a file that cannot be read again.
  init(
    _ fold: borrowing ReceiptStoryFold, _ ids: Set<ReceiptID>, _ names: Names,
    _ receipts: KeptReceipts, _ naming: CustomerTable.Naming?
  ) throws {
    (self.names, self.receipts, self.naming) = (names, receipts, naming)
    let (periods, chains) = (fold.history.periods, fold.history.chains)
    let own = chains.indices.filter { chain in
      chains[chain].periods.contains { periods[$0].isOf(ids) }
    }
    let events = fold.events(own)
    customer = fold.history.name()
    var wanted = events.reduce(into: Set<ReceiptPlace>()) { $0.formUnion($1.rows) }
    for chain in own { wanted.formUnion(fold.places[chains[chain].periods.lowerBound].charge) }
    if case .row(let file, let row, let number) = customer {
      wanted.insert(ReceiptPlace(file: file, row: row, number: number))
    }
    found = try receipts.places(of: wanted, jobs: 1)
    let ofChains = Dictionary(grouping: events, by: \.chain)
    for chain in own {
      let first = fold.places[chains[chain].periods.lowerBound].charge.first
      let name = name(first)
      if !lines.isEmpty { lines.append("") }
      lines.append(heading(name, chains[chain]))
      for event in ofChains[chain] ?? [] {
        rows.append(cells(event, periods[event.period], name))
        lines += text(event, periods[event.period])
      }
    }
    lines = lines.map(VisibleText.of)
  }

  // MARK: Names

  private func name(_ first: ReceiptPlace?) -> String {
    if let naming { return receipts.text(of: customer, naming, found) }
    return first.map(text) ?? ""
  }

  private func text(_ place: ReceiptPlace) -> String { receipts.text(of: place, found) }

  private func places(_ event: ReceiptStoryEvent) -> String {
    event.rows.map(text).joined(separator: "; ")
  }

  // MARK: The table

  private func cells(
    _ event: ReceiptStoryEvent, _ period: ReceiptPeriod, _ name: String
  ) -> [ReportTable.Cell] {
    let own = period.event
    let hasPrice = event.kind == .charge || event.kind == .refund
    let price = hasPrice ? own.price : nil
    return [
      .text(name), .text(event.instant.description), .text(event.kind.rawValue),
      .text(names.app(own.app)), .text(names.text(own.group)), .text(names.product(own.product)),
      .text(names.text(own.country)), .text(own.kind.name),
      price.map { .money(milliunits: Int128($0)) } ?? .missing,
      price == nil ? .missing : .text(names.text(own.currency)),
      .text(period.start.description), period.end.map { .text($0.description) } ?? .missing,
      own.expires == period.end ? .missing : own.expires.map { .text($0.description) } ?? .missing,
      .text(event.fact), .text(event.because),
      .text(event.cells.map(\.text).joined(separator: "; ")), .text(places(event)),
    ]
  }

  // MARK: Text

  private func heading(_ name: String, _ chain: ReceiptChain) -> String {
    let group = chain.group == .blank ? "no group" : "group \(names.text(chain.group))"
    let family = chain.ownership == .family ? ", shared by family" : ""
    return
      "Subscription \(name): \(names.app(chain.app)), \(group)\(family); its data end on \(chain.asOf.day); state: \(chain.state.rawValue)"
  }

  private func text(_ event: ReceiptStoryEvent, _ period: ReceiptPeriod) -> [String] {
    var details = event.because.isEmpty ? [] : [event.because.capitalizedSentence]
    details += StoryWriter.cellsByRow(event.cells).map { "Counts in \($0)." }
    if event.kind != .end, !event.rows.isEmpty { details.append("Row: \(places(event))") }
    return ["", "\(event.instant.day)  \(headline(event, period))"]
      + details.map { String(repeating: " ", count: 12) + $0 }
  }

  private func headline(_ event: ReceiptStoryEvent, _ period: ReceiptPeriod) -> String {
    switch event.kind {
    case .charge: return charge(period)
    case .refund:
      let amount = amount(period)
      return amount.isEmpty ? "Refund." : "Refund of a charge of \(amount)."
    case .gap: return "Gap."
    case .ignored: return ""
    case .end: return "\(end(event, period).capitalizedSentence)"
    }
  }

  /// Returns such as `Paid 9.99 USD for com.example.month in US, until 2026-02-05.`.
  private func charge(_ period: ReceiptPeriod) -> String {
    let own = period.event
    let amount = amount(period)
    let what =
      own.isPaid
      ? amount.isEmpty ? "Paid for" : "Paid \(amount) for"
      : own.kind == .trial ? "Free trial of" : "Free period of"
    let kind =
      switch own.kind {
      case .standard, .trial: ""
      case .intro: ", at an introductory price"
      case .offer: own.isPaid ? ", with an offer" : ""
      }
    let country = own.country == .blank ? "" : " in \(names.text(own.country))"
    let expires = own.expires.map { expires in
      ", " + StoryWriter.ends(bought: expires.day, counted: (period.end ?? expires).day)
    }
    let position = StoryWriter.position(period.position)
    return "\(what) \(names.product(own.product))\(country)\(kind)\(position)\(expires ?? "")."
  }

  private func amount(_ period: ReceiptPeriod) -> String {
    guard let price = period.event.price else { return "" }
    return
      "\(NumberStyle.money(milliunits: Int128(price))) \(names.text(period.event.currency))"
  }

  /// Returns what became of a period, in a few words.
  private func end(_ event: ReceiptStoryEvent, _ period: ReceiptPeriod) -> String {
    if event.fact.hasPrefix("trial") { return event.fact }
    return switch period.fate {
    case .renewed:
      period.isRefunded
        ? "refunded, and went on"
        : period.isInstalment && period.position?.isLast != true
          ? "the next instalment was paid" : "renewed"
    case .upgraded: period.cut == .upgrade ? "changed to another product" : "upgraded"
    case .recovered: "lapsed, and recovered"
    case .reactivated: "lapsed, and came back later"
    case .openFinal: "lapsed"
    case .openProvisional: "lapsed so far; a late charge may still come"
    case .current: "still running"
    case .none: "ended"
    }
  }
}
