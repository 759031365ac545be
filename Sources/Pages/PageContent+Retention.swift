import Pipeline
package import SubscriptionModel
package import Tables

/// The retention curve of the periods of one length.
package struct DurationCurve: Sendable {
  /// The length, such as `1 Month`.
  package let name: String
  package let source: Source
  /// The rows of the curve, without the source.
  package let curve: ReportTable
  /// The subscriptions at risk in the first period.
  let atRisk: Int
}

extension PageContent {
  /// The number of lengths of periods with a curve; the others are in the files.
  package static let shownDurations = 2

  /// The curve of each length of periods, those with most subscriptions first, from the first source that has any.
  ///
  /// A week's and a year's periods do not mix: k = 12 is twelve weeks or twelve years. Empty where no source knows the
  /// length, and on the page of an app.
  package var durationCurves: [DurationCurve] {
    guard let view = tables[.retention]?.first(where: { $0.dimensions == ["duration"] }) else {
      return []
    }
    for source in headlines?.sourceOrder ?? [] {
      let own = view.filtered("source") { $0 == source.rawValue }
      guard !own.rows.isEmpty else { continue }
      let names = Set(own.namedRows.map { $0.text("duration") })
      let found = names.map { name in
        let rows = own.filtered("duration") { $0 == name }
        return DurationCurve(
          name: name, source: source, curve: rows.keeping { $0 != "source" },
          atRisk: rows.namedRows.first?["at_risk"] ?? 0)
      }
      return found.sorted { ($1.atRisk, $0.name) < ($0.atRisk, $1.name) }
    }
    return []
  }

  /// The curves of the lengths of periods with most subscriptions in one table; `nil` without any.
  var retentionByDuration: (source: Source, table: ReportTable)? {
    let curves = durationCurves.prefix(Self.shownDurations)
    guard let first = curves.first else { return nil }
    var table = first.curve
    table.rows = curves.flatMap(\.curve.rows)
    return (first.source, table)
  }
}
