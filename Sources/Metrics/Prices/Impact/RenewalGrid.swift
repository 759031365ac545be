import SubscriptionModel

/// How many periods ended, and how many of them continued.
struct RenewalCounts: Equatable, Sendable {
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
  /// By ordinal: all that ended in the 90 days before the change.
  var before = [RenewalCounts](repeating: RenewalCounts(), count: RenewalOrdinal.allCases.count)
  /// By ordinal: of each chain the first that ended after the change.
  var after = [RenewalCounts](repeating: RenewalCounts(), count: RenewalOrdinal.allCases.count)
  /// By month from the change, from ``ImpactScope/firstMonth`` on: all that ended.
  var months: [RenewalCounts]

  init(monthCount: Int) {
    months = [RenewalCounts](repeating: RenewalCounts(), count: monthCount)
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

  private(set) var groups: [RenewalGroup] = []
  private(set) var units: [(unit: Unit, dates: Int)] = []
  private var groupOfPlace: [Place: Int] = [:]
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

  mutating func addBefore(_ ordinal: RenewalOrdinal, isRenewed: Bool, group: Int) {
    groups[group].before[ordinal.rawValue].add(isRenewed: isRenewed)
  }

  mutating func addAfter(_ ordinal: RenewalOrdinal, isRenewed: Bool, group: Int) {
    groups[group].after[ordinal.rawValue].add(isRenewed: isRenewed)
  }

  mutating func add(month: Int, isRenewed: Bool, group: Int) {
    groups[group].months[month - ImpactScope.firstMonth].add(isRenewed: isRenewed)
  }

  /// Adds another grid, or takes it back.
  ///
  /// - Parameters:
  ///   - other: The grid.
  ///   - dates: For each of its dates the index here.
  ///   - sign: Whether it is added.
  mutating func merge(_ other: RenewalGrid, dates: [Int], _ sign: MergeSign) {
    for (place, group) in zip(other.units, other.groups) {
      groups[self.group(of: place.unit, dates: dates[place.dates])].merge(group, sign)
    }
  }

  /// Returns the units seen from dates, each with its renewals.
  func units(dates: Int) -> [(unit: Unit, group: RenewalGroup)] {
    zip(units, groups).filter { $0.0.dates == dates }.map { ($0.0.unit, $0.1) }
  }
}

extension RenewalGrid {
  /// Codes all groups.
  mutating func code<Coder: ValueCoder>(
    monthCount: Int, dateCount: Int, with coder: inout Coder
  ) {
    let key = PriceKey(product: .blank, country: .blank, currency: .blank)
    let blank = (Unit(key: key, term: Term(days: 0)), 0, RenewalGroup(monthCount: monthCount))
    var entries = zip(units, groups).map { (unit: $0.unit, dates: $0.dates, group: $1) }
    coder.list(&entries, blank: blank) { entry, coder in
      coder.symbol(&entry.unit.key.product)
      coder.symbol(&entry.unit.key.country)
      coder.symbol(&entry.unit.key.currency)
      entry.unit.term.code(with: &coder)
      coder.integer(&entry.dates)
      entry.group.code(with: &coder)
    }
    self = RenewalGrid(monthCount: monthCount)
    for (unit, dates, group) in entries {
      guard (0..<dateCount).contains(dates) else { return coder.fail() }
      groups[self.group(of: unit, dates: dates)] = group
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

extension RenewalCounts {
  fileprivate mutating func code(with coder: inout some ValueCoder) {
    coder.integer(&due)
    coder.integer(&renewed)
  }

  fileprivate mutating func add(isRenewed: Bool) {
    due += 1
    if isRenewed { renewed += 1 }
  }
}
