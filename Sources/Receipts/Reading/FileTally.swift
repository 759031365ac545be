import Scanning

/// Counts the rows of one file, for what can only be decided at its end.
struct FileTally {
  /// The joined kind of all recognized rows.
  private(set) var kind: ReceiptKind?
  /// The number of rows.
  private(set) var rowCount = 0
  /// The number of rows that could be parsed, of any kind.
  private(set) var parsedCount = 0
  /// The reject of the first row that could not be parsed.
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
