import AppStoreReports
import Files
import Pipeline

extension KeptCharges {
  /// Returns a row as `FILE:LINE`.
  ///
  /// - Parameters:
  ///   - row: The row's place in the run.
  ///   - lines: The number of each row's line.
  /// - Returns: The place.
  func text(of row: UInt64, _ lines: LinesOfRows) -> String {
    "\(files[Int(row >> 32)].file.relativePath):\(lines.line(of: row) ?? 0)"
  }

  /// Returns the name of a subscription.
  ///
  /// - Parameters:
  ///   - subscriber: The key of its subscriber.
  ///   - first: The place of its first row.
  ///   - lines: The number of each row's line.
  ///   - naming: How subscriptions are named; `nil` for the place of their first row, which shows no id.
  /// - Returns: The name.
  func name(
    of subscriber: UInt64, first: UInt64, _ lines: LinesOfRows,
    _ naming: CustomerTable.Naming?
  ) -> String {
    guard let naming else { return text(of: first, lines) }
    let isText = subscriber & SubscriberKey.textBit != 0
    return naming.text(
      of: isText ? registries.subscriberText(of: subscriber) : String(subscriber))
  }
}
