import Storage
package import SubscriptionModel

/// What the chains with a known start have paid, by cohort and start month: METRICS.md 11.3.
///
/// A charge counts at the first row whose window has it; tables add up the rows before.
package struct LifetimeGrid: Sendable {
  package enum Kind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// A chain, and a chain with its first paid charge.
    case started, paying
    /// A paid charge, and a refund.
    case charge, refund
    /// A chain that may have begun before the data, in the month of its first row.
    case before
    /// A chain of receipts that was not seen up to the end of the row's window.
    case unseen
  }

  /// The amounts of a charge or a refund in both currencies.
  package struct Amounts: Hashable, Sendable {
    package var price: Amount
    package var proceeds: Amount

    init(price: Amount, proceeds: Amount) { (self.price, self.proceeds) = (price, proceeds) }
  }

  package struct Key: QuickHashable {
    /// The cohort of the chain's first charge.
    package var cohort: Int32
    /// The calendar month of the start.
    package var start: Month
    package var kind: Kind
    /// The place of the row in ``LifetimeWindow/months``.
    package var place: UInt8
    /// The number of amounts with the currencies of the chain's first charge.
    package var first: Int32
    /// The number of the amounts; -1 for a chain.
    package var amounts: Int32
    /// The month of the charge or refund, which decides on the rate of conversion.
    package var month: Month

    package var quickHash: UInt32 {
      let chain =
        UInt64(UInt32(bitPattern: cohort)) << 32 | UInt64(UInt32(bitPattern: start.number))
      let money = UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: amounts))
      let row = UInt64(UInt32(bitPattern: month.number)) << 16 ^ UInt64(place) << 8
      return (chain ^ (money << 5 ^ row ^ UInt64(kind.rawValue)) &* 0xD6E8_FEB8_6659_FD93).quickHash
    }
  }

  private var numbered = NumberedValues<Amounts>()
  private var counts = KeyCounts<Key>()

  /// The amounts, by their numbers in ``entries``.
  package var amounts: [Amounts] { numbered.values }
  /// All counts, in no order; a count may be 0.
  package var entries: some Sequence<(key: Key, count: Int)> { counts.entries }

  /// Adds an event of chains, with the amounts of a payment or refund, in the cohort of their first charge.
  mutating func add(
    _ count: Int, _ event: LifetimeEvent, first: ChargeTerms, _ amounts: Amounts?, cohort: Int
  ) {
    let currencies = Amounts(
      price: Amount(milliunits: 0, currency: first.price.currency),
      proceeds: Amount(milliunits: 0, currency: first.proceeds.currency))
    counts.add(
      count,
      of: Key(
        cohort: Int32(cohort), start: event.start.month, kind: event.kind, place: event.place,
        first: Int32(numbered.number(of: currencies)),
        amounts: amounts.map { Int32(numbered.number(of: $0)) } ?? -1, month: event.month))
  }

  /// Adds another grid, or subtracts it; `cohorts` has its cohorts' indices here.
  mutating func merge(_ other: LifetimeGrid, cohorts: [Int], _ sign: MergeSign) {
    let own = other.amounts.map { Int32(numbered.number(of: $0)) }
    for (key, count) in other.counts.entries where count != 0 {
      var moved = key
      moved.cohort = Int32(cohorts[Int(key.cohort)])
      moved.first = own[Int(key.first)]
      if key.amounts >= 0 { moved.amounts = own[Int(key.amounts)] }
      counts.add(sign.factor * count, of: moved)
    }
  }

  /// Writes or reads every count that is not 0.
  mutating func code<Coder: ValueCoder>(cohorts: Int, with coder: inout Coder) {
    var amounts = amounts
    coder.list(&amounts, blank: Amounts(price: .blank, proceeds: .blank)) { own, coder in
      own.price.code(with: &coder)
      own.proceeds.code(with: &coder)
    }
    var counted = counts.entries.filter { $0.count != 0 }
    let numbers = Int32(amounts.count)
    let blank = Key(
      cohort: 0, start: Month(number: 0), kind: .started, place: 0, first: 0, amounts: -1,
      month: Month(number: 0))
    coder.list(&counted, blank: (blank, 0)) { entry, coder in
      coder.integer(&entry.key.cohort)
      coder.month(&entry.key.start)
      coder.word(&entry.key.kind)
      coder.integer(&entry.key.place)
      coder.integer(&entry.key.first)
      coder.integer(&entry.key.amounts)
      coder.month(&entry.key.month)
      coder.count(&entry.count)
      let isOfCharge = entry.key.kind == .charge || entry.key.kind == .refund
      let isPossible =
        (0..<Int32(cohorts)).contains(entry.key.cohort)
        && (0..<numbers).contains(entry.key.first)
        && Int(entry.key.place) < LifetimeWindow.months.count
        && (isOfCharge
          ? (0..<numbers).contains(entry.key.amounts) : entry.key.amounts == -1)
      if !isPossible { coder.fail() }
    }
    guard coder.isReading, coder.isValid else { return }
    self = LifetimeGrid()
    for own in amounts { _ = numbered.number(of: own) }
    // A damaged entry may have amounts twice.
    guard numbered.values.count == amounts.count else { return coder.fail() }
    for (key, count) in counted { counts.add(count, of: key) }
  }
}

/// Something that happens to a chain of a known start, before its cohort is looked up.
struct LifetimeEvent: QuickHashable {
  /// The index of the terms of the chain's first charge, and of the charge or refund.
  var first: Int32
  var terms: Int32
  /// The start; the first day of its month, if no view needs the day.
  var start: Day
  var kind: LifetimeGrid.Kind
  var place: UInt8
  var month: Month

  var quickHash: UInt32 {
    let terms = UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: terms))
    let time =
      UInt64(UInt32(bitPattern: start.number)) << 32 | UInt64(UInt32(bitPattern: month.number))
    let row = UInt64(place) << 8 | UInt64(kind.rawValue)
    return (terms ^ (time ^ row << 40) &* 0xD6E8_FEB8_6659_FD93).quickHash
  }
}

extension ViewTally {
  /// Adds an event of a chain of receipts.
  mutating func add(
    _ event: LifetimeEvent, _ amounts: LifetimeGrid.Amounts?, _ terms: [ChargeTerms],
    _ key: ChainKey
  ) {
    let first = terms[Int(event.first)]
    let cohort = index.cohort(
      terms: Int(event.first), attributes: first.attributes, chainPart: index.chainPart(key))
    if let cohort { lifetime?.add(1, event, first: first, amounts, cohort: cohort) }
  }

  /// Adds events of chains, each under the cohort of the chain's first charge.
  mutating func add(
    _ events: KeyCounts<LifetimeEvent>, _ terms: [ChargeTerms], before firstMonth: Month
  ) {
    guard lifetime != nil else { return }
    for (event, count) in events.entries where count != 0 {
      let first = terms[Int(event.first)]
      let key =
        event.kind == .before
        ? ChainKey(start: .before(firstMonth), offer: nil)
        : ChainKey(start: .day(event.start), offer: first.kind)
      let cohort = index.cohort(
        terms: Int(event.first), attributes: first.attributes, chainPart: index.chainPart(key))
      guard let cohort else { continue }
      let own = terms[Int(event.terms)]
      let isOfCharge = event.kind == .charge || event.kind == .refund
      lifetime?.add(
        count, event, first: first,
        isOfCharge ? .init(price: own.price, proceeds: own.proceeds) : nil, cohort: cohort)
    }
  }
}

extension ChainFold {
  /// Adds what a subscriber's chains have paid since their start: METRICS.md 11.3.
  mutating func addLifetimes(_ history: borrowing ChainBuilder) {
    for chain in history.chains where chain.start != .idReset {
      let first = history.periods[chain.periods.lowerBound]
      var event = event(.started, first.start, first.terms)
      guard chain.start == .known else {
        event.kind = .before
        lifetimes.add(1, of: event)
        continue
      }
      lifetimes.add(1, of: event)
      (event.kind, event.place) = (.paying, 0)
      var place = Int?(0)
      for index in chain.periods where kindOfTerms[Int(history.periods[index].terms)].isPaid {
        let period = history.periods[index]
        place = place.flatMap {
          LifetimeWindow.place(of: period.start, from: first.start, after: $0)
        }
        guard let place else { break }
        event.place = UInt8(place)
        if event.kind == .paying { lifetimes.add(1, of: event) }
        event.kind = .charge
        var charge = event
        (charge.terms, charge.month) = (Int32(period.terms), months[period.start])
        lifetimes.add(1, of: charge)
      }
    }
    for refund in history.refunds {
      guard let charge = refund.charge, history.chains[charge.chain].start == .known else {
        continue
      }
      let first = history.periods[history.chains[charge.chain].periods.lowerBound]
      guard let place = LifetimeWindow.place(of: refund.day, from: first.start) else { continue }
      var event = event(.refund, first.start, first.terms)
      (event.place, event.terms) = (UInt8(place), Int32(refund.terms))
      event.month = months[refund.day]
      lifetimes.add(1, of: event)
    }
  }

  private func event(_ kind: LifetimeGrid.Kind, _ start: Day, _ first: UInt32) -> LifetimeEvent {
    LifetimeEvent(
      first: Int32(first), terms: Int32(first),
      start: needsStartDay ? start : months.firstOfMonth(start), kind: kind, place: 0,
      month: months[start])
  }
}

extension ReceiptFacts {
  /// Calls `body` with what a chain of a known start has paid, and the amounts of a charge or refund: METRICS.md 11.3.
  func forEachLifetimeEvent(
    of chain: ReceiptChain, _ history: borrowing ReceiptHistory,
    _ body: (LifetimeEvent, LifetimeGrid.Amounts?) -> Void
  ) {
    guard chain.isStartKnown, let first = termsOfPeriods.first else { return }
    let start = history.periods[chain.periods.lowerBound].start.day
    var event = LifetimeEvent(
      first: Int32(first), terms: Int32(first), start: start, kind: .started, place: 0,
      month: start.month)
    body(event, nil)
    // Its data end before the end of these windows.
    if let place = LifetimeWindow.place(of: (chain.asOf + 1).day, from: start) {
      (event.kind, event.place) = (.unseen, UInt8(place))
      body(event, nil)
    }
    event.kind = .paying
    for (terms, index) in zip(termsOfPeriods, chain.periods)
    where history.periods[index].event.isPaid {
      let day = history.periods[index].start.day
      guard let place = LifetimeWindow.place(of: day, from: start) else { break }
      event.place = UInt8(place)
      if event.kind == .paying { body(event, nil) }
      event.kind = .charge
      var charge = event
      (charge.terms, charge.month) = (Int32(terms), monthSystem.month(of: day))
      let own = self.terms[terms]
      body(charge, .init(price: own.price, proceeds: own.proceeds))
    }
    forEachRefund(of: chain, history) { refund, _ in
      guard let place = LifetimeWindow.place(of: refund.day, from: start) else { return }
      (event.kind, event.place, event.month) = (.refund, UInt8(place), refund.month)
      body(event, .init(price: refund.price, proceeds: refund.proceeds))
    }
  }
}

/// The times after a start at which `lifetime` has a row: METRICS.md 11.3.
package enum LifetimeWindow {
  /// The months after the start, in order.
  package static let months = Array(0...24) + [36, 48]

  /// Returns the first day that a row no longer counts.
  ///
  /// Apple charges up to a day early, so the window of month 12 ends two days before the 13th monthly charge is due.
  package static func end(_ place: Int, from start: Day) -> Day {
    place == 0 ? start + 1 : start.adding(Term(months: Int16(months[place]))) - 2
  }

  /// Returns the place of the first row that counts a day, from a place on that is not too late; `nil` if no row does.
  static func place(of day: Day, from start: Day, after first: Int = 0) -> Int? {
    var place = first
    while place < months.count, day >= end(place, from: start) { place += 1 }
    return place < months.count ? place : nil
  }
}
