extension ReceiptFile {
  /// Why a file cannot be read as a dump of receipts.
  ///
  /// ```swift
  /// do {
  ///   _ = try ReceiptFile("missing.ndjson")
  /// } catch {
  ///   print(error.code)  // cannot-open
  /// }
  /// ```
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The stable name of the error, such as `cannot-open`, `gzip-truncated` or
    /// `unrecognized-file`.
    ///
    /// ```swift
    /// print(failure.code)  // cannot-open
    /// ```
    public let code: String

    /// The message in one line, with the path.
    ///
    /// ```swift
    /// print(failure)
    /// // missing.ndjson: error: cannot open the file: no such file or directory [cannot-open]
    /// ```
    public let description: String

    init(_ path: String, code: String, _ message: String) {
      self.code = code
      description = "\(path): error: \(message) [\(code)]"
    }
  }
}
