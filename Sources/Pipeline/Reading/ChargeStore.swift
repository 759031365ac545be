import SubscriptionModel

/// Charge records, flat and apart by subscriber, until they are sorted into chains.
///
/// A worker appends to chunks that never move, in one of 256 partitions; a partition is put together and
/// sorted alone, and dropped then. So the store takes 32 bytes a record, one chunk a partition and worker
/// that is not full, and 32 bytes for each record of one partition a thread while it is sorted.
struct ChargeStore: Sendable {
  static let partitionCount = 256
  /// How many records a chunk holds at most.
  static let chunkLength = 256

  /// The records of some subscribers.
  struct Partition: Sendable {
    fileprivate var full: [[ChargeRecord]] = []
    fileprivate var last: [ChargeRecord] = []

    /// The records, chunk by chunk.
    var chunks: [[ChargeRecord]] { last.isEmpty ? full : full + [last] }
  }

  private(set) var partitions = [Partition](repeating: Partition(), count: partitionCount)

  /// Keeps a record.
  mutating func append(_ record: ChargeRecord) {
    let mixed = record.subscriber &* 0x9E37_79B9_7F4A_7C15
    let index = Int(truncatingIfNeeded: mixed >> 56)
    if partitions[index].last.count == Self.chunkLength {
      partitions[index].full.append(partitions[index].last)
      partitions[index].last = []
    }
    if partitions[index].last.isEmpty { partitions[index].last.reserveCapacity(Self.chunkLength) }
    partitions[index].last.append(record)
  }
}
