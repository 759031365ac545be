import Scanning

extension ReportFile {
  /// A row that cannot be used: its place, what was found there and what was expected.
  ///
  /// Texts that may be ids of customers or mail addresses are hidden: only their length is shown.
  ///
  /// ```swift
  /// for reject in rejects { print("\(path): \(reject)") }
  /// ```
  public struct Reject: Hashable, Sendable, CustomStringConvertible {
    /// The number of the line in the (inflated) text, from 1.
    ///
    /// ```swift
    /// print(reject.line)  // 5
    /// ```
    public let line: Int

    /// The name of the column; empty for a whole row.
    ///
    /// ```swift
    /// print(reject.column)  // Customer Price
    /// ```
    public let column: String

    /// The text of the field, at most 80 bytes, or a description such as `25 fields`.
    ///
    /// ```swift
    /// print(reject.found)  // 9,99
    /// ```
    public let found: String

    /// The expected content, in words.
    ///
    /// ```swift
    /// print(reject.expected)  // a decimal such as 9.99
    /// ```
    public let expected: String

    /// The stable name of the fault.
    ///
    /// ```swift
    /// print(reject.code)  // not-a-decimal
    /// ```
    public let code: String

    /// The message in one line, without the path.
    ///
    /// ```swift
    /// print(reject)
    /// // line 5: column "Customer Price": found "9,99", expected a decimal such as 9.99 [not-a-decimal]
    /// ```
    public let description: String
  }
}

extension ReportFile.Reject {
  init(_ reject: Scanning.Reject, _ kind: ReportFile.Kind) {
    let hidden: Scanning.Reject.Hidden = kind == .subscriber ? .numbers : .addresses
    line = reject.line
    column = reject.column
    found = reject.shown(hiding: hidden)
    expected = reject.expected
    code = reject.code.rawValue
    description = "line \(reject.line): \(reject.message(hiding: hidden))"
  }
}
