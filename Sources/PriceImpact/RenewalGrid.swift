import Counting
import Storage
import SubscriptionModel
import Tables

/// The number of periods that ended, and of those that continued.
struct RenewalCounts: Summable {
  var due = 0
  var renewed = 0

  mutating func merge(_ other: RenewalCounts, _ sign: MergeSign) {
    due += sign.factor * other.due
    renewed += sign.factor * other.renewed
  }

  /// The rate with its sample size; `nil` if no period was due.
  var rate: WeightedRate? { due > 0 ? WeightedRate(renewed, of: due) : nil }
}

/// The renewals of a treated or control group before and after one change.
struct RenewalGroup: Equatable, Sendable {
  /// The part of the group to which a period is added.
  enum Part: Hashable, Sendable {
    case before(RenewalOrdinal), after(RenewalOrdinal), month(Int)
  }

  /// All periods that ended in the 90 days before the change, by ordinal.
  var before = [RenewalCounts](repeating: RenewalCounts(), count: RenewalOrdinal.allCases.count)
  /// Each chain's first period that ended after the change, by ordinal.
  var after = [RenewalCounts](repeating: RenewalCounts(), count: RenewalOrdinal.allCases.count)
  /// All periods by month from the change, from ``ImpactScope/firstMonth`` on.
  var months: [RenewalCounts]

  init(monthCount: Int) { months = [RenewalCounts](repeating: RenewalCounts(), count: monthCount) }

  mutating func add(_ counts: RenewalCounts, to part: Part) {
    switch part {
    case .before(let ordinal): before[ordinal.rawValue].merge(counts, .plus)
    case .after(let ordinal): after[ordinal.rawValue].merge(counts, .plus)
    case .month(let month):
      // Only a forged entry of a cache or frame has another month.
      guard (ImpactScope.firstMonth..<ImpactScope.firstMonth + months.count).contains(month) else {
        return
      }
      months[month - ImpactScope.firstMonth].merge(counts, .plus)
    }
  }

  /// Adds or subtracts another group; the group of an earlier as-of has fewer months.
  mutating func merge(_ other: RenewalGroup, _ sign: MergeSign = .plus) {
    for index in before.indices { before[index].merge(other.before[index], sign) }
    for index in after.indices { after[index].merge(other.after[index], sign) }
    for index in other.months.indices { months[index].merge(other.months[index], sign) }
  }

  /// Returns the counts of a month; zeros for a month that is still to come.
  func month(_ month: Int) -> RenewalCounts {
    let index = month - ImpactScope.firstMonth
    return months.indices.contains(index) ? months[index] : RenewalCounts()
  }
}

/// Renewals by price key and duration, before and after each change for which they are treated or a possible control.
struct RenewalGrid: Sendable {
  /// A price key with one duration.
  struct KeyDuration: Hashable, Sendable {
    var key: PriceKey
    var term: Term
  }

  /// The key of a group: a price key with duration, and the index of the dates before and after which it is counted.
  struct GroupKey: Hashable, Sendable {
    var unit: KeyDuration
    var dates: Int
  }

  struct LaterKey: Hashable {
    var group: Int
    var part: RenewalGroup.Part
  }

  var groups: [RenewalGroup] = []
  /// The key of each group, by its index.
  private(set) var groupKeys = NumberedValues<GroupKey>()
  /// Renewals of the groups, by the day from which they count.
  var later = CountsFromDay<LaterKey, RenewalCounts>()
  private let monthCount: Int

  init(monthCount: Int) { self.monthCount = monthCount }

  /// Returns the index of a group, adding the group if new.
  mutating func group(of unit: KeyDuration, dates: Int) -> Int {
    let group = groupKeys.number(of: GroupKey(unit: unit, dates: dates))
    if group == groups.count { groups.append(RenewalGroup(monthCount: monthCount)) }
    return group
  }

  /// Counts a period that ended; it counts from a day on, or now without one.
  mutating func add(_ part: RenewalGroup.Part, isRenewed: Bool, group: Int, from day: Day?) {
    let counts = RenewalCounts(due: 1, renewed: isRenewed ? 1 : 0)
    if let day {
      later.add(counts, LaterKey(group: group, part: part), on: day)
    } else {
      groups[group].add(counts, to: part)
    }
  }

  /// Adds to the groups the renewals that count by a day.
  mutating func decide(by asOf: Day) {
    let later = later
    later.forEach(on: asOf) { groups[$0.group].add($1, to: $0.part) }
    self.later.removeAll(on: asOf)
  }

  /// Adds or subtracts another grid; `dates` has the indices of its dates here.
  mutating func merge(_ other: RenewalGrid, dates: [Int], _ sign: MergeSign) {
    let own = other.groupKeys.values.map { group(of: $0.unit, dates: dates[$0.dates]) }
    for (group, counts) in zip(own, other.groups) { groups[group].merge(counts, sign) }
    later.merge(other.later, sign) { LaterKey(group: own[$0.group], part: $0.part) }
  }

  /// Returns all groups of one pair of dates.
  func units(dates: Int) -> [(key: GroupKey, group: RenewalGroup)] {
    // Skip empty groups: their renewals count from a later day on, or were subtracted.
    let empty = RenewalGroup(monthCount: monthCount)
    return zip(groupKeys.values, groups).filter { $0.dates == dates && $1 != empty }
      .map { ($0, $1) }
  }

  /// Writes all groups, or reads them into an empty grid.
  mutating func code<Coder: ValueCoder>(monthCount: Int, dateCount: Int, with coder: inout Coder) {
    let blank = GroupKey(unit: KeyDuration(key: .blank, term: Term(days: 0)), dates: 0)
    var entries = zip(groupKeys.values, groups).map { (key: $0, group: $1) }
    coder.list(&entries, blank: (blank, RenewalGroup(monthCount: monthCount))) { entry, coder in
      entry.key.unit.key.code(with: &coder)
      entry.key.unit.term.code(with: &coder)
      coder.integer(&entry.key.dates)
      entry.group.code(with: &coder)
    }
    var later = later
    later.code(with: &coder, blank: LaterKey(group: 0, part: .month(0))) { key, counts, coder in
      coder.integer(&key.group)
      key.part.code(with: &coder)
      counts.code(with: &coder)
      if !entries.indices.contains(key.group) { coder.fail() }
    }
    self = RenewalGrid(monthCount: monthCount)
    self.later = later
    for (key, group) in entries {
      guard (0..<dateCount).contains(key.dates) else { return coder.fail() }
      groups[self.group(of: key.unit, dates: key.dates)] = group
    }
  }
}

extension RenewalGroup {
  fileprivate mutating func code(with coder: inout some ValueCoder) {
    for index in before.indices { before[index].code(with: &coder) }
    for index in after.indices { after[index].code(with: &coder) }
    for index in months.indices { months[index].code(with: &coder) }
  }
}

extension RenewalGroup.Part {
  /// Writes or reads the part: a number for its case, then its ordinal or month.
  fileprivate mutating func code(with coder: inout some ValueCoder) {
    var (form, ordinal, month): (UInt8, RenewalOrdinal, Int) =
      switch self {
      case .before(let ordinal): (0, ordinal, 0)
      case .after(let ordinal): (1, ordinal, 0)
      case .month(let month): (2, .unknown, month)
      }
    coder.integer(&form)
    if form < 2 { coder.word(&ordinal) } else { coder.integer(&month) }
    switch form {
    case 0: self = .before(ordinal)
    case 1: self = .after(ordinal)
    default: self = .month(month)
    }
  }
}

extension RenewalCounts {
  fileprivate mutating func code(with coder: inout some ValueCoder) {
    coder.count(&due)
    coder.count(&renewed)
  }
}

/// The age of a subscription at a renewal, as a band of its number of paid periods: METRICS.md section 6.
///
/// Comparisons are standardised to these bands, because young subscriptions lapse far more often than old ones.
package enum RenewalOrdinal: Int, CaseIterable, Sendable {
  case first, second, third, fourthToSixth, seventhToTwelfth, later
  /// The chain may have begun before the data.
  case unknown

  /// Creates the band of a charge whose renewal was due.
  init(_ charge: PricedCharge, _ chain: PricedChain) {
    self =
      switch charge.ordinal {
      case _ where !chain.isStartKnown: .unknown
      case ...1: .first
      case 2: .second
      case 3: .third
      case 4...6: .fourthToSixth
      case 7...12: .seventhToTwelfth
      default: .later
      }
  }

  /// The band as `tenure` prints it, with an en dash: spreadsheets read `4-6` as a date.
  package var name: String {
    switch self {
    case .first: "1"
    case .second: "2"
    case .third: "3"
    case .fourthToSixth: "4–6"
    case .seventhToTwelfth: "7–12"
    case .later: "13+"
    case .unknown: "unknown"
    }
  }
}
