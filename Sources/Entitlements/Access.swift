import Storage
import SubscriptionModel
import Tables

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
  private func spans(
    _ periods: [AccessPeriod], _ history: borrowing ReceiptHistory
  ) -> [Span] {
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
      let grant = Grant(
        item: item, isPublishedInside: item.published >= span.start, span: span)
      if grants[item.id].map(grant.precedes) ?? true { grants[item.id] = grant }
    }
  }
}
