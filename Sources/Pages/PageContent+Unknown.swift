import AppStoreReports
import Counting
import Pipeline
import Rendering
import Storage
package import SubscriptionModel
package import Tables

/// Numbers that the data do not give: pages leave them out, or say why in words.
extension PageContent {
  /// The health of the data in one line, in Markdown, with the headline numbers that are not complete.
  package var healthLine: String {
    let named = headlines.map { made in
      Set(
        health.days.groups(in: .missing, withStops: true).flatMap {
          figures(lacking: $0.kind, in: made.month)
        })
    }
    let labels = (words?.partialLabels ?? []).map { $0.lowercased() }
      .filter { named?.contains($0) != true }
    let others =
      labels.isEmpty ? "" : " Not complete in this month: \(labels.joined(separator: ", "))."
    let known: HealthSection.FiguresOfDays? =
      values.isEmpty ? nil : { figures(lacking: $0, in: $1) }
    return health.line(known) + others + leftOutByFilters
  }

  /// Returns the headline numbers that lack days of a kind of report in a month, such as `churn rate`; none where they
  /// come from other reports.
  ///
  /// - Parameters:
  ///   - kind: The kind of report, as days.csv writes it.
  ///   - month: The month of the missing days.
  /// - Returns: The numbers in small letters.
  private func figures(lacking kind: String, in month: Month) -> [String] {
    values.filter { value in
      guard let report = result.sources.first(where: { $0.source == value.source }),
        Self.kinds(value.source).contains(where: { $0.rawValue == kind }),
        value.source != .events || Self.headlines(ofEvents: kind).contains(value.headline)
      else { return false }
      let state = headlines?.state(value.headline, report, in: month)
      return report.completeness.isPartial(month)
        && (value.headline == .netProceeds || state == .partial)
    }.map { $0.headline.label.lowercased() }.unique
  }

  /// Returns the headline numbers of events that are made from a kind of report: snapshots have the active
  /// subscriptions, which churn is divided by.
  private static func headlines(ofEvents kind: String) -> [Headline] {
    kind == ReportKind.subscription.rawValue
      ? [.active, .netChange, .churnRate] : [.churnRate, .renewalRate]
  }

  /// Returns why the headline month has no row in a section; blank where it has one.
  ///
  /// A month whose reports are all empty would show losses that may not have happened.
  ///
  /// - Parameters:
  ///   - kind: The table of the section.
  ///   - source: The source of its rows.
  /// - Returns: A sentence, such as `September 2026 is not shown: all SUBSCRIBER reports of September 2026 are empty.`
  package func monthWithoutRows(_ kind: TableKind, _ source: Source) -> String {
    guard let words else { return "" }
    let name = words.name(words.month)
    guard let why = words.empty.reason(kind, source, of: name) else { return "" }
    return "\(name.capitalizedFirst) is not shown: \(why)."
  }

  /// Why commitments of the headline month are not shown, although earlier months have some; blank otherwise.
  package var commitmentsNotShown: String {
    guard let source = table(of: .commitments, months: 2)?.source else { return "" }
    let why = monthWithoutRows(.commitments, source)
    return why.isEmpty ? "" : "Commitments (`\(source.rawValue)`): \(why)"
  }

  /// Whether a table of the whole population has the bounds of an interval.
  var hasIntervals: Bool {
    tables.values.contains { views in
      let whole = views.first(where: \.dimensions.isEmpty)
      return whole?.namedRows.contains { $0.cell("low") != .missing } ?? false
    }
  }

  /// Where the periods behind numbers of receipts can be read; blank for another headline source.
  var rowsOfReceipts: String {
    guard headlines?.headlineSource == .receipts else { return "" }
    return "`subreport timeline` lists each period of `receipts` with its fate."
  }

  /// Returns why churn of the last month is more than movement shows; blank where the two are equal.
  ///
  /// They differ for events only. A subscription that lapses at the end of Apple's retry counts as churned then. It
  /// has left the paid subscriptions before, when the payment failed.
  ///
  /// - Parameters:
  ///   - movement: Rows of `movement` of one source.
  ///   - source: The source.
  /// - Returns: The sentences.
  package func churnedLater(_ movement: ReportTable, _ source: Source) -> String {
    guard source == .events, let row = movement.namedRows.last, let here = row["churned"],
      let month = months.month(named: row.text("month"))
    else { return "" }
    let churn = tables[.churn]?.first(where: \.dimensions.isEmpty)
    let same = churn?.namedRows.first {
      $0.source == source.rawValue && $0.text("month") == row.text("month")
    }
    guard let all = same?["churned"], all > here else { return "" }
    return """
      Churn in \(month.longName(months)) is \(NumberStyle.grouped(all)), \(NumberStyle.grouped(all - here)) more than \
      the \(NumberStyle.grouped(here)) churned here: for those, Apple's tries to collect a failed payment ended without one. \
      They left here when the payment failed, up to 60 days before.
      """
  }

  /// Returns how many subscriptions of the headline month no event explains; blank where events explain all.
  ///
  /// - Parameters:
  ///   - movement: Rows of `movement` of one source, the last one of the headline month.
  ///   - source: The source: in others every change is a row.
  /// - Returns: One sentence in Markdown.
  func unexplainedChange(_ movement: ReportTable, _ source: Source) -> String {
    guard source == .events, let row = movement.namedRows.last,
      row.text("month") == headlines.map({ months.name($0.month) }),
      let count = row["unexplained"], count != 0
    else { return "" }
    return
      "`close_observed` is Apple's count; no event explains its difference of \(HeadlineFigures.signed(.count(count))) from `close`."
  }

  /// Returns a sentence on refunds of sales that are not in the data; blank without any.
  ///
  /// They have no row by date of sale, but count wherever refunds count by their own date.
  package func refundsOfEarlierSales(_ source: Source) -> String {
    guard let whole = tables[.refunds]?.first else { return "" }
    let sum = { (dating: String) -> Int in
      let rows = whole.namedRows.filter {
        $0.source == source.rawValue && $0.text("dating") == dating
      }
      return rows.reduce(0) { $0 + ($1["refunds_full"] ?? 0) + ($1["refunds_partial"] ?? 0) }
    }
    let earlier = sum("refund") - sum("sale")
    guard earlier > 0 else { return "" }
    return
      "In all months, \(counted(earlier, "refund")) of sales before the data \(earlier == 1 ? "counts" : "count") in net proceeds, and in `refunds.csv` under dating `refund` only."
  }
}
