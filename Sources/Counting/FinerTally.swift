import SubscriptionModel

/// A tally with its finer views, to which rows are added: each fact is added once, not to every view.
struct FinerTally: Sendable {
  /// The counts so far, without those of the finer views.
  var tally: Tally
  private var finer: FinerViews

  /// Creates counts to add to.
  ///
  /// - Parameter tally: An empty tally.
  init(_ tally: Tally) {
    self.tally = tally
    finer = FinerViews(of: tally)
  }

  /// The counts so far, those of the finer views too.
  var total: Tally {
    var total = tally
    finer.add(to: &total)
    return total
  }

  /// Calls `body` with each finer view, and with each view that has none.
  @inline(__always)
  mutating func forEach(_ body: (inout ViewTally) -> Void) {
    finer.forEach(andDirectOf: &tally, body)
  }
}
