import Storage
package import SubscriptionModel

/// How a paid charge comes to hold the place of a chain, or no longer holds it: METRICS.md 11.2.
package enum RecurringFlow: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  // A charge comes.
  case new, firstSeen, reactivated, recovered, switchedIn
  // A charge goes.
  case churned, enteredRetry, switchedOut
  // A charge takes the place of another one: of another product or plan, of another kind, or at another price.
  case product, offer, price
  /// A charge of another cohort takes the place.
  case movedOut
  // A charge takes the place of one of another cohort.
  case movedInProduct, movedInOffer, movedInPrice

  /// The flow of the charge to which a fact refers; `nil` for a fact that is no flow.
  static let ofFact: [RecurringFlow?] = Fact.allCases.map { fact in
    switch fact {
    case .started, .converted: .new
    case .firstSeen: .firstSeen
    case .reactivated: .reactivated
    case .recovered: .recovered
    case .switchedIn: .switchedIn
    case .churnedVoluntary, .churnedBilling, .churnedPrice, .churnedRefund, .churnedRemoved,
      .churnedOther, .churnedUnknown:
      .churned
    case .enteredRetry: .enteredRetry
    case .switchedOut: .switchedOut
    default: nil
    }
  }

  /// Whether a charge comes and none goes.
  package var isInflow: Bool { rawValue <= Self.switchedIn.rawValue }

  /// The same cause, for a charge that takes the place of one of another cohort.
  var fromAnotherCohort: RecurringFlow {
    switch self {
    case .product: .movedInProduct
    case .offer: .movedInOffer
    default: .movedInPrice
    }
  }

  /// Returns why the value of a place changes when another paid charge takes it: the first cause that holds.
  init(from old: ChargeTerms, to new: ChargeTerms) {
    if old.attributes.product != new.attributes.product || old.plan != new.plan {
      self = .product
    } else {
      self = old.kind == new.kind ? .price : .offer
    }
  }
}

/// The charges that came and went, by cohort, month and value: METRICS.md 11.2.
///
/// It counts charges; tables multiply them by their monthly values. The stock of a month is the sum of all flows up to it.
package struct RecurringGrid: Sendable {
  /// A flow of charges of one value.
  package struct Key: QuickHashable {
    package var cohort: Int32
    package var month: Month
    package var flow: RecurringFlow
    /// The number of the value that goes, and of the one that comes; -1 for none.
    package var (old, new): (Int32, Int32)

    package var quickHash: UInt32 {
      let place =
        UInt64(UInt32(bitPattern: cohort)) << 32 | UInt64(UInt32(bitPattern: month.number))
      let values = UInt64(UInt32(bitPattern: old)) << 32 | UInt64(UInt32(bitPattern: new))
      return (place ^ (values << 4 ^ UInt64(flow.rawValue)) &* 0xD6E8_FEB8_6659_FD93).quickHash
    }
  }

  /// A paid period that may still lapse, with the value of its charge.
  private struct OpenKey: QuickHashable {
    var cohort: Int32
    var period: OpenPeriod
    var end: Day
    var value: Int32

    var quickHash: UInt32 {
      let place = UInt64(UInt32(bitPattern: cohort)) << 32 | UInt64(UInt32(bitPattern: value))
      let time = UInt64(UInt32(bitPattern: end.number)) << 28 ^ period.bits
      return (place ^ time &* 0xD6E8_FEB8_6659_FD93).quickHash
    }
  }

  private var numbered = ChargeValues()
  private var counts = KeyCounts<Key>()
  private var open = KeyCounts<OpenKey>()

  /// The values, by their numbers in ``entries``.
  package var values: [ChargeValue] { numbered.all }
  /// All flows with the number of charges, in no order; a number may be 0.
  package var entries: some Sequence<Entry> { counts.entries }

  package typealias Entry = (key: Key, count: Int)

  /// The flows of which the number is not 0, in the order of their months.
  package var entriesByMonth: [Entry] {
    let byMonth = Dictionary(grouping: counts.entries.lazy.filter { $0.count != 0 }) {
      $0.key.month
    }
    return byMonth.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  private static let none = Int32(-1)

  private mutating func value(_ number: Int, _ terms: [ChargeTerms]) -> Int32 {
    numbered.number(ofTerms: number, terms)
  }

  /// Adds charges with the terms of an index that come or go.
  mutating func add(
    _ count: Int, _ flow: RecurringFlow, terms number: Int, _ terms: [ChargeTerms], cohort: Int,
    month: Month
  ) {
    let value = value(number, terms)
    let isInflow = flow.isInflow
    counts.add(
      count,
      of: Key(
        cohort: Int32(cohort), month: month, flow: flow, old: isInflow ? Self.none : value,
        new: isInflow ? value : Self.none))
  }

  /// Adds charges that take the place of others, given the indices of their terms; free ones (`nil`) hold no place.
  ///
  /// A cohort is `nil` if filters exclude it.
  mutating func replace(
    _ old: Int, by new: Int?, _ terms: [ChargeTerms], in oldCohort: Int?, _ newCohort: Int?,
    month: Month, count: Int = 1
  ) {
    guard let new else {
      if let oldCohort {
        add(count, .switchedOut, terms: old, terms, cohort: oldCohort, month: month)
      }
      return
    }
    let cause = RecurringFlow(from: terms[old], to: terms[new])
    let (going, coming) = (value(old, terms), value(new, terms))
    if oldCohort != newCohort, let oldCohort {
      counts.add(
        count,
        of: Key(
          cohort: Int32(oldCohort), month: month, flow: .movedOut, old: going, new: coming))
    }
    guard let newCohort else { return }
    let flow = oldCohort == newCohort ? cause : cause.fromAnotherCohort
    counts.add(
      count, of: Key(cohort: Int32(newCohort), month: month, flow: flow, old: going, new: coming))
  }

  /// Adds a paid period that may still lapse.
  mutating func addOpen(
    _ period: OpenPeriod, until end: Day, terms number: Int, _ terms: [ChargeTerms], cohort: Int
  ) {
    let value = value(number, terms)
    open.add(1, of: OpenKey(cohort: Int32(cohort), period: period, end: end, value: value))
  }

  /// Adds the lapses among the open periods as of a day; with `onlyDecided` those that a later day may count
  /// differently stay open.
  mutating func countOpen(on asOf: Day, onlyDecided: Bool) {
    var rest = KeyCounts<OpenKey>()
    for (key, count) in open.entries where count != 0 {
      guard !onlyDecided || key.period.isDecided(key.end, on: asOf) else {
        rest.add(count, of: key)
        continue
      }
      key.period.forEachFact(key.end, on: asOf) { fact, month in
        guard let flow = RecurringFlow.ofFact[fact.rawValue] else { return }
        counts.add(
          count,
          of: Key(cohort: key.cohort, month: month, flow: flow, old: key.value, new: Self.none))
      }
    }
    open = rest
  }

  /// Adds another grid, or subtracts it; `cohorts` has its cohorts' indices here.
  mutating func merge(_ other: RecurringGrid, cohorts: [Int], _ sign: MergeSign) {
    let own = other.values.map { numbered.number(of: $0) }
    let value = { (number: Int32) in number < 0 ? Self.none : own[Int(number)] }
    for (key, count) in other.counts.entries where count != 0 {
      counts.add(
        sign.factor * count,
        of: Key(
          cohort: Int32(cohorts[Int(key.cohort)]), month: key.month, flow: key.flow,
          old: value(key.old), new: value(key.new)))
    }
    for (key, count) in other.open.entries where count != 0 {
      var moved = key
      (moved.cohort, moved.value) = (Int32(cohorts[Int(key.cohort)]), value(key.value))
      open.add(sign.factor * count, of: moved)
    }
  }
}

// MARK: Coding

extension RecurringGrid {
  /// Writes or reads every number of charges that is not 0.
  mutating func code<Coder: ValueCoder>(cohorts: Int, with coder: inout Coder) {
    numbered.code(with: &coder)
    var counted = counts.entries.filter { $0.count != 0 }
    let (numbers, possible) = (Int32(values.count), 0..<Int32(cohorts))
    let key = Key(cohort: 0, month: Month(number: 0), flow: .new, old: -1, new: -1)
    coder.list(&counted, blank: (key, 0)) { entry, coder in
      coder.integer(&entry.key.cohort)
      coder.month(&entry.key.month)
      coder.word(&entry.key.flow)
      coder.integer(&entry.key.old)
      coder.integer(&entry.key.new)
      coder.count(&entry.count)
      let isPossible =
        possible.contains(entry.key.cohort) && entry.key.flow.has(entry.key.old, entry.key.new)
        && max(entry.key.old, entry.key.new) < numbers
      if !isPossible { coder.fail() }
    }
    var opened = open.entries.filter { $0.count != 0 }
    let openKey = OpenKey(
      cohort: 0, period: OpenPeriod(.paid, Month(number: 0)), end: Day(number: 0), value: 0)
    coder.list(&opened, blank: (openKey, 0)) { entry, coder in
      coder.integer(&entry.key.cohort)
      coder.word(&entry.key.period.kind)
      coder.integer(&entry.key.period.number, in: Month.possibleNumbers)
      coder.day(&entry.key.end)
      coder.integer(&entry.key.value)
      coder.count(&entry.count)
      let isPossible =
        possible.contains(entry.key.cohort) && (0..<numbers).contains(entry.key.value)
      if !isPossible { coder.fail() }
    }
    guard coder.isReading, coder.isValid else { return }
    (counts, open) = (KeyCounts(), KeyCounts())
    for (key, count) in counted { counts.add(count, of: key) }
    for (key, count) in opened { open.add(count, of: key) }
  }
}

extension RecurringFlow {
  /// Returns whether the numbers of the values are those that the flow has.
  fileprivate func has(_ old: Int32, _ new: Int32) -> Bool {
    if isInflow { return old == -1 && new >= 0 }
    let isOutflow = rawValue <= Self.switchedOut.rawValue
    return old >= 0 && (isOutflow ? new == -1 : new >= 0)
  }
}
