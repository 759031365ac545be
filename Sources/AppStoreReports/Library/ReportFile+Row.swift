extension ReportFile {
  /// A row of a report: its texts by column, and the values of a charge.
  ///
  /// ```swift
  /// var rows: [ReportFile.Row] = []
  /// let rejects = try report.forEachRow { rows.append($0) }
  /// print(rows[0]["Country"] ?? "none")  // DE
  /// print(rejects[0].line)  // 5
  /// ```
  public struct Row: Sendable {
    /// The number of the line in the (inflated) text, from 1; the header usually is line 1.
    ///
    /// ```swift
    /// print(rows[0].line)  // 2
    /// ```
    public let line: Int

    /// The charge or refund; `nil` in SUBSCRIPTION and SUBSCRIPTION_EVENT, and for a row that is
    /// neither: a charge of 0 units, a product of SALES that is free and no subscription.
    ///
    /// ```swift
    /// print(rows[0].charge?.priceMilliunits ?? 0)  // 9990
    /// ```
    public let charge: Charge?

    let bytes: [UInt8]
    /// The ranges of the fields, without blanks at their ends.
    let fields: [Range<Int>]
    let numbers: ColumnNumbers

    /// The text of a column, without blanks at its ends.
    ///
    /// Names are compared without case. Every name that Apple has given to a column in some version
    /// finds it: `Subscription Duration` is `Standard Subscription Duration`.
    ///
    /// ```swift
    /// print(rows[0]["subscriber id"] ?? "none")  // 1000000000001
    /// print(rows[0]["Color"] ?? "none")  // none
    /// ```
    ///
    /// - Parameter column: The name of the column.
    /// - Returns: The text, empty for a blank field; `nil` if the report lacks the column.
    public subscript(column: String) -> String? {
      numbers.number(of: column).map { String(decoding: bytes[fields[$0]], as: UTF8.self) }
    }
  }
}
