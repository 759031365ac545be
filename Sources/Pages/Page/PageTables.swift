import Tables

/// The tables of a report that `index.html` shows besides those of the catalogue; each is also a CSV file.
struct PageTables: Sendable {
  /// `drivers.csv`; `nil` without a headline month.
  var drivers: ReportTable?
  /// `refund_delays.csv`; `nil` without a headline month, and on the page of an app.
  var refundDelays: ReportTable?
  /// The tables of price changes; none on the page of an app.
  var prices: [ReportTable] = []

  /// Returns a table of prices by its name, of the whole population.
  func priceTable(_ name: String) -> ReportTable? {
    prices.first { $0.name == name && $0.dimensions.isEmpty }
  }
}
