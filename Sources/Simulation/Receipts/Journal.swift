/// What happened in the lives of some members, from their first day on.
///
/// A world of millions does not fit in memory with its history, but it can be lived again: each
/// time another part of its members is recorded, ``Journal/parts(of:atOnce:)``.
struct Journal {
  /// Something that happened, as small as its ranges allow.
  struct Entry {
    /// The place of the same member's entry before, or -1.
    fileprivate let previous: Int32
    let day: Int32
    /// The day on which the last period is over.
    let end: Int32
    /// The day on which the commitment is over that is paid for in instalments, or 0.
    let termEnd: Int32
    let serial: UInt16
    let daysBeforeCanceling: Int16
    let verb: EventName.Verb
    let change: EventName.Change
    let reason: CancellationReason
    let terms: ChargeTerms
  }

  /// The recorded members.
  let members: Range<Int>
  private var entries: [Entry] = []
  /// The place of each member's last entry, or -1.
  private var last: [Int32]

  init(members: Range<Int>) {
    self.members = members
    last = Array(repeating: -1, count: members.count)
  }

  /// Returns the members of a world in parts of a size.
  static func parts(of memberCount: Int, atOnce size: Int) -> [Range<Int>] {
    stride(from: 0, to: memberCount, by: size).map { $0..<min($0 + size, memberCount) }
  }

  /// Adds what happened to somebody, if they are recorded.
  mutating func add(_ event: LifeEvent, of member: Int, until end: Int32, termEnd: Int) {
    guard members.contains(member) else { return }
    let place = member - members.lowerBound
    entries.append(
      Entry(
        previous: last[place], day: Int32(event.day), end: end, termEnd: Int32(termEnd),
        serial: event.serial,
        daysBeforeCanceling: Int16(event.daysBeforeCanceling ?? 0), verb: event.name.verb,
        change: event.name.change, reason: event.reason, terms: event.terms))
    last[place] = Int32(entries.count - 1)
  }

  /// Returns what happened to a recorded member, in order.
  func entries(of member: Int) -> [Entry] {
    var found: [Entry] = []
    var place = last[member - members.lowerBound]
    while place >= 0 {
      let entry = entries[Int(place)]
      found.append(entry)
      place = entry.previous
    }
    return found.reversed()
  }
}
