public import Scanning

extension ReportHeader {
  /// Returns whether a line after the header is a row, which must be accounted for.
  ///
  /// Blank lines and lines of blank cells are not rows. Nor are, in financial reports, the `Total_` trailers
  /// and the summary by country, and in the payments CSV, lines without a region. An unknown file or an
  /// error answer has no rows.
  ///
  /// - Parameters:
  ///   - line: The line without its ending.
  ///   - place: Where the line is.
  /// - Returns: Whether it is a row, good or bad.
  public func isDataRow(_ line: Span<UInt8>, _ place: Line) -> Bool {
    switch kind {
    case .unknown, .appleError: return false
    case .payments: return place.isTooLong || PaymentsLine(text(line, line.indices)).isRow
    case .financial, .financeDetail: return place.isTooLong || FinanceLine.isRow(line)
    default:
      return place.isTooLong || !trimmed(line, line.indices).isEmpty
    }
  }
}
