/// How much each section of `summary.md` shows, so that the page has at most 200 lines.
struct SummaryDetail {
  /// The months of movement and churn.
  var stockMonths = 6
  /// The months of other tables without money.
  var months = 4
  /// The currencies in a table.
  var currencies = 5
  /// The currencies whose change is split.
  var splitCurrencies = 2
  /// The dimensions by which a change is split.
  var dimensions = 5
  /// The lines about the health of the data.
  var problems = 20
  /// The bridges of the newest settlement.
  var bridges = 10

  /// The most lines of the page.
  static let mostLines = 200

  /// The choices in the order in which they are tried; the last fits with every section.
  static let levels: [SummaryDetail] = [
    SummaryDetail(), SummaryDetail(splitCurrencies: 1, problems: 12),
    SummaryDetail(months: 3, currencies: 4, splitCurrencies: 1, problems: 12),
    SummaryDetail(
      stockMonths: 4, months: 3, currencies: 4, splitCurrencies: 1, dimensions: 3, problems: 12,
      bridges: 5),
    SummaryDetail(
      stockMonths: 3, months: 3, currencies: 3, splitCurrencies: 1, dimensions: 2, problems: 10,
      bridges: 4),
    SummaryDetail(
      stockMonths: 2, months: 2, currencies: 1, splitCurrencies: 1, dimensions: 1, problems: 8,
      bridges: 3),
    SummaryDetail(
      stockMonths: 2, months: 1, currencies: 1, splitCurrencies: 1, dimensions: 1, problems: 4,
      bridges: 1),
  ]
}
