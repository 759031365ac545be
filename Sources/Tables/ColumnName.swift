/// The columns that pages read, so that a renamed column does not compile.
package enum ColumnName: String, CaseIterable, Sendable {
  case open, started, converted, reactivated, recovered, churned, close, unexplained
  case firstSeen = "first_seen"
  case switchedIn = "switched_in"
  case enteredRetry = "entered_retry"
  case switchedOut = "switched_out"
  case closeObserved = "close_observed"
  case activeStart = "active_start"
  case churnRate = "churn_rate"
  case due, renewed, lapsed, pending
  case renewalRate = "renewal_rate"
  case k, kept, lost, survival, low, high
  case atRisk = "at_risk"
  case trials
  case notConverted = "not_converted"
  case charges
  case refundsFull = "refunds_full"
  case refundsPartial = "refunds_partial"
  case refundedProceeds = "refunded_proceeds"
  case netProceeds = "net_proceeds"
}

extension ReportTable.NamedRow {
  /// Returns a cell; `missing` if the table lacks the column.
  package func cell(_ column: ColumnName) -> ReportTable.Cell { cell(column.rawValue) }

  /// Returns the count in a column; `nil` if it is not known.
  package subscript(_ column: ColumnName) -> Int? { self[column.rawValue] }

  /// Returns the amount in a column in milliunits; `nil` if it is not known.
  package func money(_ column: ColumnName) -> Int128? {
    if case .money(let milliunits) = cell(column) { milliunits } else { nil }
  }

  /// Returns the fraction in a column of statistics; `nil` if it is not known.
  package func fraction(_ column: ColumnName) -> Double? {
    if case .fraction(let fraction) = cell(column) { fraction } else { nil }
  }

  /// The row's currency; blank for a row without one.
  package var currency: String { text("currency") }
}
