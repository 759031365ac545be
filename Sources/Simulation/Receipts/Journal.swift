/// The events of some members, from their first day on.
///
/// The histories of millions of members do not fit in memory. So the simulation runs several times, and
/// each run keeps the events of another part of the members: ``Journal/parts(of:atOnce:)``.
struct Journal {
  /// One event, as small as its ranges allow.
  struct Entry {
    /// The index of the same member's entry before, or -1.
    fileprivate let previous: Int32
    let day: Int32
    /// The day after the last period.
    let end: Int32
    /// The day after the commitment that is paid in instalments, or 0.
    let termEnd: Int32
    let serial: UInt16
    let daysBeforeCanceling: Int16
    let verb: EventName.Verb
    let change: EventName.Change
    let reason: CancellationReason
    let terms: ChargeTerms
  }

  /// The members whose events are kept.
  let members: Range<Int>
  private var entries: [Entry] = []
  /// The index of each member's last entry, or -1.
  private var last: [Int32]

  init(members: Range<Int>) {
    self.members = members
    last = Array(repeating: -1, count: members.count)
  }

  /// Splits the members of a world into ranges of at most `size`.
  static func parts(of memberCount: Int, atOnce size: Int) -> [Range<Int>] {
    stride(from: 0, to: memberCount, by: size).map { $0..<min($0 + size, memberCount) }
  }

  /// Adds an event, if those of the member are kept.
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
