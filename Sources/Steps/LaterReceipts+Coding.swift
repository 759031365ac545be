import Pipeline
import ReportCache
import Storage
import SubscriptionModel

extension LaterReceipts {
  /// Encodes or decodes the number of responses and their original ids.
  mutating func code(with coder: inout some ExtractCoder) {
    coder.count(&responses)
    coder.ids(&originalIDs)
  }
}

extension ExtractCoder {
  /// Encodes ids in their order, or decodes them.
  mutating func ids(_ ids: inout Set<ReceiptID>) {
    var sorted = ids.sorted { $0.value < $1.value }
    list(&sorted, blank: ReceiptID(value: 0)) { $0.code(with: &$1) }
    ids = Set(sorted)
  }
}
