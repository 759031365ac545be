import SubscriptionModel

/// Subscribers of whom something will change though no row of theirs comes, and when.
struct NextChanges: Sendable {
  private(set) var subscribers: [UInt64] = []
  /// Days from as-of to the change; at most, which is only too early, those that fit.
  private var days: [UInt16] = []

  /// Adds a subscriber.
  mutating func append(_ subscriber: UInt64, inDays count: Int) {
    subscribers.append(subscriber)
    days.append(UInt16(clamping: count))
  }

  /// Adds those of other subscribers, of the same as-of.
  mutating func append(_ other: NextChanges) {
    subscribers += other.subscribers
    days += other.days
  }

  /// Hands out the subscribers of whom something changes within so many days.
  func forEach(withinDays count: Int, _ body: (UInt64) -> Void) {
    for index in days.indices where days[index] <= count { body(subscribers[index]) }
  }

  /// Leaves out subscribers.
  ///
  /// - Parameters:
  ///   - changed: Those to leave out; all of whom something has changed are among them.
  ///   - later: Days to a later as-of.
  /// - Returns: The others, seen from the later as-of.
  func without(_ changed: SubscriberSet, afterDays later: Int) -> NextChanges {
    var rest = NextChanges()
    rest.subscribers.reserveCapacity(subscribers.count)
    rest.days.reserveCapacity(days.count)
    for index in days.indices where !changed.contains(subscribers[index]) {
      rest.append(subscribers[index], inDays: Int(days[index]) - later)
    }
    return rest
  }

  /// Codes all of it.
  mutating func code(with coder: inout some ExtractCoder) {
    coder.column(&days)
    coder.subscribers(&subscribers)
    if days.count != subscribers.count { coder.fail() }
  }
}
