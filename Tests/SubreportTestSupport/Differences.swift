package import Tables

/// The rows in which two lists differ, for a failure that can be read.
package struct Differences: Equatable, CustomStringConvertible {
  package let onlyFound: [[ReportTable.Cell]]
  package let onlyExpected: [[ReportTable.Cell]]

  /// Compares two lists; `nil` if they are equal.
  package init?(_ found: [[ReportTable.Cell]], _ expected: [[ReportTable.Cell]]) {
    guard found != expected else { return nil }
    onlyFound = found.filter { !expected.contains($0) }
    onlyExpected = expected.filter { !found.contains($0) }
  }

  package var description: String {
    let text = { (rows: [[ReportTable.Cell]]) in
      rows.map { $0.map { "\($0)" }.joined(separator: " ") }.joined(separator: "\n")
    }
    return "found only:\n\(text(onlyFound))\nexpected only:\n\(text(onlyExpected))"
  }
}

extension ReportTable {
  /// The rows without the ids of products, which the obvious versions do not have.
  package var rowsWithoutIDs: [[Cell]] {
    columns.last?.name == "product_id" ? rows.map { Array($0.dropLast()) } : rows
  }
}
