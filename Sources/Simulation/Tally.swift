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
