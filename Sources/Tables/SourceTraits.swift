import Storage
package import SubscriptionModel

/// Differences between the sources that affect tables: METRICS.md section 5.
extension Source {
  /// Whether its numbers come from chains, not from counts of events or sales.
  package var isOfChains: Bool { self == .subscribers || self == .receipts }

  /// Whether it has the reason of a lapse.
  package var hasReasons: Bool { self == .events || self == .receipts }

  /// Whether active chains may be missing because they are older than the first file.
  ///
  /// Snapshots of events count all active subscriptions, and receipts contain a customer's past.
  package var hasLeftEdge: Bool { self == .subscribers }

  /// Whether it has standard prices and the days on which they were charged.
  package var hasStandardPrices: Bool { self != .events }

  /// Whether it has the developer's proceeds.
  package var hasProceeds: Bool { self != .receipts }

  /// Returns whether charges of a currency have a price; receipts without a price have no currency either.
  func hasPrice(in currency: Symbol) -> Bool { self != .receipts || currency != .blank }

  /// Returns the gap of a lapse as a cell: in whole days, for receipts in hundredths of days.
  func gapCell(_ gap: Int) -> ReportTable.Cell {
    self == .receipts ? .hundredths(gap) : .count(gap)
  }
}
