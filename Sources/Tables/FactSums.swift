package import Counting

/// The facts that columns of several facts add up.
package enum FactSums {
  /// Paid periods that ended in a lapse that was not recovered.
  package static let churned: [Fact] = [.lapseReactivated, .lapseOpenFinal, .lapseOpenProvisional]
  /// Paid periods that ended in a lapse.
  package static let lapses: [Fact] = [.lapseRecovered] + churned
  /// Paid periods that were due to renew.
  ///
  /// Events have no `dueRecovered`.
  package static let due: [Fact] = [.dueRenewed, .dueRecovered, .dueLapsed, .duePending]
  /// Trials that started.
  package static let trials: [Fact] = [.trialConverted, .trialNotConverted, .trialPending]
}

extension [Fact] {
  /// Returns the sum of the counts of the facts.
  func sum(_ count: (Fact) -> Int) -> Int { reduce(0) { $0 + count($1) } }
}
