package import SubscriptionModel

/// Groups the records of a partition by subscriber.
///
/// Subscribers are grouped, not ordered: one pass puts records into buckets by a hash, some two in each. Sorting a
/// partition by comparison took an eighth of a run.
package struct SubscriberSort {
  private static let mostBucketBits = 12

  private var sorted: [ChargeRecord] = []
  private var places = [Int](repeating: 0, count: 1 << mostBucketBits + 1)
  /// The number of buckets: about one for every two records, because each bucket has a cost of its own.
  private var bucketCount = 1
  private var next = 0

  package init() {}

  /// Loads the records of a partition, chunk by chunk, without those of files that do not count.
  package mutating func load(_ chunks: [[ChargeRecord]], isUsable: [Bool]) {
    next = 0
    let count = chunks.reduce(1) { $0 + $1.count }
    let bits = Int.bitWidth - 1 - count.leadingZeroBitCount
    bucketCount = 1 << min(max(bits - 1, 0), Self.mostBucketBits)
    Self.scatter(chunks, isUsable: isUsable, into: &sorted, &places, bucketCount)
    sortBuckets()
  }

  /// Puts records into their buckets; afterwards each place is the end of its bucket.
  private static func scatter(
    _ chunks: [[ChargeRecord]], isUsable: [Bool], into sorted: inout [ChargeRecord],
    _ places: inout [Int], _ bucketCount: Int
  ) {
    // Spans, because an array checks at every write whether it is shared.
    var places = places.mutableSpan
    for bucket in 0...bucketCount { places[bucket] = 0 }
    var count = 0
    for chunk in chunks {
      for record in chunk where isUsable[Int(record.order >> 32)] {
        places[bucket(record.subscriber, of: bucketCount) + 1] += 1
        count += 1
      }
    }
    for bucket in 1...bucketCount { places[bucket] += places[bucket - 1] }
    sorted.removeAll(keepingCapacity: true)
    sorted.append(contentsOf: repeatElement(noRecord, count: count))
    var sorted = sorted.mutableSpan
    for chunk in chunks {
      for record in chunk where isUsable[Int(record.order >> 32)] {
        let bucket = bucket(record.subscriber, of: bucketCount)
        sorted[places[bucket]] = record
        places[bucket] += 1
      }
    }
  }

  /// Returns the records of the next subscriber, sorted by day and place in the run for ``ChainBuilder``; `nil` after
  /// the last.
  package mutating func nextSubscriber() -> ArraySlice<ChargeRecord>? {
    let first = next
    guard first < sorted.count else { return nil }
    while next < sorted.count, sorted[next].subscriber == sorted[first].subscriber { next += 1 }
    return sorted[first..<next]
  }

  private static let noRecord = ChargeRecord(
    subscriber: 0, order: 0, day: 0, purchaseDay: 0, terms: 0, units: 0, isRefund: false,
    isIDReset: false)

  private static func bucket(_ subscriber: UInt64, of bucketCount: Int) -> Int {
    // Use other bits of the product than those that choose the partition.
    Int(truncatingIfNeeded: (subscriber &* 0x9E37_79B9_7F4A_7C15) >> 40) & (bucketCount - 1)
  }

  private mutating func sortBuckets() {
    var first = 0
    for bucket in 0..<bucketCount {
      let end = places[bucket]
      if end - first > 64 {
        sorted[first..<end].sort(by: Self.precedes)
      } else if end - first > 1 {
        for index in (first + 1)..<end { moveIntoPlace(index, notBefore: first) }
      }
      first = end
    }
  }

  /// Moves a record before those of its bucket that it precedes; few, because files arrive nearly in order.
  private mutating func moveIntoPlace(_ index: Int, notBefore first: Int) {
    let record = sorted[index]
    var position = index
    while position > first, Self.precedes(record, sorted[position - 1]) {
      sorted[position] = sorted[position - 1]
      position -= 1
    }
    sorted[position] = record
  }

  private static func precedes(_ left: ChargeRecord, _ right: ChargeRecord) -> Bool {
    if left.subscriber != right.subscriber { return left.subscriber < right.subscriber }
    if left.day != right.day { return left.day < right.day }
    return left.order < right.order
  }
}
