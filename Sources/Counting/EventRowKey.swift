import Storage
package import SubscriptionModel

/// A key for counting SUBSCRIPTION_EVENT rows that differ only in their quantity.
package struct EventRowKey: QuickHashable, BitwiseCopyable {
  /// The index of the events' terms.
  package var terms: UInt32
  /// The Event Date.
  package var day: Day
  /// The Original Start Date; `nil` when blank.
  package var originalStart: Day?
  /// Consecutive Paid Periods.
  package var paidPeriods: Int32

  /// The reader of events rejects a larger number of paid periods.
  package static let mostPaidPeriods = Int32(100_000)

  package init(terms: UInt32, day: Day, originalStart: Day?, paidPeriods: Int32) {
    self.terms = terms
    self.day = day
    self.originalStart = originalStart
    self.paidPeriods = paidPeriods
  }

  /// Whether the events are of a paid subscription.
  package var isPaid: Bool { paidPeriods >= 1 }

  /// The start of the subscriptions, which decides their start month.
  package var chainKey: ChainKey {
    ChainKey(start: originalStart.map { .day($0) } ?? .unknown, offer: nil)
  }

  /// Hashes all fields in one 64-bit word: days fit in 16 bits, and so do nearly all period counts.
  package var quickHash: UInt32 {
    let start = UInt64(UInt16(truncatingIfNeeded: originalStart?.number ?? 0))
    let periods = UInt64(UInt16(truncatingIfNeeded: paidPeriods))
    let day = UInt64(UInt32(bitPattern: day.number)) << 48
    return ((UInt64(terms) << 32 | start << 16 | periods) ^ day).quickHash
  }
}
