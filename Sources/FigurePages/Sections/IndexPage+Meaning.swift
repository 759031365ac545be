import Pages
import PriceImpact
import Rendering
import Settlement
import Tables

extension IndexPage {
  /// The tables of the page, in its order.
  private static let shownTables: [TableKind] = [
    .movement, .churn, .renewals, .retention, .trials, .refunds, .proceeds,
  ]

  /// The definitions of the numbers on the page, and, folded, the meaning of each column.
  var meaningSection: PageSection? {
    let shown = Self.shownTables.compactMap { kind in
      let curves = kind == .retention ? content.durationCurves.first : nil
      let source = curves?.source ?? content.table(of: kind, months: detail.months)?.source
      return source.map { (kind: kind, source: $0) }
    }
    let definitions = content.meanings(of: shown).map { "**\($0.title):** \($0.sentence)" }
    return PageSection("meaning", "What the numbers mean") { page in
      page.list(markdown: definitions + content.readingHints)
      page.folded("Every column of every table") { page in
        for (kind, source) in shown {
          append(
            Definition.definition(of: kind).title, Definition.columns(of: kind, from: source),
            to: &page)
        }
        if content.drivers != nil {
          append("Drivers", HeadlineTable.drivers.allColumns, to: &page)
        }
        if tables.priceTable(PriceTable.impact.rawValue) != nil {
          append("Price increases", PriceTable.impact.allColumns, to: &page)
        }
        if content.finance != nil {
          append("Reconciliation", Definition.reconcileColumns, to: &page)
        }
      }
    }
  }

  private func append(
    _ title: String, _ columns: [Definition.Column], to page: inout HTMLWriter
  ) {
    page.element(.h3, text: title)
    page.element(.dl) { page in
      for column in columns {
        page.element(.dt, text: column.column.name)
        page.element(.dd) { InlineMarkdown.append(column.meaning, to: &$0) }
      }
    }
  }
}
