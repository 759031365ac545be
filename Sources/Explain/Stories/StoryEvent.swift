import SubscriptionModel

/// Something that happened to a subscription, or a row that does not count.
struct StoryEvent {
  /// The kind of event; those of one period have this order.
  enum Kind: String {
    case charge, refund
    /// A period ended, or runs.
    case end
    /// Days without a paid or free period.
    case gap
    /// A row does not count.
    case ignored
  }

  var kind: Kind
  /// The index of the chain; `nil` for a refund without a charge, and for a row that does not count.
  var chain: Int?
  /// The index of the period.
  var period: Int?
  /// The index of the refund.
  var refund: Int?
  var day: Day?
  /// The fact by its name, such as `lapse open final`.
  var fact = ""
  /// Why, in one sentence.
  var because = ""
  /// The cells in which it counts.
  var cells: [TableCell] = []
  /// The places of its rows in the run.
  var rows: [UInt64] = []

  /// Returns whether an event comes before another: by day; on the same day, period by period.
  static func precedes(_ left: StoryEvent, _ right: StoryEvent) -> Bool {
    left.place.lexicographicallyPrecedes(right.place)
  }

  private var place: [Int] {
    let order = [Kind.charge, .refund, .end, .gap, .ignored].firstIndex(of: kind) ?? 0
    return [Int((day ?? .last).number), period ?? .max, order, Int(rows.first ?? 0)]
  }
}
