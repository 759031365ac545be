import Scanning

/// Reads tables.
extension ReceiptReader {
  /// Reads a file that is a table.
  mutating func readTable(
    _ table: ReceiptTable, _ stream: consuming ByteStream, _ body: (borrowing ReceiptRow) -> Void
  ) throws(ScanError) {
    var cells = CSVScanner(stream)
    // Skip the header.
    _ = try cells.nextRow()
    while try cells.nextRow() {
      records.beginRow(RecordReader.Place(line: cells.line, byteOffset: cells.byteOffset))
      readRow(table, cells)
      records.endRow()
      handOut(body)
    }
  }

  private mutating func readRow(_ table: ReceiptTable, _ cells: borrowing CSVScanner) {
    if cells.isTruncated {
      records.note(
        .truncatedRecord, found: .words("the end of the file"),
        expected: "the quote that closes a field")
    } else if cells.isTooLong {
      records.note(
        .recordTooLong, found: .words("a longer row"), expected: "a row of at most 16 MiB")
    } else if cells.count != table.count {
      records.note(
        cells.count < table.count ? .tooFewFields : .tooManyFields, found: .fields(cells.count),
        expected: "\(table.count), as the header has")
    } else if firstInvalidUTF8(cells.text.span) != nil {
      records.note(
        .invalidUTF8, found: .words("a byte that is not UTF-8"), expected: "text in UTF-8")
    } else {
      return records.readRow(table, cells)
    }
    records.row.kind = .receiptCSV
  }
}
