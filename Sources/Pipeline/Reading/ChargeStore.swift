package import Files
package import SubscriptionModel

/// Charge records in flat arrays, partitioned by subscriber, until they are sorted into chains.
///
/// A thread appends to chunks that never move, in one of 256 partitions. Each partition is assembled, sorted and
/// freed separately. The store therefore takes 32 bytes for each record, one partly filled chunk for each
/// partition and thread, and, while sorting, 32 bytes for each record of one partition per thread. With a memory
/// limit, full chunks beyond it go to a file.
package struct ChargeStore: Sendable {
  package static let partitionCount = 256
  /// The maximum number of records in a chunk, unless a limit sets another.
  static let chunkLength = 256

  /// The number of full chunks a thread may hold, and the file for more.
  package struct Limit: Sendable {
    let chunks: Int
    let chunkLength: Int
    let file: SpillFile<ChargeRecord>

    /// Creates one thread's share of a run's limit.
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
    /// The positions of chunks in the file.
    fileprivate var spilled: [Int] = []
    fileprivate var limit: Limit?

    package var chunks: [[ChargeRecord]] {
      var chunks = full
      if let limit {
        chunks += spilled.map { limit.file.elements(limit.chunkLength, at: $0) }
      }
      if !last.isEmpty { chunks.append(last) }
      return chunks
    }

    /// Adds a record to the last chunk; returns `false`, and adds nothing, if that is full.
    @inline(__always)
    fileprivate mutating func append(_ record: ChargeRecord, _ chunkLength: Int) -> Bool {
      if last.count == chunkLength { return false }
      if last.isEmpty { last.reserveCapacity(chunkLength) }
      last.append(record)
      return true
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

  @inline(__always)
  package static func partition(of subscriber: UInt64) -> Int {
    Int(truncatingIfNeeded: (subscriber &* 0x9E37_79B9_7F4A_7C15) >> 56)
  }

  /// Adds a record to its subscriber's partition.
  package mutating func append(_ record: ChargeRecord) {
    let index = Self.partition(of: record.subscriber)
    if partitions[index].append(record, chunkLength) { return }
    putAway(index)
    _ = partitions[index].append(record, chunkLength)
  }

  /// Stores a full chunk in memory, or in the file beyond the limit; in memory too if the disk is full.
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

/// The memory that charges of SUBSCRIBER reports may take, and the file for charges beyond it.
package struct MemoryLimit: Sendable {
  /// The memory of a run besides charges: read buffers, tallies, tables, and one partition for each thread.
  ///
  /// A partition holds a 256th of all charges.
  package static let base = 96 << 20
  /// The memory of a charge: its record of 32 bytes, and what sorting and folding need.
  static let bytesPerCharge = 48

  package let bytes: Int
  let file: SpillFile<ChargeRecord>
  /// The number of charges written to the file at once.
  let chunkLength: Int

  /// Creates a limit of the memory of a whole run with only SUBSCRIBER reports.
  ///
  /// The temporary file in the folder has no name and vanishes with the process.
  package init(bytes: Int, folder: String) throws(OutputError) {
    try self.init(bytes: bytes, folder: folder, chunkLength: ChargeStore.chunkLength)
  }

  /// Creates a limit with shorter chunks, so that tests need not fill a partition of every thread.
  package init(bytes: Int, folder: String, chunkLength: Int) throws(OutputError) {
    self.bytes = bytes
    self.chunkLength = chunkLength
    file = try SpillFile(in: folder)
  }
}
