package import Storage
package import SubscriptionModel

/// The charges at each standard price by day, as new, continuing or other: METRICS.md section 6.
///
/// Price changes are found from these counts; a second pass over the chains measures the increases. Nearly every charge
/// continues a period at the same price or none: it is counted with two array reads. The others need a dictionary.
package struct PriceTally: Sendable {
  /// One price of one key.
  package struct Point: Hashable, Sendable {
    package var key: PriceKey
    package var milliunits: Int64
  }

  /// The charges at one price by day, without preserved ones.
  package struct Days: Sendable {
    /// Charges that continue a period at the same price.
    package var renewals = DayCounts()
    /// The first paid charges of chains with a known start.
    package var new = DayCounts()
    /// Charges that neither are new nor continue a standard period of the product.
    ///
    /// Examples: the first row of a chain of unknown start, a return after a lapse, a change of product.
    package var otherCharges = DayCounts()
    /// Instalments without a place in a term: they only count for the first day of their key, METRICS.md 10.6.
    package var withoutPlace = DayCounts()

    var isEmpty: Bool { renewals.first == nil && new.first == nil && otherCharges.first == nil }

    mutating func merge(_ other: Days, _ sign: MergeSign) {
      renewals.merge(other.renewals, sign)
      new.merge(other.new, sign)
      otherCharges.merge(other.otherCharges, sign)
      withoutPlace.merge(other.withoutPlace, sign)
    }
  }

  /// The period that a ``Transition`` continues.
  package enum Origin: Hashable, Sendable {
    /// A paid standard period of the same product, by the number of its price.
    case period(at: Int32, isPreserved: Bool)
    /// A period at an unknown price, as of all SALES rows.
    case unknownPeriod
  }

  /// The change from one price to another, or from a price to the same, preserved price, on one day.
  package struct Transition: Hashable, Sendable {
    package var origin: Origin
    /// The number of the new price.
    package var point: Int32
    package var isPreserved: Bool
    package var day: Day
  }

  /// The prices, by number.
  package private(set) var points: [Point] = []
  /// The charges of each price.
  package var days: [Days] = []
  /// The number of charges by transition.
  package var transitions: [Transition: Int] = [:]
  /// The number of charges (for SALES, of rows) that the run's filters admit, by the key of their price.
  package var admitted: [PriceKey: Int] {
    let counted = zip(admittedKeys.values, admittedCounts).filter { $0.1 != 0 }
    return Dictionary(uniqueKeysWithValues: counted)
  }
  /// SALES only: the standard duration of each product.
  package var durations: [Symbol: Term] = [:]

  private let filter: Filter
  private var numberOfPoint: [Point: Int] = [:]
  private var packedPriceOfTerms: [PackedPrice] = []
  private var admittedKeys = NumberedValues<PriceKey>()
  private var admittedCounts: [Int] = []
  /// For each of the terms, the number of their price's key in `admittedKeys`; -1 if the filters exclude the terms.
  private var admittedOfTerms: [Int32] = []

  /// The products that were charged at a standard price.
  package var products: Set<Symbol> {
    let charged =
      points.indices.filter { !days[$0].isEmpty } + transitions.keys.map { Int($0.point) }
    return Set(charged.map { points[$0].key.product })
  }

  /// The first day on which a standard price was charged; `nil` if none was.
  package var firstDay: Day? {
    let counted = days.flatMap { [$0.renewals, $0.new, $0.otherCharges] }.compactMap(\.first)
    return (counted + transitions.keys.map(\.day)).min()
  }

  /// Creates an empty tally; the filter selects the changes to print, and all charges are counted, because they may be
  /// controls.
  package init(filter: Filter = Filter()) { self.filter = filter }

  /// Adds the counts of another part of the input, or subtracts them.
  package mutating func merge(_ other: PriceTally, _ sign: MergeSign = .plus) {
    let numbers = other.points.map { Int32(number(of: $0)) }
    for (place, days) in other.days.enumerated() {
      self.days[Int(numbers[place])].merge(days, sign)
    }
    for (transition, count) in other.transitions {
      var own = transition
      own.point = numbers[Int(transition.point)]
      if case .period(let point, let isPreserved) = transition.origin {
        own.origin = .period(at: numbers[Int(point)], isPreserved: isPreserved)
      }
      transitions.add(count, to: own, sign)
    }
    for (key, count) in other.admitted { admit(key, sign.factor * count) }
    for (product, term) in other.durations { addDuration(term, of: product) }
  }

  mutating func number(of point: Point) -> Int {
    if let number = numberOfPoint[point] { return number }
    numberOfPoint[point] = points.count
    points.append(point)
    days.append(Days())
    return points.count - 1
  }

  /// Returns the number of the price of SALES rows, whose plan is unknown.
  mutating func number(of price: Amount, _ attributes: Attributes) -> Int {
    let key = PriceKey(StorefrontKey(attributes, price), plan: .unknown)
    if filter.admits(attributes) { admit(key, 1) }
    return number(of: Point(key: key, milliunits: price.milliunits))
  }

  /// Adds charges that the filters admit.
  mutating func admit(_ key: PriceKey, _ count: Int) {
    admittedCounts[number(ofAdmitted: key)] += count
  }

  private mutating func number(ofAdmitted key: PriceKey) -> Int {
    let number = admittedKeys.number(of: key)
    if number == admittedCounts.count { admittedCounts.append(0) }
    return number
  }

  // MARK: Chains

  /// The price of terms as one number: twice the number of the price, plus 1 if it is preserved or contingent.
  private struct PackedPrice: Equatable, Sendable {
    var value: Int32

    static let free = PackedPrice(value: -1)
    /// Paid, but not at a standard price.
    static let otherPaid = PackedPrice(value: -2)

    var isStandard: Bool { value >= 0 }
    var isPreserved: Bool { value & 1 == 1 }
    var point: Int32 { value >> 1 }
  }

  /// Adds the terms that charges refer to by index: all terms so far, beginning with those added before.
  package mutating func learn(_ terms: [ChargeTerms]) {
    for index in packedPriceOfTerms.count..<max(terms.count, packedPriceOfTerms.count) {
      let terms = terms[index]
      guard terms.isStandardPaid else {
        packedPriceOfTerms.append(terms.isPaid ? .otherPaid : .free)
        admittedOfTerms.append(-1)
        continue
      }
      let key = PriceKey(terms)
      let number = number(of: Point(key: key, milliunits: terms.price.milliunits))
      // Only number the key, without a count: the terms may occur only in rows that do not count.
      let isAdmitted = filter.admits(terms.attributes)
      admittedOfTerms.append(isAdmitted ? Int32(self.number(ofAdmitted: key)) : -1)
      let isLeftOut = terms.isPreserved || terms.isContingent
      packedPriceOfTerms.append(PackedPrice(value: Int32(number) << 1 | (isLeftOut ? 1 : 0)))
    }
  }

  /// Adds one subscriber's charges; call ``learn(_:)`` with their terms first.
  package mutating func add(_ history: borrowing ChainBuilder) {
    for number in history.chains.indices {
      let chain = history.chains[number]
      if history.hasInstalment(chain) {
        let charges = PricedCharge.charges(of: chain, history) { packedPriceOfTerms[$0] != .free }
        let firstPaid = charges.first { packedPriceOfTerms[Int($0.terms)] != .free }?.start
        add(charges, firstPaid: chain.start == .known ? firstPaid : nil)
        continue
      }
      var before = PackedPrice.free
      var mayBeNew = chain.start == .known
      for index in chain.periods {
        let period = history.periods[index]
        let price = countAdmitted(terms: Int(period.terms))
        if price.isStandard { add(price, after: before, isNew: mayBeNew, period.start) }
        if price != .free { mayBeNew = false }
        before = period.fate == .continued ? price : .free
      }
    }
  }

  /// Adds one customer's chain of receipts, given the index of each period's terms; call ``learn(_:)`` with these
  /// first.
  package mutating func add(
    _ chain: ReceiptChain, _ history: borrowing ReceiptHistory, terms: [Int]
  ) {
    let firstPaid = history.periods[chain.periods].first(where: \.event.isPaid)?.start.day
    add(
      history.pricedCharges(of: chain, terms: terms),
      firstPaid: chain.isStartKnown ? firstPaid : nil)
  }

  /// Adds the charges of a chain, in order; a term of instalments is one charge.
  ///
  /// The one on the day `firstPaid` is new; `nil` if the start is unknown.
  private mutating func add(_ charges: [PricedCharge], firstPaid: Day?) {
    var before = PackedPrice.free
    var mayBeNew = true
    for charge in charges {
      let price = countAdmitted(terms: Int(charge.terms))
      guard !charge.hasNoPlaceInTerm else {
        if price.isStandard { days[Int(price.point)].withoutPlace.add(on: charge.start) }
        continue
      }
      let isNew = mayBeNew && firstPaid.map { charge.start <= $0 } == true
      if price.isStandard { add(price, after: before, isNew: isNew, charge.start) }
      if price != .free { mayBeNew = false }
      before = charge.isContinued ? price : .free
    }
  }

  /// Counts a charge if the filters admit it, and returns the price of its terms.
  @inline(__always)
  private mutating func countAdmitted(terms: Int) -> PackedPrice {
    let admitted = Int(admittedOfTerms[terms])
    if admitted >= 0 { admittedCounts[admitted] += 1 }
    return packedPriceOfTerms[terms]
  }

  private mutating func add(
    _ price: PackedPrice, after before: PackedPrice, isNew: Bool, _ day: Day
  ) {
    let point = Int(price.point)
    if price == before, !price.isPreserved {
      days[point].renewals.add(on: day)
    } else if before.isStandard,
      points[Int(before.point)].key.productPlan == points[point].key.productPlan
    {
      addTransition(price, after: before, day)
    } else if !price.isPreserved, isNew {
      days[point].new.add(on: day)
    } else if !price.isPreserved {
      days[point].otherCharges.add(on: day)
    }
  }

  private mutating func addTransition(_ price: PackedPrice, after before: PackedPrice, _ day: Day) {
    // Count a subscriber who keeps the old price only once: skip the later preserved charges.
    if price.isPreserved, before.point != price.point || before.isPreserved { return }
    let transition = Transition(
      origin: .period(at: before.point, isPreserved: before.isPreserved), point: price.point,
      isPreserved: price.isPreserved, day: day)
    transitions.add(1, to: transition)
  }

  /// Writes the counts of chains, or reads them into an empty tally; without the durations of SALES.
  mutating func code<Coder: ValueCoder>(with coder: inout Coder) {
    let blank = Point(key: .blank, milliunits: 0)
    var prices = zip(points, days).map { (point: $0, days: $1) }
    coder.list(&prices, blank: (blank, Days())) { price, coder in
      price.point.key.code(with: &coder)
      coder.integer(&price.point.milliunits)
      price.days.renewals.code(with: &coder)
      price.days.new.code(with: &coder)
      price.days.otherCharges.code(with: &coder)
      price.days.withoutPlace.code(with: &coder)
    }
    for (number, price) in prices.enumerated() {
      guard coder.isValid, self.number(of: price.point) == number else { return coder.fail() }
      days[number] = price.days
    }
    var admitted = admitted
    coder.dictionary(&admitted, blank: (.blank, 0)) { key, count, coder in
      key.code(with: &coder)
      coder.count(&count)
    }
    if coder.isReading { for (key, count) in admitted { admit(key, count) } }
    let transition = Transition(
      origin: .unknownPeriod, point: 0, isPreserved: false, day: Day(number: 0))
    coder.dictionary(&transitions, blank: (transition, 0)) { transition, count, coder in
      transition.code(with: &coder)
      coder.count(&count)
    }
    if !transitions.keys.allSatisfy({ $0.isOf(points.indices) }) { coder.fail() }
  }
}

extension PriceTally.Transition {
  fileprivate mutating func code(with coder: inout some ValueCoder) {
    var (before, wasPreserved): (Int32, Bool) =
      switch origin {
      case .period(let point, let isPreserved): (point, isPreserved)
      case .unknownPeriod: (-1, false)
      }
    coder.integer(&before)
    coder.flag(&wasPreserved)
    origin = before < 0 ? .unknownPeriod : .period(at: before, isPreserved: wasPreserved)
    coder.integer(&point)
    coder.flag(&isPreserved)
    coder.day(&day)
  }

  /// Returns whether the numbers of both prices are in a range.
  fileprivate func isOf(_ points: Range<Int>) -> Bool {
    if case .period(let before, _) = origin, !points.contains(Int(before)) { return false }
    return points.contains(Int(point))
  }
}

extension PriceTally {
  /// Adds units, more than 0, of SALES rows of an auto-renewable subscription at its standard price.
  package mutating func add(_ units: Int, _ terms: SalesTerms, on day: Day) {
    let product = terms.attributes.product
    if let term = terms.standardTerm { addDuration(term, of: product) }
    if terms.isContingent || (terms.isPreserved && terms.purchase != .renewal) { return }
    let point = number(of: terms.price, terms.attributes)
    switch terms.purchase {
    case .new: days[point].new.add(units, on: day)
    case .unknown: days[point].otherCharges.add(units, on: day)
    case .renewal:
      let transition = Transition(
        origin: .unknownPeriod, point: Int32(point), isPreserved: terms.isPreserved, day: day)
      transitions[transition, default: 0] += units
    }
  }

  /// Adds the duration of a product; of several, which no product should have, the shortest counts, in any order.
  mutating func addDuration(_ term: Term, of product: Symbol) {
    if let other = durations[product], (other.months, other.days) <= (term.months, term.days) {
      return
    }
    durations[product] = term
  }
}
