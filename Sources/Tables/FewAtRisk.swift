/// Shares of so few subscriptions that they say little.
extension ReportTable {
  /// A share of fewer subscriptions at risk is too uncertain to tell anything.
  package static let fewAtRisk = 30

  /// In how many rows fewer subscriptions than ``fewAtRisk`` were at risk, in words; blank where in none, and for a table
  /// without the column.
  ///
  /// Such as: in 3 of 12 rows fewer than 30 were at risk, too few to tell.
  package var noteOnFewAtRisk: String {
    let counts = namedRows.compactMap { $0["at_risk"] }
    let few = counts.count { $0 < Self.fewAtRisk }
    guard few > 0 else { return "" }
    let some = few < counts.count ? "\(few) of \(counts.count) rows" : "all rows"
    let rows = counts.count == 1 ? "the row" : some
    return "in \(rows) fewer than \(Self.fewAtRisk) were at risk, too few to tell"
  }
}
