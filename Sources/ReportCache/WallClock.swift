import Pipeline

/// A clock for the time of day; tests use their own, so that they need not wait.
package struct WallClock: Sendable {
  /// Returns the present time, in nanoseconds since 1970.
  package let now: @Sendable () -> Int64

  /// The system's clock, which also timestamps files.
  package static let system = WallClock { FileStatus.now }

  /// Creates a clock.
  ///
  /// - Parameter now: Returns the time, in nanoseconds since 1970.
  package init(now: @escaping @Sendable () -> Int64) { self.now = now }

  /// Returns a clock that is ahead of this one.
  ///
  /// - Parameter seconds: By how much, such as 3,600: files that have just been written are an hour old.
  /// - Returns: The other clock.
  package func ahead(bySeconds seconds: Int64) -> WallClock {
    WallClock { [now] in now() + seconds * 1_000_000_000 }
  }
}
