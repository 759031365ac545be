import Scanning

extension ReceiptFile {
  /// A row that cannot be used.
  ///
  /// Texts that may be ids, tokens or mail addresses are hidden: only their length is shown.
  ///
  /// ```swift
  /// for reject in dump.rejects { print("\(path): \(reject)") }
  /// ```
  public struct Reject: Hashable, Sendable, CustomStringConvertible {
    /// The number of the line in the (inflated) text, from 1.
    ///
    /// ```swift
    /// print(dump.rejects[0].line)  // 4
    /// ```
    public let line: Int

    /// The stable name of the fault.
    ///
    /// ```swift
    /// print(dump.rejects[0].code)  // not-json
    /// ```
    public let code: String

    /// The message in one line: what was found and what was expected, without the path.
    ///
    /// ```swift
    /// print(dump.rejects[0].description.hasPrefix("line 4: found "))  // true
    /// ```
    public let description: String

    init(_ reject: Scanning.Reject) {
      line = reject.line
      code = reject.code.rawValue
      description = "line \(reject.line): \(reject.message(hiding: .tokens))"
    }
  }
}
