package import SubscriptionModel

/// Selects rows by their months.
extension ReportTable {
  /// Returns the table with the rows of some months; a table without months stays whole.
  ///
  /// - Parameters:
  ///   - isKept: Returns whether to keep the rows of a month.
  ///   - system: How the column writes months.
  ///   - name: The column of months.
  /// - Returns: The table with these rows.
  package func inMonths(
    _ isKept: (Month) -> Bool, _ system: MonthSystem, in name: String = "month"
  ) -> ReportTable {
    guard let index = columns.firstIndex(where: { $0.name == name }) else { return self }
    var table = self
    table.rows = rows.filter { row in
      guard case .text(let text) = row[index] else { return false }
      return system.month(named: text).map(isKept) == true
    }
    return table
  }
}
