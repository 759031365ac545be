public import Scanning

extension ReportHeader {
  /// Returns whether a line after the header is a row, which must be accounted for.
  ///
  /// A blank line is no row, nor are lines of blank cells only. Of the financial reports, the
  /// `Total_` trailers and the summary by country are no rows; of the payments CSV, the lines
  /// without a region are none. A file that is not known, or an error answer, has no rows.
  ///
  /// - Parameters:
  ///   - line: The line without its ending.
  ///   - place: Where the line is.
  /// - Returns: Whether it is a row, good or bad.
  public func isDataRow(_ line: Span<UInt8>, _ place: Line) -> Bool {
    switch kind {
    case .unknown, .appleError: return false
    case .payments:
      if place.isTooLong { return true }
      let region = commaSeparatedCells(text(line, line.indices))[0]
      return region.contains { !$0.isWhitespace }
    case .financial, .financeDetail:
      return place.isTooLong || !trimmed(line, line.indices).isEmpty && !isSummary(line)
    default:
      return place.isTooLong || !trimmed(line, line.indices).isEmpty
    }
  }

  /// Returns whether a line of a financial report belongs to the sums after its rows.
  private func isSummary(_ line: Span<UInt8>) -> Bool {
    let cells = text(line, line.indices).split(separator: "\t", omittingEmptySubsequences: false)
    let first = comparableName(cells[0])
    if first.hasPrefix("total_") || first == "country of sale" { return true }
    // The summary has four cells, rows have at least eighteen; before 2009 a sum stood alone.
    return cells.count <= 4 || first.isEmpty && cells.contains("Total")
  }
}
