import Counting
import Storage
import SubscriptionModel

extension RenewalGrid {
  /// Writes all groups, or reads them into an empty grid.
  mutating func code<Coder: ValueCoder>(
    monthCount: Int, dateCount: Int, with coder: inout Coder
  ) {
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
