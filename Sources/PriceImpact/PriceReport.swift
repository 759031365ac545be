package import Counting
package import SubscriptionModel

/// The price changes of one source in a finished run, and what its increases did.
package struct PriceReport: Sendable {
  /// The source with its counts.
  package let report: SourceReport
  /// The changes of standard prices, found or given by the user.
  package var changes: [PriceChange]
  /// The counts of the subscribers that met an increase; `nil` without an increase or without chains.
  package var impact: ImpactTally?

  package init(_ report: SourceReport, changes: [PriceChange] = [], impact: ImpactTally? = nil) {
    self.report = report
    self.changes = changes
    self.impact = impact
  }

  /// The source.
  package var source: Source { report.source }
}
