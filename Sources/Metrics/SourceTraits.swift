public import SubscriptionModel

/// Differences between the sources that show in tables: METRICS.md section 5.
extension Source {
  /// Whether its numbers come from following chains, not from counting events.
  public var isOfChains: Bool { self == .subscribers || self == .receipts }

  /// Whether it gives the reason of a lapse.
  var knowsReasons: Bool { self == .events || self == .receipts }

  /// Whether chains older than the first file may not have been seen yet.
  ///
  /// Not so for events, whose snapshots count all active subscriptions, nor for receipts, which contain a
  /// customer's past.
  package var hasLeftEdge: Bool { self == .subscribers }

  /// Whether it has standard prices and the days on which they were charged.
  public var hasStandardPrices: Bool { self != .events }

  /// Whether it has the developer's proceeds.
  var hasProceeds: Bool { self != .receipts }

  /// Returns whether rows of a currency have a price; receipts without a price have no currency either.
  func hasPrice(in currency: Symbol) -> Bool { self != .receipts || currency != .blank }

  /// Returns the gap of a lapse as a cell: in whole days, for receipts in hundredths of days.
  func gapCell(_ gap: Int) -> ReportTable.Cell {
    self == .receipts ? .hundredths(gap) : .count(gap)
  }
}
