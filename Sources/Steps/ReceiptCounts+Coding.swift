import Counting
import Pipeline
import ReportCache
import Storage
import SubscriptionModel

extension ReceiptCounts {
  /// Encodes the counts, or decodes them into empty ones of the same run.
  mutating func code(with coder: inout some ExtractCoder) {
    tally.code(with: &coder)
    for number in ReceiptSummary.numbers { coder.count(&summary[keyPath: number]) }
    var values = Array(attributes)
    if !coder.isReading { values = coder.inOrder(values) { $0.code(with: &$1) } }
    coder.list(&values, blank: Attributes()) { $0.code(with: &$1) }
    attributes = Set(values)
  }
}
