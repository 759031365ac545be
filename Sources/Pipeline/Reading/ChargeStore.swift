package import SubscriptionModel

/// Charge records, flat and apart by subscriber, until they are sorted into chains.
///
/// A worker appends to chunks that never move, in one of 256 partitions; a partition is put together and
/// sorted alone, and dropped then. So the store takes 32 bytes a record, one chunk a partition and worker
/// that is not full, and 32 bytes for each record of one partition a thread while it is sorted. With a limit,
/// full chunks beyond it go to a file.
package struct ChargeStore: Sendable {
  package static let partitionCount = 256
  /// How many records a chunk holds at most, unless a limit says otherwise.
  static let chunkLength = 256

  /// How many full chunks a thread may hold, and where the others go.
  package struct Limit: Sendable {
    let chunks: Int
    let chunkLength: Int
    let file: SpillFile

    /// Creates the part of a run's limit that one of its threads has.
    init(_ limit: MemoryLimit, jobs: Int) {
      let charges = max(0, limit.bytes - MemoryLimit.base) / MemoryLimit.bytesPerCharge
      chunkLength = limit.chunkLength
      chunks = charges / chunkLength / max(1, jobs)
      file = limit.file
    }
  }

  /// The records of some subscribers.
  package struct Partition: Sendable {
    fileprivate var full: [[ChargeRecord]] = []
    fileprivate var last: [ChargeRecord] = []
    /// Where chunks are in the file.
    fileprivate var spilled: [Int] = []
    fileprivate var limit: Limit?

    /// The records, chunk by chunk.
    package var chunks: [[ChargeRecord]] {
      var chunks = full
      if let limit {
        chunks += spilled.map { limit.file.records(limit.chunkLength, at: $0) }
      }
      if !last.isEmpty { chunks.append(last) }
      return chunks
    }
  }

  package private(set) var partitions = [Partition](repeating: Partition(), count: partitionCount)
  /// Whether records went to the file.
  private(set) var hasSpilled = false
  private let limit: Limit?
  private let chunkLength: Int
  private var fullChunks = 0

  /// Creates an empty store.
  package init(_ limit: Limit? = nil) {
    self.limit = limit
    chunkLength = limit?.chunkLength ?? Self.chunkLength
  }

  /// Keeps a record.
  package mutating func append(_ record: ChargeRecord) {
    let mixed = record.subscriber &* 0x9E37_79B9_7F4A_7C15
    let index = Int(truncatingIfNeeded: mixed >> 56)
    if partitions[index].last.count == chunkLength { putAway(index) }
    if partitions[index].last.isEmpty { partitions[index].last.reserveCapacity(chunkLength) }
    partitions[index].last.append(record)
  }

  /// Puts a full chunk with the others, or into the file; what does not fit on the disk stays in memory.
  private mutating func putAway(_ index: Int) {
    if let limit, fullChunks >= limit.chunks,
      let start = limit.file.append(partitions[index].last)
    {
      partitions[index].spilled.append(start)
      partitions[index].limit = limit
      partitions[index].last.removeAll(keepingCapacity: true)
      hasSpilled = true
      return
    }
    partitions[index].full.append(partitions[index].last)
    partitions[index].last = []
    fullChunks += 1
  }
}
