import Counting
import Pipeline
import ReportCache
import Storage
import SubscriptionModel

extension ReceiptCounts {
  /// Encodes the counts, or decodes them into empty ones of the same run.
  mutating func code(with coder: inout some ExtractCoder) {
    tally.code(with: &coder)
    coder.count(&summary.chainsWithoutGroup)
    coder.count(&summary.familyChains)
    coder.count(&summary.conflicts)
    coder.count(&summary.withoutExpiry)
    coder.count(&summary.withoutLength)
    coder.count(&summary.overlaps)
    coder.count(&summary.inferredPlans)
    coder.count(&summary.unknownPositions)
    coder.count(&summary.sharedTokens)
    coder.count(&summary.doubledTokens)
    coder.count(&summary.pricedCharges)
    coder.count(&summary.unpricedCharges)
    var values = Array(attributes)
    if !coder.isReading { values = coder.inOrder(values) { $0.code(with: &$1) } }
    coder.list(&values, blank: Attributes()) { $0.code(with: &$1) }
    attributes = Set(values)
  }
}
