package import Tables

/// The tables of a report that `index.html` shows besides those of the catalogue; each is also a CSV file.
package struct PageTables: Sendable {
  /// `drivers.csv`; `nil` without a headline month.
  package var drivers: ReportTable?
  /// `refund_delays.csv`; `nil` without a headline month, and on the page of an app.
  package var refundDelays: ReportTable?
  /// The tables of price changes; none on the page of an app.
  package var prices: [ReportTable]

  /// Creates the further tables of a report; none on the page of an app.
  package init(
    drivers: ReportTable? = nil, refundDelays: ReportTable? = nil, prices: [ReportTable] = []
  ) {
    (self.drivers, self.refundDelays, self.prices) = (drivers, refundDelays, prices)
  }

  /// Returns a table of prices by its name, of the whole population.
  func priceTable(_ name: String) -> ReportTable? {
    prices.first { $0.name == name && $0.dimensions.isEmpty }
  }
}
