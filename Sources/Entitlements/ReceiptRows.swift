import Counting
import Storage
package import SubscriptionModel
package import Tables

/// The rows of one receipt table: METRICS.md section 9.
///
/// Each thread adds the rows of its customers; at the end the rows are merged and sorted.
package struct ReceiptRows: Sendable {
  /// The tables with rows for single customers.
  package enum Kind: String, CaseIterable, Sendable {
    /// One row for each period.
    case timeline
    /// One row for each chain.
    case chains
    /// One row for each customer, app and group.
    case eligibility
    /// One row for each customer and item of content that the customer may read.
    case access
  }

  /// The table.
  package let kind: Kind
  /// The rows so far, in no order.
  private(set) var rows: [[ReportTable.Cell]] = []
  private let symbols: [String]
  private let content: ContentCatalogue

  /// Creates a table without rows; only `access` needs the content.
  package init(
    _ kind: Kind, symbols: [String], content: ContentCatalogue = ContentCatalogue(items: [])
  ) {
    self.kind = kind
    self.symbols = symbols
    self.content = content
  }

  /// Adds the rows of one customer, who is named by a text.
  package mutating func add(_ history: borrowing ReceiptHistory, customer: String) {
    let more =
      switch kind {
      case .timeline: timelineRows(history)
      case .chains: history.chains.map { chainCells($0, history.periods) }
      case .eligibility: eligibilityRows(history)
      case .access: accessRows(history, content)
      }
    for cells in more { rows.append([.text(customer)] + cells) }
  }

  /// Adds the rows of other customers in the same table.
  package mutating func merge(_ other: ReceiptRows) {
    precondition(kind == other.kind, "rows of the same table")
    rows += other.rows
  }

  /// Returns the table, sorted by its first columns, then by start, then by all other columns; only a header without
  /// rows.
  package func table() -> ReportTable {
    let columns = kind.columns
    let keys = columns.indices.filter {
      columns[$0].kind == .key || columns[$0].name == "first_start"
    }
    let order = keys + columns.indices.filter { !keys.contains($0) }
    return ReportTable(
      name: kind.rawValue, dimensions: [], columns: columns,
      rows: rows.sorted { left, right in
        for column in order where left[column] != right[column] {
          return left[column].rawText.precedes(right[column].rawText)
        }
        return false
      })
  }

  // MARK: Cells

  func cell(_ symbol: Symbol) -> ReportTable.Cell {
    symbol == .blank ? .missing : .text(symbols[Int(symbol)])
  }

  func cell(_ instant: Instant?) -> ReportTable.Cell {
    instant.map { .text($0.description) } ?? .missing
  }

  func cell(_ isTrue: Bool) -> ReportTable.Cell { .text(isTrue ? "yes" : "no") }

  func cell(_ word: String?) -> ReportTable.Cell { word.map { .text($0) } ?? .missing }

  func cell(_ ownership: TransactionCopy.Ownership) -> ReportTable.Cell {
    .text(ownership == .family ? "family" : "purchased")
  }
}

extension ReceiptRows.Kind {
  /// The table's columns.
  package var columns: [ReportTable.Column] {
    let groups: [(names: String, kind: ReportTable.Column.Kind)] =
      switch self {
      case .timeline:
        [
          ("customer app group ownership product start", .key),
          ("end expires kind paid cut refunded refund_date", .text),
          ("gap_before_seconds active_period", .count), ("fate reason", .text), ("price", .money),
          ("currency plan", .text), ("instalment of", .count),
        ]
      case .chains:
        [
          ("customer app group ownership type", .key),
          ("state reason as_of first_start last_end start_month", .text),
          ("active_periods covered_seconds charges paid_charges lapses refunds", .count),
        ]
      case .eligibility:
        [
          ("customer app group", .key),
          ("introductory introductory_reason promotional promotional_reason", .text),
          ("win_back win_back_reason win_back_offers", .text),
        ]
      case .access:
        [("customer content", .key), ("published reason period_start period_end", .text)]
      }
    return groups.flatMap { names, kind in
      names.split(separator: " ").map { ReportTable.Column(String($0), kind) }
    }
  }
}

extension ReportTable.Cell {
  /// The value as text without escaping, by which rows of receipt tables are sorted.
  fileprivate var rawText: String {
    switch self {
    case .missing: ""
    case .text(let text): text
    case .count(let count): String(count)
    case .money(let milliunits): priceText(Int64(milliunits), currency: "")
    case .ratio, .fraction, .hundredths: preconditionFailure("no cell of a receipt table")
    }
  }
}

extension ReceiptRows {
  /// A time during which the customer has access to a series without interruption.
  private struct Span {
    var start: Instant
    /// `nil` if access has no end.
    var end: Instant?
  }

  /// An item that a customer may read, with the reason and the span of access.
  private struct Grant {
    var item: ContentItem
    var isPublishedInside: Bool
    var span: Span

    /// Returns whether the table shows this grant instead of another one for the same item.
    ///
    /// `published during period` precedes `current at start`; then the earlier span precedes, then the longer one,
    /// then the item that was published earlier.
    func precedes(_ other: Grant) -> Bool {
      if isPublishedInside != other.isPublishedInside { return isPublishedInside }
      if span.start != other.span.start { return span.start < other.span.start }
      if span.end != other.span.end {
        guard let end = span.end else { return true }
        return other.span.end.map { end > $0 } ?? false
      }
      return item.published < other.item.published
    }
  }

  /// Returns the rows of `access.csv` without the customer: one per item, even if several series contain it.
  func accessRows(
    _ history: borrowing ReceiptHistory, _ content: ContentCatalogue
  ) -> [[ReportTable.Cell]] {
    var grants: [ExactText: Grant] = [:]
    // Every chain gives access, so merge the periods of all the customer's chains.
    var periods: [AccessPeriod] = []
    for chain in history.chains { periods += history.accessPeriods(of: chain) }
    periods.sort { $0.start < $1.start }
    // A customer has few of the series of a large catalogue.
    var opened: [Int: [AccessPeriod]] = [:]
    for period in periods {
      for series in content.series(openedBy: period) { opened[series, default: []].append(period) }
    }
    for (series, periods) in opened.sorted(by: { $0.key < $1.key }) {
      for span in spans(periods, history) {
        add(span, content.series[series], asOf: history.asOf, to: &grants)
      }
    }
    return grants.values.map { grant in
      [
        .text(grant.item.id), cell(grant.item.published),
        .text(grant.isPublishedInside ? "published during period" : "current at start"),
        cell(grant.span.start), cell(grant.span.end),
      ]
    }
  }

  /// Returns the periods that start by as-of as spans, joining gaps up to the tolerance.
  private func spans(_ periods: [AccessPeriod], _ history: borrowing ReceiptHistory) -> [Span] {
    let tolerance = history.toleranceSeconds
    var spans: [Span] = []
    for period in periods where period.start <= history.asOf {
      if let last = spans.last, last.end.map({ period.start - $0 <= tolerance }) ?? true {
        guard let end = last.end else { continue }
        spans[spans.count - 1].end = period.end.map { max(end, $0) }
      } else {
        spans.append(Span(start: period.start, end: period.end))
      }
    }
    // A span without length gives no access.
    return spans.filter { $0.end != $0.start }
  }

  /// Grants the items published during a span, and the newest items at its start.
  private func add(
    _ span: Span, _ series: ContentSeries, asOf: Instant,
    to grants: inout [ExactText: Grant]
  ) {
    let begun = series.count(before: span.start + 1)
    let newest = begun > 0 ? series.items[begun - 1].published : span.start
    let end = min(span.end ?? asOf + 1, asOf + 1)
    let first = series.count(before: newest)
    for item in series.items[first..<max(first, series.count(before: end))]
    where item.published == newest || item.published >= span.start {
      let grant = Grant(item: item, isPublishedInside: item.published >= span.start, span: span)
      if grants[item.id].map(grant.precedes) ?? true { grants[item.id] = grant }
    }
  }
}

/// A customer's eligibility for offers in one group of one app: METRICS.md section 9, RECEIPTS.md section 6.
private struct Eligibility {
  enum Answer: String {
    case yes, no, unknown
  }

  /// The chain that the customer bought in the group.
  var bought: ReceiptChain?
  /// The chain shared by the customer's family in the group.
  var shared: ReceiptChain?
  /// The states of all chains that the customer bought in the app.
  var statesInApp: Set<ReceiptChain.State>

  var introductory: (Answer, reason: String) {
    guard let bought else { return (.unknown, "family shared only") }
    if bought.usedIntroductoryOffer { return (.no, "introductory offer used") }
    if bought.state.isRunning { return (.no, "subscribed") }
    if bought.state == .unresolved { return (.unknown, "state unresolved") }
    return bought.isStartKnown ? (.yes, "lapsed, never used") : (.unknown, "history incomplete")
  }

  var promotional: (Answer, reason: String) {
    if statesInApp.isEmpty { return (.no, "family shared only") }
    if statesInApp.contains(where: \.isRunning) { return (.yes, "subscribed") }
    return (.yes, statesInApp.contains(.unresolved) ? "subscribed or lapsed" : "lapsed")
  }

  var winBack: (Answer, reason: String, offers: Symbol) {
    guard let chain = bought ?? shared else { return (.unknown, "not in the data", .blank) }
    if chain.state.isRunning { return (.no, "subscribed", .blank) }
    guard let offers = chain.winBackOffers else { return (.unknown, "not in the data", .blank) }
    return (offers == .blank ? .no : .yes, "in renewal info", offers)
  }
}

extension ReceiptRows {
  /// Returns the rows of `eligibility.csv` without the customer.
  func eligibilityRows(_ history: borrowing ReceiptHistory) -> [[ReportTable.Cell]] {
    let chains = history.chains.filter { $0.kind == .autoRenewable }
    let groups = Dictionary(grouping: chains) { [$0.app, $0.group] }
    let statesInApp = chains.reduce(into: [Symbol: Set<ReceiptChain.State>]()) { states, chain in
      if chain.ownership == .purchased { states[chain.app, default: []].insert(chain.state) }
    }
    return groups.values.map { inGroup in
      let chain = inGroup[0]
      let eligibility = Eligibility(
        bought: inGroup.first { $0.ownership == .purchased },
        shared: inGroup.first { $0.ownership == .family },
        statesInApp: statesInApp[chain.app] ?? [])
      let introductory = eligibility.introductory
      let promotional = eligibility.promotional
      let winBack = eligibility.winBack
      let suffix = chain.group == .blank ? "; group unknown" : ""
      return [
        cell(chain.app), cell(chain.group),
        .text(introductory.0.rawValue), .text(introductory.reason + suffix),
        .text(promotional.0.rawValue), .text(promotional.reason),
        .text(winBack.0.rawValue), .text(winBack.reason), cell(winBack.offers),
      ]
    }
  }

  /// Returns the rows of `timeline.csv` without the customer.
  func timelineRows(_ history: borrowing ReceiptHistory) -> [[ReportTable.Cell]] {
    let periods = history.periods
    return history.chains.flatMap { chain in
      periods[chain.periods].map { periodCells($0, chain) }
    }
  }

  private func periodCells(_ period: ReceiptPeriod, _ chain: ReceiptChain) -> [ReportTable.Cell] {
    let event = period.event
    // Only a refund in the second of the purchase makes a period without length a lapse.
    let hasFate = !period.hasNoLength || period.isLapse
    return [
      cell(chain.app), cell(chain.group), cell(chain.ownership), cell(event.product),
      cell(period.start), cell(period.end), cell(event.expires),
      .text(chain.kind == .autoRenewable ? event.kind.name : chain.kind.rawValue),
      cell(event.isPaid), cell(period.cut?.rawValue), cell(period.refund?.rawValue),
      cell(period.refund == nil ? nil : event.cancellation),
      period.gapBefore.map { .count($0) } ?? .missing,
      period.activePeriod.map { .count($0) } ?? .missing,
      .text((hasFate ? period.fate : .none).rawValue), cell(period.reason?.name),
      event.price.map { .money(milliunits: Int128($0)) } ?? .missing, cell(event.currency),
      .text(period.plan.name), period.position?.number.map { .count($0) } ?? .missing,
      period.position.map { .count($0.total) } ?? .missing,
    ]
  }

  /// Returns the row of a chain in `chains.csv` without the customer.
  func chainCells(_ chain: ReceiptChain, _ all: [ReceiptPeriod]) -> [ReportTable.Cell] {
    let periods = all[chain.periods]
    let first = periods[periods.startIndex].start
    let ends = periods.compactMap(\.end)
    return [
      cell(chain.app), cell(chain.group), cell(chain.ownership), .text(chain.kind.rawValue),
      .text(chain.state.rawValue), cell(chain.reason?.name), cell(chain.asOf), cell(first),
      cell(ends.count == periods.count ? ends.max() : nil),
      .text(chain.isStartKnown ? first.month.description : "before \(first.month)"),
      .count(chain.activePeriodCount), .count(chain.coveredSeconds), .count(periods.count),
      .count(periods.count(where: \.event.isPaid)), .count(periods.count(where: \.isLapse)),
      .count(periods.count(where: \.isRefunded)),
    ]
  }
}

extension LapseReason {
  /// The reason's name in reports.
  var name: String {
    switch self {
    case .voluntary: "voluntary"
    case .billing: "billing"
    case .price: "price"
    case .refund: "refund"
    case .removed: "removed"
    case .other: "other"
    case .unknown: "unknown"
    }
  }
}
