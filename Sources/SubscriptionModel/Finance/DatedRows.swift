extension Sequence {
  /// Returns the row that is valid on a day: the one with the latest first day up to it.
  ///
  /// Example: of rows from 2025-01-01 and from 2026-01-01, the first is valid on 2025-12-31.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - firstDay: Returns the first day on which a row is valid; `nil` for always.
  /// - Returns: The row; of several with the same first day, the last. `nil` without one.
  func newest(on day: Day, from firstDay: (Element) -> Day?) -> Element? {
    var newest: (row: Element, firstDay: Day)?
    for row in self {
      let own = firstDay(row) ?? .first
      if own <= day, newest.map({ $0.firstDay <= own }) ?? true { newest = (row, own) }
    }
    return newest?.row
  }
}
