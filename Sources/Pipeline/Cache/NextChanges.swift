import SubscriptionModel

/// Subscribers of whom something will change though no row of theirs comes, and when.
struct NextChanges: Sendable {
  private var subscribers: [UInt64] = []
  /// The numbers of the days.
  private var days: [Int32] = []

  var count: Int { subscribers.count }

  /// Adds a subscriber.
  mutating func append(_ subscriber: UInt64, on day: Day) {
    subscribers.append(subscriber)
    days.append(day.number)
  }

  /// Adds those of other subscribers.
  mutating func append(_ other: NextChanges) {
    subscribers += other.subscribers
    days += other.days
  }

  /// Hands out each subscriber and the day of the change.
  func forEach(_ body: (UInt64, Day) -> Void) {
    for index in subscribers.indices { body(subscribers[index], Day(number: days[index])) }
  }

  /// Returns what is said of other subscribers than some.
  func without(_ changed: SubscriberSet) -> NextChanges {
    var rest = NextChanges()
    forEach { if !changed.contains($0) { rest.append($0, on: $1) } }
    return rest
  }

  /// Codes all of it.
  mutating func code(with coder: inout some ExtractCoder) {
    coder.column(&days)
    coder.subscribers(&subscribers)
    if days.count != subscribers.count { coder.fail() }
  }
}
