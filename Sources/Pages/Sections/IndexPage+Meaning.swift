import PriceImpact
import Rendering
import Settlement
import Tables

extension IndexPage {
  /// The tables of the page, in its order.
  private static let shownTables: [TableKind] = [
    .movement, .churn, .renewals, .retention, .trials, .refunds, .proceeds,
  ]

  /// The definitions of the numbers on the page, and, folded, the meanings of columns.
  var meaningSection: PageSection? {
    let shown = Self.shownTables.compactMap { kind in
      let curves = kind == .retention ? content.durationCurves.first : nil
      let source = curves?.source ?? content.table(of: kind, months: detail.months)?.source
      return source.map { (kind: kind, source: $0) }
    }
    let definitions = content.meanings(of: shown).map { "**\($0.title):** \($0.sentence)" }
    return PageSection("meaning", "What the numbers mean") { page in
      page.list(markdown: definitions + content.readingHints)
      page.folded("The columns of the tables") { page in
        for (kind, source) in shown {
          append(
            Definition.definition(of: kind).title, Definition.columns(of: kind, from: source),
            to: &page)
        }
        if content.drivers != nil {
          append("Drivers", HeadlineTable.drivers.allColumns, to: &page)
        }
        append("Price increases", filledImpactColumns, to: &page)
        if content.finance != nil {
          append("Reconciliation", Definition.reconcileColumns, to: &page)
        }
      }
    }
  }

  /// The columns of `price_impact.csv` that have a value: most are empty where too few met an increase.
  private var filledImpactColumns: [Definition.Column] {
    guard let table = tables.priceTable(PriceTable.impact.rawValue), !table.rows.isEmpty else {
      return []
    }
    let filled = Set(table.withoutEmptyColumns.columns.map(\.name))
    return PriceTable.impact.allColumns.filter { filled.contains($0.column.name) }
  }

  private func append(
    _ title: String, _ columns: [Definition.Column], to page: inout HTMLWriter
  ) {
    guard !columns.isEmpty else { return }
    page.element(.h3, text: title)
    page.element(.dl) { page in
      for column in columns {
        page.element(.dt, text: column.column.name)
        page.element(.dd) { InlineMarkdown.append(column.meaning, to: &$0) }
      }
    }
  }
}
