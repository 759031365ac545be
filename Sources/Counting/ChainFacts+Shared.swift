import Storage

/// Compares a chain's facts before and after tonight's rows, so that only the difference is counted.
///
/// Usually one period differs.
extension ChainFacts {
  /// The parts of a chain that are equal before and after; views skip them.
  struct SharedParts {
    /// The number of equal elements at the beginning of each list.
    var (segments, charges, facts, gaps, changes) = (0, 0, 0, 0, 0)
    /// The retention outcome of the other version of the chain; `nil` if the cohorts may differ.
    ///
    /// An outcome equal to it is not counted.
    var survival: Survival?
    /// Whether the segments of both versions have the same terms, starts and lapses, and so the
    /// same stock.
    var isStockEqual = false
  }

  /// Finds the parts that are equal in both versions of a chain, and stores them in both.
  ///
  /// - Parameters:
  ///   - then: The chain before tonight's rows.
  ///   - now: The chain after them.
  static func compare(_ then: inout ChainFacts, _ now: inout ChainFacts) {
    // A segment's cohort depends only on the chain's key and on its terms.
    guard then.key == now.key, then.isOfUnknownStart == now.isOfUnknownStart,
      then.receivedOn == now.receivedOn
    else { return }
    var shared = SharedParts()
    shared.segments = length(then.segments, now.segments) { $0.terms == $1.terms }
    let isShared = { (segment: Int) in segment < shared.segments }
    shared.charges = sharedCharges(then, now, segments: shared.segments)
    shared.facts = length(then.facts, now.facts) { $0 == $1 && isShared($0.segment) }
    shared.gaps = length(then.gaps, now.gaps) { $0 == $1 && isShared($0.segment) }
    shared.changes = length(then.changes, now.changes) {
      $0 == $1 && isShared($0) && then.segments[$0].start == now.segments[$0].start
    }
    shared.isStockEqual = then.segments.elementsEqual(now.segments) {
      $0.terms == $1.terms && $0.start == $1.start && $0.lapse == $1.lapse
    }
    then.shared = shared
    now.shared = shared
    guard shared.segments > 0 else { return }
    // The cohort in retention also depends on the first paid charge: METRICS.md 10.1.
    let firstPaid = then.segments.firstIndex(where: \.isPaid)
    let isSurvivalShared =
      firstPaid == now.segments.firstIndex(where: \.isPaid) && isShared(firstPaid ?? 0)
    if isSurvivalShared {
      then.shared.survival = now.survival
      now.shared.survival = then.survival
    }
    for index in then.open.indices where isShared(then.open[index].segment) {
      let old = then.open[index]
      guard isSurvivalShared || !old.period.isOfSurvival else { continue }
      let same = now.open.firstIndex {
        $0.period == old.period && $0.end == old.end && $0.segment == old.segment && !$0.isShared
      }
      guard let same else { continue }
      then.open[index].isShared = true
      now.open[same].isShared = true
    }
  }

  /// Returns the number of equal charges at the beginning, in segments of equal terms.
  private static func sharedCharges(
    _ then: borrowing ChainFacts, _ now: borrowing ChainFacts, segments: Int
  ) -> Int {
    var index = 0
    for number in 0..<segments {
      let (old, new) = (then.segments[number].months, now.segments[number].months)
      let end = index + min(old, new)
      while index < end {
        guard then.charges[index] == now.charges[index] else { return index }
        index += 1
      }
      guard old == new else { return index }
    }
    return index
  }

  /// Returns the number of equal elements at the beginning of two lists.
  private static func length<Element>(
    _ then: ReusableArray<Element>, _ now: ReusableArray<Element>,
    _ isSame: (Element, Element) -> Bool
  ) -> Int {
    let end = min(then.count, now.count)
    var length = 0
    while length < end, isSame(then[length], now[length]) { length += 1 }
    return length
  }
}
