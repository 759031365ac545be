import Pipeline
import SubscriptionModel
import Tables

extension PageContent {
  /// The lengths of periods that are shown.
  private static let shownDurations = 2

  /// The curves of the lengths of periods with most subscriptions, from the headline source where it has them.
  ///
  /// A week's and a year's periods do not mix: k = 12 is twelve weeks or twelve years. `nil` where no source knows the
  /// length, and on the page of an app.
  var retentionByDuration: (source: Source, table: ReportTable)? {
    guard let view = tables[.retention]?.first(where: { $0.dimensions == ["duration"] }) else {
      return nil
    }
    for source in headlines?.sourceOrder ?? [] {
      var own = view.filtered("source") { $0 == source.rawValue }.keeping { $0 != "source" }
      guard !own.rows.isEmpty else { continue }
      let curves = Dictionary(grouping: zip(own.rows, own.namedRows)) { $0.1.text("duration") }
      // The first row of a curve has the subscriptions at risk in the first period.
      let sizes = curves.mapValues { $0.first?.1["at_risk"] ?? 0 }
      let sorted = sizes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      let shown = sorted.prefix(Self.shownDurations).map(\.key)
      own.rows = shown.flatMap { name in (curves[name] ?? []).map(\.0) }
      return (source, own)
    }
    return nil
  }
}
