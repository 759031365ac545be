import Glibc

/// How many random cases the tests run: few while someone waits, all of them in CI.
///
/// `SUBREPORT_TEST_TIER` names the tier. Without it a run is `test`.
package enum TestTier: String, Sendable {
  /// 3 seeds a test.
  case quick
  /// 20 seeds a test: `make test`.
  case test
  /// 40 seeds a test: CI, optimized, under the address sanitizer.
  case all
  /// Ten times the seeds that a test names, and every place of a fault: `make soak`, by hand before a release.
  case soak

  /// The tier of this run.
  package static let current: TestTier = {
    // Safe: the name is a literal, and the text is copied before anything changes the environment.
    guard let text = unsafe getenv("SUBREPORT_TEST_TIER") else { return .test }
    let name = unsafe String(cString: text)
    guard let tier = TestTier(rawValue: name) else {
      preconditionFailure("SUBREPORT_TEST_TIER is \(name), not quick, test, all or soak")
    }
    return tier
  }()

  /// Returns how many cases of a test run in this tier.
  ///
  /// - Parameter count: The cases that the test names, such as 200.
  /// - Returns: For 200: 3, 20, 40 or 2,000.
  package func cases(of count: Int) -> Int {
    switch self {
    case .quick: min(count, 3)
    case .test: min(count, 20)
    case .all: max(min(count, 20), count / 5)
    case .soak: count * 10
    }
  }

  /// Returns how many worlds or histories of a test run in this tier: each takes about a second.
  ///
  /// - Parameter count: The histories that the test names, such as 24.
  /// - Returns: For 24: 1, 4, 6 or 240.
  package func histories(of count: Int) -> Int {
    switch self {
    case .quick: min(count, 1)
    case .test: min(count, 4)
    case .all: max(min(count, 4), count / 4)
    case .soak: count * 10
    }
  }
}

/// How many rounds of `make soak` came before this one: `SUBREPORT_TEST_ROUND`, or none.
private let round: UInt64 = {
  // Safe: the name is a literal, and the text is copied before anything changes the environment.
  guard let text = unsafe getenv("SUBREPORT_TEST_ROUND") else { return 0 }
  guard let round = unsafe UInt64(String(cString: text)) else {
    preconditionFailure("SUBREPORT_TEST_ROUND is no whole number")
  }
  return round
}()

/// Returns the seeds of a test with random input.
///
/// - Parameters:
///   - count: How many the test names; a tier runs more or fewer.
///   - first: The first of them.
/// - Returns: The seeds of this run's tier, such as 0 to 19 of `seeds(200)` in `make test`; each round of a soak
///   has others.
package func seeds(_ count: Int, from first: UInt64 = 0) -> Range<UInt64> {
  range(of: TestTier.current.cases(of: count), from: first)
}

/// Returns the seeds of a test that simulates a world or a history of nights for each.
///
/// - Parameters:
///   - count: How many the test names; a tier runs more or fewer.
///   - first: The first of them.
/// - Returns: The seeds of this run's tier, such as 0 to 3 of `histories(24)` in `make test`; each round of a soak has
///   others.
package func histories(_ count: Int, from first: UInt64 = 0) -> Range<UInt64> {
  range(of: TestTier.current.histories(of: count), from: first)
}

/// Returns the seeds of a test about all of them together, such as one that asks whether everything happens in some
/// world.
///
/// - Parameters:
///   - count: How many in every tier.
///   - first: The first of them.
/// - Returns: The same seeds in every run.
package func allSeeds(_ count: Int, from first: UInt64 = 0) -> Range<UInt64> {
  first..<first + UInt64(count)
}

/// Returns the places of a test that damages each of many, such as each byte at which a file may be cut off.
///
/// - Parameter all: The places in CI.
/// - Returns: In CI and a soak all of them; else some 100 (`test`) or 20 (`quick`) at even distances, and the first
///   and the last few, where formats keep what decides.
package func places(_ all: Range<Int>) -> [Int] {
  let few = TestTier.current == .quick ? 20 : 100
  guard TestTier.current == .quick || TestTier.current == .test, all.count > few else {
    return Array(all)
  }
  let distance = max(1, all.count / few)
  return all.filter { place in
    place - all.lowerBound < 3 || all.upperBound - place <= 3
      || (place - all.lowerBound).isMultiple(of: distance)
  }
}

private func range(of cases: Int, from first: UInt64) -> Range<UInt64> {
  first + round * UInt64(cases)..<first + (round + 1) * UInt64(cases)
}
