import Receipts

/// A fault in used rows of a dump, which is counted, with the place of the first: METRICS.md 3.15.
package struct CountedFault: Sendable {
  package var count = 0
  /// The number of the first row with it, from 1; 0 without one.
  package var row = 0
  /// The line on which that row begins.
  package var line = 0
  /// The code and the key of the first, without any value of the row; empty where the name of the fault is enough.
  package var detail = ""

  package init() {}

  /// Adds the faults of a row.
  mutating func add(_ count: Int, in row: borrowing ReceiptRow, _ detail: String = "") {
    guard count > 0 else { return }
    if self.count == 0 { (self.row, line, self.detail) = (row.number, row.line, detail) }
    self.count += count
  }

  /// Returns the remark for health.csv, such as `unusable transactions: 2 (first in line 3)`; `nil` without any.
  func remark(_ name: String) -> String? {
    guard count > 0 else { return nil }
    let place = row == line ? "line \(line)" : "record \(row), line \(line)"
    let detail = detail.isEmpty ? "" : ": \(detail)"
    return "\(name): \(count) (first in \(place)\(detail))"
  }
}
