public import SubscriptionModel

/// When each standard price was charged, and to whom: pass 1 over all charges, from which changes of prices
/// are found (METRICS.md section 6).
///
/// Nearly every charge continues a period at its own price. It costs two array reads and a count on its
/// day; what is left goes by way of a dictionary, about once a chain.
public struct PriceTally: Sendable {
  /// One price of one key.
  struct Point: Hashable, Sendable {
    var key: PriceKey
    var milliunits: Int64
  }

  /// What a charge continues.
  enum Origin: Hashable, Sendable {
    /// Nothing: the first paid charge of a chain with a known start.
    case new
    /// Nothing that says something of prices: a first row of unknown start, a return, another product.
    case elsewhere
    /// A paid standard period of the same product.
    case period(at: Int32, isPreserved: Bool)
    /// Such a period at a price that SALES rows do not name.
    case unknownPeriod
  }

  /// Charges that do not just continue a period at their own price.
  struct Arrival: Hashable, Sendable {
    var origin: Origin
    /// The price's number.
    var point: Int32
    var isPreserved: Bool
    var day: Day

    /// Hashes what nearly always tells arrivals apart: hashing all of it showed in the time of a run.
    func hash(into hasher: inout Hasher) {
      let place = UInt64(UInt32(bitPattern: point)) << 32
      hasher.combine(place | UInt64(UInt32(bitPattern: day.number)))
    }
  }

  /// The prices, by number.
  private(set) var points: [Point] = []
  /// For each price its charges that continue a period at the same price; neither is preserved.
  private(set) var renewals: [DayCounts] = []
  var arrivals: [Arrival: Int] = [:]
  /// The prices' keys that the run's filters admit.
  private(set) var admittedKeys: Set<PriceKey> = []
  /// Of SALES: the standard durations of products.
  var durations: [Symbol: Term] = [:]

  private let filter: Filter
  private var numberOfPoint: [Point: Int] = [:]
  private var codeOfTerms: [Code] = []

  /// The products that have a standard price.
  public var products: Set<Symbol> { Set(points.map(\.key.product)) }

  /// The first day on which a standard price was charged; `nil` without one.
  public var firstDay: Day? {
    let renewed = renewals.compactMap { $0.counted.first?.day }
    return (renewed + arrivals.keys.map(\.day)).min()
  }

  /// Creates an empty tally.
  ///
  /// - Parameter filter: Whose changes will be reported; all charges count, for others are controls.
  public init(filter: Filter = Filter()) {
    self.filter = filter
  }

  /// Adds everything that the tally of another part of the input has counted.
  ///
  /// - Parameter other: The other tally.
  public mutating func merge(_ other: PriceTally) {
    let numbers = other.points.map { Int32(number(of: $0)) }
    for (place, counts) in other.renewals.enumerated() {
      renewals[Int(numbers[place])].merge(counts)
    }
    for (arrival, count) in other.arrivals {
      var own = arrival
      own.point = numbers[Int(arrival.point)]
      if case .period(let point, let isPreserved) = arrival.origin {
        own.origin = .period(at: numbers[Int(point)], isPreserved: isPreserved)
      }
      arrivals[own, default: 0] += count
    }
    admittedKeys.formUnion(other.admittedKeys)
    durations.merge(other.durations) { first, _ in first }
  }

  private mutating func number(of point: Point) -> Int {
    if let number = numberOfPoint[point] { return number }
    numberOfPoint[point] = points.count
    points.append(point)
    renewals.append(DayCounts())
    return points.count - 1
  }

  mutating func number(of price: Amount, _ attributes: Attributes) -> Int {
    let key = PriceKey(
      product: attributes.product, country: attributes.country, currency: price.currency)
    if filter.admits(attributes) { admittedKeys.insert(key) }
    return number(of: Point(key: key, milliunits: price.milliunits))
  }

  // MARK: Chains

  /// What a charge's terms say about prices, as one number: its price's number, doubled, and 1 when it is
  /// preserved.
  private struct Code: Equatable, Sendable {
    var value: Int32

    static let free = Code(value: -1)
    /// Paid, but not at a standard price.
    static let otherPaid = Code(value: -2)

    var isStandard: Bool { value >= 0 }
    var isPreserved: Bool { value & 1 == 1 }
    var point: Int32 { value >> 1 }
  }

  /// Learns the terms that charges refer to by index.
  ///
  /// - Parameter terms: All terms so far; those learned before are the first of them.
  public mutating func learn(_ terms: [ChargeTerms]) {
    for index in codeOfTerms.count..<max(terms.count, codeOfTerms.count) {
      let terms = terms[index]
      guard terms.isStandardPaid else {
        codeOfTerms.append(terms.isPaid ? .otherPaid : .free)
        continue
      }
      let number = number(of: terms.price, terms.attributes)
      codeOfTerms.append(Code(value: Int32(number) << 1 | (terms.isPreserved ? 1 : 0)))
    }
  }

  /// Adds one subscriber's charges; their terms have been learned.
  ///
  /// - Parameter history: A builder that has built the subscriber's chains.
  public mutating func add(_ history: borrowing ChainBuilder) {
    let periods = history.periods
    for chain in history.chains {
      var before = Code.free
      var mayBeNew = chain.start == .known
      for index in chain.periods {
        let code = codeOfTerms[Int(periods[index].terms)]
        if code.isStandard { add(code, after: before, isNew: mayBeNew, periods[index].start) }
        if code != .free { mayBeNew = false }
        before = periods[index].fate == .continued ? code : .free
      }
    }
  }

  /// Adds one customer's chain of receipts; its terms have been learned.
  ///
  /// - Parameters:
  ///   - chain: The chain.
  ///   - periods: The periods of all chains.
  ///   - terms: The terms of the chain's periods, by number.
  public mutating func add(_ chain: ReceiptChain, _ periods: [ReceiptPeriod], terms: [Int]) {
    var before = Code.free
    var mayBeNew = chain.isStartKnown
    for (period, number) in zip(periods[chain.periods], terms) {
      let code = codeOfTerms[number]
      if code.isStandard { add(code, after: before, isNew: mayBeNew, period.start.day) }
      if period.event.isPaid { mayBeNew = false }
      before = period.fate == .renewed ? code : .free
    }
  }

  private mutating func add(_ code: Code, after before: Code, isNew: Bool, _ day: Day) {
    if code == before, !code.isPreserved {
      renewals[Int(code.point)].add(on: day)
    } else {
      addArrival(code, after: before, isNew: isNew, day)
    }
  }

  private mutating func addArrival(_ code: Code, after before: Code, isNew: Bool, _ day: Day) {
    var origin: Origin = isNew ? .new : .elsewhere
    if before.isStandard,
      points[Int(before.point)].key.product == points[Int(code.point)].key.product
    {
      origin = .period(at: before.point, isPreserved: before.isPreserved)
    }
    // Later charges of those who kept their price say nothing new.
    if code.isPreserved, origin != .period(at: code.point, isPreserved: false) { return }
    let arrival = Arrival(
      origin: origin, point: code.point, isPreserved: code.isPreserved, day: day)
    arrivals[arrival, default: 0] += 1
  }
}
