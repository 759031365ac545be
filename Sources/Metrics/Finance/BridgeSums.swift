import SubscriptionModel

/// What a cell of a bridge is about: the finest grain that anything is asked for.
struct BridgeCell: Hashable {
  var period: FiscalPeriod
  var region: String
  var currency: Symbol
  var product: Symbol
  var country: Symbol

  var pair: SettledPair {
    SettledPair(period: period, country: country, currency: currency)
  }
}

/// Sums of which the lines of a bridge are made; they add up over cells.
struct BridgeSums {
  /// A sum that has a line of its own, or part of one.
  enum Part: Int, CaseIterable {
    case gross, refunds, missingDays, cutoffIn, cutoffOut, refundTiming
    /// Surplus units; of sales those that are old enough to be settled if they ever were.
    case notCollectedSales, notCollectedReturns
    /// Surplus sales that may be settled in a period of which nothing is known yet.
    case openSales
    case rateDifference, otherDifference
    case settled
  }

  /// What a line would be if every row settled so many days late; by days.
  struct Lagged {
    var cutoffIn: [Int: Int128] = [:]
    var cutoffOut: [Int: Int128] = [:]
    var refundTiming: [Int: Int128] = [:]
  }

  private var parts = [CountedMoney](repeating: .zero, count: Part.allCases.count)
  /// What the parts would be less of if no unit counted in the neighbouring period.
  private var moved: [Part: CountedMoney] = [:]
  /// What left for another region's bridge, or came from one, by the other bridge.
  private(set) var otherRegion: [String: CountedMoney] = [:]
  var lagged = Lagged()

  subscript(_ part: Part) -> CountedMoney {
    get { parts[part.rawValue] }
    set { parts[part.rawValue] = newValue }
  }

  /// Whether any unit counts in the neighbouring period and that changes a line.
  var hasMoved: Bool { moved.values.contains { $0 != .zero } }

  func moved(_ part: Part) -> CountedMoney { moved[part, default: .zero] }

  /// Notes what moving units into the neighbouring period has changed in a part.
  mutating func noteMove(_ part: Part, _ change: CountedMoney) {
    moved[part, default: .zero] += change
  }

  mutating func addOtherRegion(_ money: CountedMoney, _ other: String) {
    otherRegion[other, default: .zero] += money
  }

  mutating func merge(_ other: BridgeSums) {
    for index in parts.indices { parts[index] += other.parts[index] }
    moved.merge(other.moved, uniquingKeysWith: +)
    otherRegion.merge(other.otherRegion, uniquingKeysWith: +)
    lagged.cutoffIn.merge(other.lagged.cutoffIn, uniquingKeysWith: +)
    lagged.cutoffOut.merge(other.lagged.cutoffOut, uniquingKeysWith: +)
    lagged.refundTiming.merge(other.lagged.refundTiming, uniquingKeysWith: +)
  }
}
