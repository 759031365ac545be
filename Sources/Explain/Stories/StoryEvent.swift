import Storage
import SubscriptionModel

/// Something that happened to a subscription, or a row that does not count.
struct StoryEvent<Row: Comparable> {
  let kind: StoryKind
  /// The index of the chain; `nil` for a refund without a charge, and for a row that does not count.
  var chain: Int?
  var period: StoryPeriod?
  /// The charge, or the refund of it; `nil` for a row that does not count.
  var charge: StoryCharge?
  var instant: Instant?
  /// The fact by its name, such as `lapse open final`.
  var fact = ""
  /// Why, in one sentence.
  var because = ""
  /// The cells in which it counts.
  var cells: [TableCell] = []
  var rows: [Row] = []

  /// Returns whether an event comes before another: by time; at the same time, period by period.
  static func precedes(_ left: Self, _ right: Self) -> Bool {
    left.place == right.place
      ? left.rows.lexicographicallyPrecedes(right.rows)
      : left.place.lexicographicallyPrecedes(right.place)
  }

  private var place: [Int] {
    [
      instant.map { Int($0.seconds) } ?? .max, period?.index ?? .max,
      StoryKind.allCases.firstIndex(of: kind) ?? 0,
    ]
  }
}

/// The kind of an event; those of one period have this order.
enum StoryKind: String, CaseIterable {
  case charge, refund
  /// A period ended, or runs.
  case end
  /// Days without a paid or free period.
  case gap
  /// A row does not count.
  case ignored
}

/// The purchase of an event, or the refund.
struct StoryCharge {
  let attributes: Attributes
  let kind: ChargeKind
  let isPaid: Bool
  /// The customer's price in milliunits; `nil` if it is not known.
  let price: Int64?
  let currency: Symbol
}

/// A period of a subscription.
struct StoryPeriod {
  /// The index in the history of the customer.
  let index: Int
  let explained: ExplainedPeriod
  /// The actual end, and the one that was bought; `nil` if it is not known.
  let end: Instant?
  let boughtEnd: Instant?
  /// Whether it still runs when the data end.
  let isRunning: Bool
  /// Whether a change to another product cut it short, in receipts.
  let isCutByUpgrade: Bool
  /// The day of the next charge after a lapse; `nil` without one.
  let backOn: Day?
}
