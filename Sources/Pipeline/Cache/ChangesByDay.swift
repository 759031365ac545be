import AppStoreReports
import Scanning
import SubscriptionModel

/// Where an entry of the cache keeps subscribers of whom something will change though no row of theirs comes:
/// by the day of the change, so that a night reads those of its own days and no others.
///
/// A third of all subscribers wait for something; reading and writing them all took a quarter of a night. So the
/// entry stays as it is for some nights. What it says of subscribers who are folded again does not count any
/// more: of those the tally's own record says it.
struct ChangesByDay: Sendable {
  /// The subscribers of one day.
  struct Part: Sendable {
    var day: Day
    /// Where they are in the entry's extract.
    var place: Range<Int>
    var checksum: UInt64
  }

  /// The parts, in the order of their days.
  private(set) var parts: [Part] = []
  /// How many subscribers there are.
  private(set) var count = 0

  /// Adds the subscribers of a day that is after all others.
  ///
  /// - Parameters:
  ///   - subscribers: They, sorted.
  ///   - day: The day.
  ///   - writer: Room to write in.
  ///   - extract: The entry's extract so far.
  mutating func append(
    _ subscribers: [UInt64], on day: Day, with writer: inout ExtractWriter,
    to extract: inout [UInt8]
  ) {
    var subscribers = subscribers
    writer.begin()
    writer.subscribers(&subscribers)
    let place = extract.count..<extract.count + writer.bytes.count
    extract += writer.bytes
    parts.append(Part(day: day, place: place, checksum: CacheEntry.checksum(of: extract, place)))
    count += subscribers.count
  }

  /// Codes where the parts are.
  mutating func code(with coder: inout some ExtractCoder) {
    coder.integer(&count)
    let blank = Part(day: Day(number: 0), place: 0..<0, checksum: 0)
    coder.list(&parts, blank: blank) { part, coder in
      coder.day(&part.day)
      var (start, count) = (part.place.lowerBound, part.place.count)
      coder.integer(&start)
      coder.integer(&count)
      coder.number(&part.checksum)
      guard start >= 0, count >= 0, start <= .max - count else { return coder.fail() }
      part.place = start..<start + count
    }
  }
}

extension ExtractCache {
  /// Reads the subscribers of a day.
  ///
  /// - Parameters:
  ///   - part: Where they are.
  ///   - name: The name of the entry.
  ///   - reader: Reads them.
  /// - Returns: They; `nil` when the entry is not as it was written.
  func subscribers(
    of part: ChangesByDay.Part, named name: String, with reader: inout ExtractReader
  ) -> [UInt64]? {
    var subscribers: [UInt64] = []
    if open(part.place, checksum: part.checksum, of: name, in: folder.tallies, with: &reader) {
      reader.subscribers(&subscribers)
      if reader.close() { return subscribers }
    }
    // Notes damage; but an entry may also be good and of another run, which was killed before its record.
    _ = open(name, in: folder.tallies, about: Self.aboutTally, with: &reader)
    return nil
  }

  /// Writes an entry by day anew, in which what is said besides replaces what it said of those subscribers.
  ///
  /// - Parameters:
  ///   - name: The name of the entry.
  ///   - last: Where what it says is.
  ///   - changes: What is said besides.
  ///   - asOf: The day up to which nothing is left to wait for.
  ///   - registries: The run's.
  /// - Returns: Where all of it is; `nil` when the entry is not as it was written, or cannot be written anew.
  func rewrite(
    _ name: String, _ last: ChangesByDay, _ changes: NextChanges, after asOf: Day,
    _ registries: Registries
  ) -> ChangesByDay? {
    var replaced = SubscriberSet()
    var subscribers: [Day: [UInt64]] = [:]
    changes.forEach { subscriber, day in
      subscribers[day, default: []].append(subscriber)
      if last.count > 0 { replaced.insert(subscriber) }
    }
    var reader = ExtractReader(registries)
    for part in last.parts where part.day > asOf {
      guard let before = self.subscribers(of: part, named: name, with: &reader) else {
        return nil
      }
      subscribers[part.day, default: []] += before.filter { !replaced.contains($0) }
    }
    var byDay = ChangesByDay()
    var extract: [UInt8] = []
    var writer = ExtractWriter(registries)
    for (day, subscribers) in subscribers.sorted(by: { $0.key < $1.key }) {
      byDay.append(subscribers.sorted(), on: day, with: &writer, to: &extract)
    }
    return keep(extract, named: name, in: folder.tallies) ? byDay : nil
  }
}
