extension SubscriptionAnalysis {
  /// Why there is no analysis, or no such table.
  ///
  /// ```swift
  /// do {
  ///   _ = try SubscriptionAnalysis(reports: [])
  /// } catch {
  ///   print(error.code)  // no-input
  /// }
  /// ```
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The stable name of the error: `no-input`, `no-month`, `no-day`, `unknown-dimension`,
    /// `unknown-view` or `internal-error`.
    ///
    /// ```swift
    /// print(failure.code)  // no-month
    /// ```
    public let code: String

    /// The message in one line.
    ///
    /// ```swift
    /// print(failure)  // "08/2026" is no month such as 2026-08 [no-month]
    /// ```
    public let description: String

    init(code: String, description: String) {
      self.code = code
      self.description = description
    }

    init(code: String, _ message: String) {
      self.init(code: code, description: "\(message) [\(code)]")
    }
  }
}
