import Storage

/// The snapshots among the files of a run, and their as-of: METRICS.md 3.7.
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

  /// The as-of of the rows of each snapshot, and the place of its own date among those of all snapshots, from 1.
  func settled() -> [UInt32: (asOf: Instant, place: UInt16)] {
    let dates = Set(deliveries.values.map(\.madeAt)).sorted()
    let newest = deliveries.values.reduce(into: [UInt64: Instant]()) { newest, delivery in
      newest[delivery.feed] = max(newest[delivery.feed] ?? delivery.madeAt, delivery.madeAt)
    }
    return deliveries.mapValues { delivery in
      let place = dates.partitionPoint { $0 < delivery.madeAt } + 1
      return (newest[delivery.feed] ?? delivery.madeAt, UInt16(clamping: place))
    }
  }
}
