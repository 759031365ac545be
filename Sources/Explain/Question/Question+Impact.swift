package import PriceImpact
import Scanning
import SubscriptionModel
import Tables

extension ExplainedTable {
  /// The renewals at which subscriptions met a price increase.
  package static let priceImpact = ExplainedTable(
    PriceTable.impact.rawValue, from: [.subscribers, .receipts],
    columns: { source in
      (source.map(ImpactColumn.columns(of:)) ?? ImpactColumn.all).map(\.name)
    },
    refusal: { column, source in
      let cell = "\(PriceTable.impact.rawValue).\(column)"
      let able = ImpactColumn.columns(of: source).map(\.name)
      return PriceTable.impact.allColumns.contains { $0.column.name == column }
        ? "explain cannot explain \(cell) yet; \(Nearest.choice(able))"
        : "explain \(cell): no such column; \(Nearest.advice(column, among: able))"
    },
    keys: ImpactView.allCases.flatMap(\.dimensions) + keysOfIncreases,
    options: [("source", "--source")],
    check: { question throws(QuestionError) in
      let views = question.views
      guard views.count > 1 else { return }
      throw QuestionError(
        "--where: \(question.about.name) has no rows by \(views.map(\.rawValue).joined(separator: " and ")); use one of them"
      )
    })

  /// The columns of every view whose values choose a row, besides the source.
  static let keysOfIncreases = [
    "product", "country", "currency", "plan", "effective", "effective_existing", "old_price",
    "new_price",
  ]
}

/// A question about `price_impact`.
extension Question {
  /// The view that has the row.
  package var view: ImpactView { views.first ?? .whole }

  fileprivate var views: [ImpactView] { conditions.compactMap { ImpactView(rawValue: $0.key) } }
}
