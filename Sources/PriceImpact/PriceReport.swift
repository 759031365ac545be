public import Counting
public import SubscriptionModel

/// The price changes of one source in a finished run, and what its increases did.
public struct PriceReport: Sendable {
  /// The source with its counts.
  public let report: SourceReport
  /// The changes of standard prices, found or given by the user.
  public var changes: [PriceChange]
  /// The counts of the subscribers that met an increase; `nil` without an increase or without chains.
  public var impact: ImpactTally?

  /// Creates the report of a source.
  ///
  /// - Parameters:
  ///   - report: The source with its counts.
  ///   - changes: Its price changes.
  ///   - impact: The counts of the subscribers that met an increase.
  public init(_ report: SourceReport, changes: [PriceChange] = [], impact: ImpactTally? = nil) {
    self.report = report
    self.changes = changes
    self.impact = impact
  }

  /// The source.
  public var source: Source { report.source }
}
