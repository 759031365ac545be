import SubscriptionModel

/// How many periods ended, and how many of them continued.
struct RenewalCounts: Summable {
  var due = 0
  var renewed = 0

  mutating func merge(_ other: RenewalCounts, _ sign: MergeSign) {
    due += sign.factor * other.due
    renewed += sign.factor * other.renewed
  }

  static func + (left: RenewalCounts, right: RenewalCounts) -> RenewalCounts {
    RenewalCounts(due: left.due + right.due, renewed: left.renewed + right.renewed)
  }

  /// The rate with its sample; `nil` when nothing was due.
  var rate: WeightedRate? { due > 0 ? WeightedRate(renewed, of: due) : nil }
}

/// Renewals of one group around one change: treated or control.
struct RenewalGroup: Equatable, Sendable {
  /// Where a period that ended is counted.
  enum Part: Hashable, Sendable {
    case before(RenewalOrdinal), after(RenewalOrdinal), month(Int)
  }

  /// By ordinal: all that ended in the 90 days before the change.
  var before = [RenewalCounts](repeating: RenewalCounts(), count: RenewalOrdinal.allCases.count)
  /// By ordinal: of each chain the first that ended after the change.
  var after = [RenewalCounts](repeating: RenewalCounts(), count: RenewalOrdinal.allCases.count)
  /// By month from the change, from ``ImpactScope/firstMonth`` on: all that ended.
  var months: [RenewalCounts]

  init(monthCount: Int) {
    months = [RenewalCounts](repeating: RenewalCounts(), count: monthCount)
  }

  mutating func add(_ counts: RenewalCounts, to part: Part) {
    switch part {
    case .before(let ordinal): before[ordinal.rawValue].merge(counts, .plus)
    case .after(let ordinal): after[ordinal.rawValue].merge(counts, .plus)
    case .month(let month): months[month - ImpactScope.firstMonth].merge(counts, .plus)
    }
  }

  /// Adds another group, or takes it back; that of an earlier as-of has fewer months.
  mutating func merge(_ other: RenewalGroup, _ sign: MergeSign = .plus) {
    for index in before.indices { before[index].merge(other.before[index], sign) }
    for index in after.indices { after[index].merge(other.after[index], sign) }
    for index in other.months.indices { months[index].merge(other.months[index], sign) }
  }

  /// The counts of a month; none for one that has not come.
  func month(_ month: Int) -> RenewalCounts {
    let index = month - ImpactScope.firstMonth
    return months.indices.contains(index) ? months[index] : RenewalCounts()
  }
}

/// Renewals by product in a storefront, around each of the changes that they matter for.
struct RenewalGrid: Sendable {
  /// A product at one duration in a storefront, paid in one currency.
  struct Unit: Hashable, Sendable {
    var key: PriceKey
    var term: Term
  }

  /// A unit, seen from the dates of a change.
  private struct Place: Hashable {
    var unit: Unit
    var dates: Int
  }

  struct LaterKey: Hashable {
    var group: Int
    var part: RenewalGroup.Part
  }

  var groups: [RenewalGroup] = []
  private(set) var units: [(unit: Unit, dates: Int)] = []
  private var groupOfPlace: [Place: Int] = [:]
  /// Renewals of the groups, by the day from which they count.
  var later = CountsByDay<LaterKey, RenewalCounts>()
  private let monthCount: Int

  init(monthCount: Int) {
    self.monthCount = monthCount
  }

  /// Returns the index of a group, a new one for a new unit.
  mutating func group(of unit: Unit, dates: Int) -> Int {
    let place = Place(unit: unit, dates: dates)
    if let group = groupOfPlace[place] { return group }
    groupOfPlace[place] = groups.count
    units.append((unit, dates))
    groups.append(RenewalGroup(monthCount: monthCount))
    return groups.count - 1
  }

  /// Counts a period that ended.
  ///
  /// - Parameters:
  ///   - part: Where it is counted.
  ///   - isRenewed: Whether it continued.
  ///   - group: The group's index.
  ///   - day: The day from which it counts; `nil` when it does now.
  mutating func add(_ part: RenewalGroup.Part, isRenewed: Bool, group: Int, from day: Day?) {
    let counts = RenewalCounts(due: 1, renewed: isRenewed ? 1 : 0)
    if let day {
      later.add(counts, LaterKey(group: group, part: part), on: day)
    } else {
      groups[group].add(counts, to: part)
    }
  }

  /// Adds the renewals that count from a day on, or from an earlier one, to their groups.
  mutating func decide(by asOf: Day) {
    let later = later
    later.forEach(on: asOf) { groups[$0.group].add($1, to: $0.part) }
    self.later.removeAll(on: asOf)
  }

  /// Adds another grid, or takes it back.
  ///
  /// - Parameters:
  ///   - other: The grid.
  ///   - dates: For each of its dates the index here.
  ///   - sign: Whether it is added.
  mutating func merge(_ other: RenewalGrid, dates: [Int], _ sign: MergeSign) {
    let own = other.units.map { group(of: $0.unit, dates: dates[$0.dates]) }
    for (group, counts) in zip(own, other.groups) { groups[group].merge(counts, sign) }
    later.merge(other.later, sign) { LaterKey(group: own[$0.group], part: $0.part) }
  }

  /// Returns the units seen from dates, each with its renewals.
  func units(dates: Int) -> [(unit: Unit, group: RenewalGroup)] {
    // Groups of which all is of a later day, or was taken back, are none.
    let empty = RenewalGroup(monthCount: monthCount)
    return zip(units, groups).filter { $0.0.dates == dates && $0.1 != empty }.map {
      ($0.0.unit, $0.1)
    }
  }
}
