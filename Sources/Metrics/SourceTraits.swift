public import SubscriptionModel

/// In what the sources differ, as far as tables show it: METRICS.md section 5.
extension Source {
  /// Whether its numbers come from chains that were followed, not from events that were counted.
  var isOfChains: Bool { self == .subscribers || self == .receipts }

  /// Whether it tells why a subscription lapsed.
  var knowsReasons: Bool { self == .events || self == .receipts }

  /// Whether chains that are older than the first file may not have been seen yet: snapshots of events are
  /// what they are, and receipts tell of all of a customer's past.
  var hasLeftEdge: Bool { self == .subscribers }

  /// Whether it tells what customers pay at the standard price, and when.
  public var hasStandardPrices: Bool { self != .events }

  /// Whether it tells the developer's proceeds.
  var hasProceeds: Bool { self != .receipts }

  /// Whether rows of a currency have a price: receipts without one have no currency either.
  func hasPrice(in currency: Symbol) -> Bool { self != .receipts || currency != .blank }

  /// The gap of a lapse as its histogram counts it: whole days, of receipts hundredths of days.
  func gapCell(_ gap: Int) -> ReportTable.Cell {
    self == .receipts ? .hundredths(gap) : .count(gap)
  }
}
