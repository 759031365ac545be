import SubscriptionModel

/// Charge records, flat and apart by subscriber, until they are sorted into chains.
///
/// A worker appends to chunks that never move, in one of 64 partitions; a partition is put together,
/// sorted and dropped alone. So the store takes 40 bytes a record, one chunk a partition and worker
/// that is not full, and one partition a thread while it is sorted.
struct ChargeStore: Sendable {
  static let partitionCount = 64
  private static let chunkLength = 512

  /// The records of some subscribers.
  struct Partition: Sendable {
    fileprivate var full: [[ChargeRecord]] = []
    fileprivate var last: [ChargeRecord] = []

    var count: Int { full.count * ChargeStore.chunkLength + last.count }

    /// Moves the records to the end of an array.
    mutating func move(to records: inout [ChargeRecord]) {
      for index in full.indices {
        records.append(contentsOf: full[index])
        full[index] = []
      }
      full = []
      records.append(contentsOf: last)
      last = []
    }
  }

  private(set) var partitions = [Partition](repeating: Partition(), count: partitionCount)

  /// Keeps a record.
  mutating func append(_ record: ChargeRecord) {
    let mixed = record.subscriber &* 0x9E37_79B9_7F4A_7C15
    let index = Int(truncatingIfNeeded: mixed >> 58)
    if partitions[index].last.count == Self.chunkLength {
      partitions[index].full.append(partitions[index].last)
      partitions[index].last = []
    }
    if partitions[index].last.isEmpty { partitions[index].last.reserveCapacity(Self.chunkLength) }
    partitions[index].last.append(record)
  }
}
