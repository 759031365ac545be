import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import Scanning
import Storage
import SubscriptionModel
import Tables

/// Sentences about the data that pages share.
extension HealthSection {
  /// Returns such as ` of vendor 80012345`, in Markdown; blank for the only vendor.
  static func ofVendor(_ vendor: String) -> String {
    vendor.isEmpty ? "" : " of vendor \(MarkdownText.escaped(vendor))"
  }

  /// Returns the reports of a month that have no rows.
  func emptyReports(in month: Month) -> EmptyReports {
    days.emptyReports(in: month, result.plan.monthSystem)
  }

  // MARK: Receipts

  /// The rows of receipts in Markdown; blank without receipts.
  var receiptLine: String {
    guard let note = result.receiptNote else { return "" }
    let rows = result.files.filter(\.isReceiptDump).map(\.rows)
    let sum = { (count: (RowCounts) -> Int) in rows.map(count).reduce(0, +) }
    let text = { (count: (RowCounts) -> Int) in NumberStyle.grouped(sum(count)) }
    return """
      Receipts: \(counted(sum(\.read), "row")) in \(counted(rows.count, "dump")), \(text(\.used)) used, \
      \(text(\.rejected)) rejected, \(text(\.ignoredTotal)) left aside; \
      \(ReceiptRemarks.words(note)).
      """
  }
}
