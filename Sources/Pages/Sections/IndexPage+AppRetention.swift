import Counting
import Pipeline
import Rendering
import SubscriptionModel
import Tables

/// Retention on the page of an app.
///
/// The tables by app have no lengths of periods. The curves of each length are those of the app's products.
extension IndexPage {
  /// The curves of an app: one length of periods at a time, or a sentence where its products are not known.
  var retentionOfApp: PageSection? {
    guard let (source, table) = curvesOfProducts else {
      return content.table(of: .retention, months: 1) == nil ? nil : unknownLengths
    }
    let lengths = lengths(of: table)
    if lengths.count == 1, content.table(of: .retention, months: 1)?.source == source {
      return wholeRetention(lengths.first)
    }
    return PageSection("retention", "Retention") { page in
      page.element(.p, text: Self.meaning)
      for duration in lengths.prefix(PageContent.shownDurations) {
        var frame = frame(.retention, source, options: "--by product,duration")
        frame.files = [Self.productFile]
        let curves = products(of: duration, source, [table])
        frame.explanation = curves.first.flatMap { curve in
          content.explainRetention(
            curve.table, source, where: [("product", curve.name), ("duration", duration)],
            appID: appID)
        }
        append(
          Figures.retention(
            "retention-\(duration)", "Kept through their first periods of \(duration)", curves,
            frame), to: &page)
      }
      let others = lengths.dropFirst(PageContent.shownDurations).map(MarkdownText.escaped)
      if !others.isEmpty {
        page.paragraph(
          markdown: "Periods of \(others.joined(separator: ", ")): `\(Self.productFile)`.",
          linking: files, class: "note")
      }
    }
  }

  /// The rows of the app's products by length of period, of the first source that has any.
  private var curvesOfProducts: (source: Source, table: ReportTable)? {
    let view = content.tables[.retention]?.first { $0.dimensions == ["product", "duration"] }
    for source in content.headlines?.sourceOrder ?? [] {
      let own = view?.filtered("source") { $0 == source.rawValue }
      if let own, !own.rows.isEmpty { return (source, own) }
    }
    return nil
  }

  /// Returns the lengths of periods, those with most subscriptions first.
  private func lengths(of table: ReportTable) -> [String] {
    var sizes: [String: Int] = [:]
    for row in table.namedRows where row["k"] == 1 {
      sizes[row.text("duration"), default: 0] += row["at_risk"] ?? 0
    }
    let names = Set(table.namedRows.map { $0.text("duration") }).sorted()
    return names.sorted { left, right in
      let counts = (sizes[left] ?? 0, sizes[right] ?? 0)
      return counts.0 != counts.1 ? counts.0 > counts.1 : left < right
    }
  }

  /// Why there is no curve.
  private var unknownLengths: PageSection {
    PageSection("retention", "Retention") { page in
      page.paragraph(
        markdown:
          "No curve is drawn: the data do not say which products with lengths of periods are of this app, and a week's and a year's periods do not mix. Each product: `\(Self.productFile)`.",
        linking: files, class: "note")
    }
  }
}
