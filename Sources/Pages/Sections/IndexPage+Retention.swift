import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

extension IndexPage {
  /// The products with a curve of their own.
  private static let shownProducts = 6
  /// The file with the curves of each product and duration.
  static let productFile = "retention-by-product-duration.csv"
  /// What a curve shows.
  static let meaning =
    "A curve falls with each paid period that was not followed by another. Only periods of one length are compared."

  /// The curves and the heat map of each duration, one at a time: a week's and a year's periods do not mix.
  var retentionSection: PageSection? {
    guard let views = content.tables[.retention] else { return nil }
    let durations = content.durationCurves
    guard !durations.isEmpty else {
      return files.contains(Self.productFile) && content.app != nil
        ? retentionOfApp : wholeRetention()
    }
    return PageSection("retention", "Retention") { page in
      page.element(.p, text: Self.meaning)
      for (place, duration) in durations.prefix(PageContent.shownDurations).enumerated() {
        append(duration, views, hasHeatMap: place == 0, to: &page)
      }
      let others = durations.dropFirst(PageContent.shownDurations).map(\.name)
      if !others.isEmpty {
        page.paragraph(
          markdown:
            "Periods of \(others.map(MarkdownText.escaped).joined(separator: ", ")): `retention-by-duration.csv`.",
          linking: files, class: "note")
      }
    }
  }

  private func append(
    _ duration: DurationCurve, _ views: [ReportTable], hasHeatMap: Bool, to page: inout HTMLWriter
  ) {
    var frame = frame(.retention, duration.source, options: "--by duration")
    frame.files = ["retention-by-duration.csv", Self.productFile]
      .filter(files.contains)
    let products = products(of: duration.name, duration.source, views)
    frame.explanation = content.explainRetention(
      duration.curve, duration.source, where: [("duration", duration.name)])
    // The first figure has the same command.
    if !hasHeatMap, frame.explanation != nil { frame.command = nil }
    // One product's curve is that of all.
    let curves = [(name: "all", table: duration.curve)] + (products.count > 1 ? products : [])
    append(
      Figures.retention(
        "retention-\(duration.name)", "Kept through their first periods of \(duration.name)",
        curves, frame), to: &page)
    guard hasHeatMap else { return }
    let ofStart = views.first { $0.dimensions == ["start_month", "duration"] }
    let rows = ofStart?.filtered("source") { $0 == duration.source.rawValue }
      .filtered("duration") { $0 == duration.name }
    frame.explanation = nil
    frame.files = ["retention-by-start_month-duration.csv"].filter(files.contains)
    frame.command = command.line(
      "retention", "--source \(duration.source.rawValue) --by start_month,duration")
    if let rows, let heatMap = Figures.heatMap(rows, duration.name, frame) {
      append(heatMap, to: &page)
    }
  }

  /// Returns the curves of the products with most subscriptions, of one duration and source.
  func products(
    of duration: String, _ source: Source, _ views: [ReportTable]
  ) -> [Figures.Curve] {
    guard let view = views.first(where: { $0.dimensions == ["product", "duration"] }) else {
      return []
    }
    let own = view.filtered("source") { $0 == source.rawValue }
      .filtered("duration") { $0 == duration }
    let names = Set<ExactText>(of: own.namedRows.map { $0.text("product") }).inOrder
    let found = names.map { name -> (atRisk: Int, curve: Figures.Curve) in
      let rows = own.filtered("product") { $0.isSame(as: name) }
      let curve = (name: name, table: rows.keeping { $0 != "source" })
      return (atRisk: rows.namedRows.first?["at_risk"] ?? 0, curve: curve)
    }
    let sorted = found.sorted {
      ($1.atRisk, ExactText($0.curve.name)) < ($0.atRisk, ExactText($1.curve.name))
    }
    return sorted.prefix(Self.shownProducts).map(\.curve)
  }

  /// Returns the curve of all periods together, where no source knows their length or an app has one length only.
  ///
  /// - Parameter duration: The only length; `nil` where the lengths are not known.
  /// - Returns: The section; `nil` without a curve.
  func wholeRetention(_ duration: String? = nil) -> PageSection? {
    guard let (source, rows) = content.table(of: .retention, months: 1), !rows.rows.isEmpty else {
      return nil
    }
    var frame = frame(.retention, source, options: "")
    frame.explanation = content.explainRetention(rows, source, appID: appID)
    return PageSection("retention", "Retention") { page in
      page.element(
        .p,
        text: duration == nil
          ? "Periods of all lengths together: a week counts as much as a year." : Self.meaning)
      append(
        Figures.retention(
          "retention", "Kept through their first periods\(duration.map { " of \($0)" } ?? "")",
          [(name: "all", table: rows)], frame), to: &page)
    }
  }
}
