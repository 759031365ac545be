import Scanning

/// What the rows of one file were, for what can only be said at the file's end.
struct FileTally {
  /// The kind of all rows of which it is known.
  private(set) var kind: ReceiptKind?
  /// The number of rows.
  private(set) var rowCount = 0
  /// The number of rows that could be parsed, whatever they are.
  private(set) var parsedCount = 0
  /// Why the first row could not be parsed.
  private(set) var firstFault: Reject?

  /// Adds a row.
  mutating func add(_ row: borrowing ReceiptRow, isParsed: Bool) {
    rowCount += 1
    if isParsed { parsedCount += 1 }
    if let kind = row.kind { self.kind = self.kind?.joined(with: kind) ?? kind }
    if !isParsed, firstFault == nil, case .rejected(let reject) = row.outcome {
      firstFault = reject
    }
  }
}
