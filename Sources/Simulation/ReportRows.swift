/// The rows of one file.
struct ReportRows {
  var text = ByteText()
  var count = 0

  /// Ends a row whose fields were appended.
  mutating func endRow() {
    text.appendNewline()
    count += 1
  }
}

/// Rows of a report, aggregated by all columns but a quantity, in the order of their first samples.
struct Tally<Key: Hashable, Sample> {
  private(set) var rows: [(sample: Sample, quantity: Int)] = []
  /// The index of each key's row.
  private var places: [Key: Int] = [:]

  /// Adds to the row of a key, or begins one.
  mutating func add(_ sample: Sample, _ quantity: Int, to key: Key) {
    if let place = places[key] {
      rows[place].quantity += quantity
    } else {
      places[key] = rows.count
      append(sample, quantity)
    }
  }

  /// Appends a row that later samples are not added to.
  mutating func append(_ sample: Sample, _ quantity: Int) {
    rows.append((sample, quantity))
  }

  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }
}

/// The report files that are still open, one for each day.
///
/// Most of a day's rows are in that day's file, some in the file of the day before, and a few in the
/// file three days later. So five files are open at a time. Each row is in one file.
struct DayRing<Content> {
  private var contents: [Content]
  private let empty: Content

  init(_ empty: Content) {
    self.empty = empty
    contents = Array(repeating: empty, count: 8)
  }

  subscript(day: Int) -> Content {
    get { contents[day & 7] }
    _modify { yield &contents[day & 7] }
  }

  /// Returns a day's content and frees its place.
  mutating func take(_ day: Int) -> Content {
    let content = contents[day & 7]
    contents[day & 7] = empty
    return content
  }
}

/// Chooses the day's file that a row is written to.
struct FilePlacement {
  private var random: SeededRandom
  private let firstDay: Int
  private let lastDay: Int

  init(seed: UInt64, stream: UInt64, timeline: Timeline) {
    random = SeededRandom(seed: seed, stream: stream)
    firstDay = timeline.firstDay
    lastDay = timeline.lastDay
  }

  /// Returns the day of the file for a row dated `day`.
  mutating func file(for day: Int) -> Int {
    let chance = random.below(1_000)
    if chance < 54 { return max(day - 1, firstDay) }
    if chance < 57 { return day + 3 <= lastDay ? day + 3 : day }
    return day
  }
}
