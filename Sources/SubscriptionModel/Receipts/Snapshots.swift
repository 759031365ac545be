/// The snapshots among the files of a run, and when what they hold is known: METRICS.md 3.7.
///
/// All rows of a snapshot are current when it was made. The snapshots of one folder are the deliveries of one feed; a
/// delivery may hold only rows that changed, so the rows of all of them are known up to the newest.
package struct Snapshots: Equatable, Sendable {
  /// One snapshot.
  package struct Delivery: Equatable, Sendable {
    /// The feed, as a hash of its folder.
    package var feed: UInt64
    /// When the snapshot was made.
    package var madeAt: Instant

    package init(feed: UInt64, madeAt: Instant) { (self.feed, self.madeAt) = (feed, madeAt) }
  }

  /// The snapshots that are used, by the file's index among all files of the run.
  package private(set) var deliveries: [UInt32: Delivery] = [:]

  package init() {}

  /// Whether there is none.
  package var isEmpty: Bool { deliveries.isEmpty }

  /// When the newest snapshot was made; `nil` without one.
  package var newest: Instant? { deliveries.values.lazy.map(\.madeAt).max() }

  /// Adds a snapshot.
  ///
  /// - Parameters:
  ///   - file: The file's index among all files of the run.
  ///   - delivery: When it was made, and its feed.
  package mutating func add(file: UInt32, _ delivery: Delivery) { deliveries[file] = delivery }

  /// Adds the snapshots of other files.
  package mutating func merge(_ other: Snapshots) {
    deliveries.merge(other.deliveries) { $1 }
  }

  /// The as-of of the rows of each snapshot, and its place among the deliveries of its feed, from 1.
  func settled() -> [UInt32: (asOf: Instant, place: UInt16)] {
    var settled: [UInt32: (asOf: Instant, place: UInt16)] = [:]
    for feed in Dictionary(grouping: deliveries, by: \.value.feed).values {
      let dates = Set(feed.map(\.value.madeAt)).sorted()
      guard let newest = dates.last else { continue }
      for (file, delivery) in feed {
        let place = dates.partitionPoint { $0 < delivery.madeAt } + 1
        settled[file] = (newest, UInt16(clamping: place))
      }
    }
    return settled
  }
}
