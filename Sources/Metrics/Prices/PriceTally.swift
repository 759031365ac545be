public import SubscriptionModel

/// When each standard price was charged, and to whom: pass 1 over all charges, from which changes of prices
/// are found (METRICS.md section 6).
///
/// Nearly every charge continues a period at its own price, or nothing. It costs two array reads and a count
/// on its day; what is left, a charge that continues another price, goes by way of a dictionary.
public struct PriceTally: Sendable {
  /// One price of one key.
  struct Point: Hashable, Sendable {
    var key: PriceKey
    var milliunits: Int64
  }

  /// Charges of one price by day; none is preserved.
  struct Days: Sendable {
    /// They continue a period at the same price.
    var renewals = DayCounts()
    /// They continue nothing: the first paid charges of chains with a known start.
    var new = DayCounts()
    /// They continue nothing that says something of prices: a first row of unknown start, a return, another
    /// product.
    var elsewhere = DayCounts()
    /// Instalments without a place in a term: they count for the first day of their key alone, METRICS.md 10.6.
    var withoutPlace = DayCounts()

    var isEmpty: Bool { renewals.first == nil && new.first == nil && elsewhere.first == nil }

    mutating func merge(_ other: Days, _ sign: MergeSign) {
      renewals.merge(other.renewals, sign)
      new.merge(other.new, sign)
      elsewhere.merge(other.elsewhere, sign)
      withoutPlace.merge(other.withoutPlace, sign)
    }
  }

  /// What a charge continues that is no renewal at the same price.
  enum Origin: Hashable, Sendable {
    /// A paid standard period of the same product.
    case period(at: Int32, isPreserved: Bool)
    /// Such a period at a price that SALES rows do not name.
    case unknownPeriod
  }

  /// Charges that continue a period at another price, or keep theirs.
  struct Arrival: Hashable, Sendable {
    var origin: Origin
    /// The price's number.
    var point: Int32
    var isPreserved: Bool
    var day: Day
  }

  /// The prices, by number.
  private(set) var points: [Point] = []
  /// The charges of each price.
  var days: [Days] = []
  var arrivals: [Arrival: Int] = [:]
  /// How many charges the run's filters admit, by the key of their price; of SALES how many rows.
  var admitted: [PriceKey: Int] {
    let counted = zip(admittedKeys.values, admittedCounts).filter { $0.1 != 0 }
    return Dictionary(uniqueKeysWithValues: counted)
  }
  /// Of SALES: the standard durations of products.
  var durations: [Symbol: Term] = [:]

  private let filter: Filter
  private var numberOfPoint: [Point: Int] = [:]
  private var codeOfTerms: [Code] = []
  private var admittedKeys = NumberedValues<PriceKey>()
  private var admittedCounts: [Int] = []
  /// For each of the terms the number of their price's key among those that are admitted; -1 for other terms.
  private var admittedOfTerms: [Int32] = []

  /// The products of which a standard price was charged.
  public var products: Set<Symbol> {
    let charged = points.indices.filter { !days[$0].isEmpty } + arrivals.keys.map { Int($0.point) }
    return Set(charged.map { points[$0].key.product })
  }

  /// The first day on which a standard price was charged; `nil` without one.
  public var firstDay: Day? {
    let counted = days.flatMap { [$0.renewals, $0.new, $0.elsewhere] }.compactMap(\.first)
    return (counted + arrivals.keys.map(\.day)).min()
  }

  /// Creates an empty tally.
  ///
  /// - Parameter filter: Whose changes will be reported; all charges count, for others are controls.
  public init(filter: Filter = Filter()) {
    self.filter = filter
  }

  /// Adds everything that the tally of another part of the input has counted, or takes it back.
  ///
  /// - Parameters:
  ///   - other: The other tally.
  ///   - sign: Whether it is added.
  public mutating func merge(_ other: PriceTally, _ sign: MergeSign = .plus) {
    let numbers = other.points.map { Int32(number(of: $0)) }
    for (place, days) in other.days.enumerated() {
      self.days[Int(numbers[place])].merge(days, sign)
    }
    for (arrival, count) in other.arrivals {
      var own = arrival
      own.point = numbers[Int(arrival.point)]
      if case .period(let point, let isPreserved) = arrival.origin {
        own.origin = .period(at: numbers[Int(point)], isPreserved: isPreserved)
      }
      add(sign.factor * count, own)
    }
    for (key, count) in other.admitted { admit(key, sign.factor * count) }
    durations.merge(other.durations) { first, _ in first }
  }

  /// Counts arrivals.
  mutating func add(_ count: Int, _ arrival: Arrival) {
    arrivals[arrival, default: 0] += count
    if arrivals[arrival] == 0 { arrivals[arrival] = nil }
  }

  mutating func number(of point: Point) -> Int {
    if let number = numberOfPoint[point] { return number }
    numberOfPoint[point] = points.count
    points.append(point)
    days.append(Days())
    return points.count - 1
  }

  /// Returns the number of the price of SALES rows, which do not say the plan.
  mutating func number(of price: Amount, _ attributes: Attributes) -> Int {
    let key = PriceKey(
      product: attributes.product, country: attributes.country, currency: price.currency,
      plan: .unknown)
    if filter.admits(attributes) { admit(key, 1) }
    return number(of: Point(key: key, milliunits: price.milliunits))
  }

  /// Counts charges that the filters admit.
  mutating func admit(_ key: PriceKey, _ count: Int) {
    admittedCounts[number(ofAdmitted: key)] += count
  }

  private mutating func number(ofAdmitted key: PriceKey) -> Int {
    let number = admittedKeys.number(of: key)
    if number == admittedCounts.count { admittedCounts.append(0) }
    return number
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
        admittedOfTerms.append(-1)
        continue
      }
      let key = PriceKey(terms)
      let number = number(of: Point(key: key, milliunits: terms.price.milliunits))
      // No charge yet: these may be terms of rows that do not count.
      let isAdmitted = filter.admits(terms.attributes)
      admittedOfTerms.append(isAdmitted ? Int32(self.number(ofAdmitted: key)) : -1)
      let isLeftOut = terms.isPreserved || terms.isContingent
      codeOfTerms.append(Code(value: Int32(number) << 1 | (isLeftOut ? 1 : 0)))
    }
  }

  /// Adds one subscriber's charges; their terms have been learned.
  ///
  /// - Parameter history: A builder that has built the subscriber's chains.
  public mutating func add(_ history: borrowing ChainBuilder) {
    for number in history.chains.indices {
      let chain = history.chains[number]
      if history.hasInstalment(chain) {
        let charges = PricedCharge.charges(of: chain, history) { codeOfTerms[$0] != .free }
        let firstPaid = charges.first { codeOfTerms[Int($0.terms)] != .free }?.start
        add(charges, firstPaid: chain.start == .known ? firstPaid : nil)
        continue
      }
      var before = Code.free
      var mayBeNew = chain.start == .known
      for index in chain.periods {
        let period = history.periods[index]
        let code = noteCharge(terms: Int(period.terms))
        if code.isStandard { add(code, after: before, isNew: mayBeNew, period.start) }
        if code != .free { mayBeNew = false }
        before = period.fate == .continued ? code : .free
      }
    }
  }

  /// Adds one customer's chain of receipts; its terms have been learned.
  ///
  /// - Parameters:
  ///   - chain: The chain.
  ///   - history: A builder that has built it.
  ///   - terms: The terms of the chain's periods, by number.
  public mutating func add(
    _ chain: ReceiptChain, _ history: borrowing ReceiptHistory, terms: [Int]
  ) {
    let firstPaid = history.periods[chain.periods].first(where: \.event.isPaid)?.start.day
    add(
      history.pricedCharges(of: chain, terms: terms),
      firstPaid: chain.isStartKnown ? firstPaid : nil)
  }

  /// Adds the charges of a chain, each term of instalments as one.
  ///
  /// - Parameters:
  ///   - charges: The charges in order.
  ///   - firstPaid: The day of the first paid charge of a chain whose start is known: on it a charge may be new.
  private mutating func add(_ charges: [PricedCharge], firstPaid: Day?) {
    var before = Code.free
    var mayBeNew = true
    for charge in charges {
      let code = noteCharge(terms: Int(charge.terms))
      guard !charge.hasNoPlaceInTerm else {
        if code.isStandard { days[Int(code.point)].withoutPlace.add(on: charge.start) }
        continue
      }
      let isNew = mayBeNew && firstPaid.map { charge.start <= $0 } == true
      if code.isStandard { add(code, after: before, isNew: isNew, charge.start) }
      if code != .free { mayBeNew = false }
      before = charge.isContinued ? code : .free
    }
  }

  /// Returns what the terms of a charge say.
  @inline(__always)
  private mutating func noteCharge(terms: Int) -> Code {
    let admitted = Int(admittedOfTerms[terms])
    if admitted >= 0 { admittedCounts[admitted] += 1 }
    return codeOfTerms[terms]
  }

  private mutating func add(_ code: Code, after before: Code, isNew: Bool, _ day: Day) {
    let point = Int(code.point)
    if code == before, !code.isPreserved {
      days[point].renewals.add(on: day)
    } else if before.isStandard,
      points[Int(before.point)].key.plannedProduct == points[point].key.plannedProduct
    {
      addArrival(code, after: before, day)
    } else if !code.isPreserved, isNew {
      days[point].new.add(on: day)
    } else if !code.isPreserved {
      days[point].elsewhere.add(on: day)
    }
  }

  private mutating func addArrival(_ code: Code, after before: Code, _ day: Day) {
    // Later charges of those who kept their price say nothing new.
    if code.isPreserved, before.point != code.point || before.isPreserved { return }
    let arrival = Arrival(
      origin: .period(at: before.point, isPreserved: before.isPreserved), point: code.point,
      isPreserved: code.isPreserved, day: day)
    add(1, arrival)
  }
}
