import Counting
import Pipeline
import ReportCache
import Storage
import SubscriptionModel

extension ReceiptCounts {
  /// Encodes the counts, or decodes them into empty ones of the same run.
  mutating func code(with coder: inout some ExtractCoder) {
    tally.code(with: &coder)
    coder.integer(&summary.chainsWithoutGroup)
    coder.integer(&summary.familyChains)
    coder.integer(&summary.conflicts)
    coder.integer(&summary.withoutExpiry)
    coder.integer(&summary.withoutLength)
    coder.integer(&summary.overlaps)
    coder.integer(&summary.inferredPlans)
    coder.integer(&summary.unknownPositions)
    coder.integer(&summary.sharedTokens)
    coder.integer(&summary.doubledTokens)
    coder.integer(&summary.pricedCharges)
    coder.integer(&summary.unpricedCharges)
    var values = Array(attributes)
    if !coder.isReading { values = coder.inOrder(values) { $0.code(with: &$1) } }
    coder.list(&values, blank: Attributes()) { $0.code(with: &$1) }
    attributes = Set(values)
  }
}
