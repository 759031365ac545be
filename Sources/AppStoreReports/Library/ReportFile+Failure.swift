import Scanning

extension ReportFile {
  /// Why a file cannot be read as a report.
  ///
  /// ```swift
  /// do {
  ///   print(try ReportFile("missing.txt").kind)
  /// } catch {
  ///   print(error.code)  // cannot-open
  /// }
  /// ```
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The stable name of the error, such as `missing-columns` or `gzip-truncated`.
    ///
    /// ```swift
    /// print(failure.code)  // cannot-open
    /// ```
    public let code: String

    /// The message in one line, with the path.
    ///
    /// ```swift
    /// print(failure)
    /// // missing.txt: error: cannot open the file: no such file or directory [cannot-open]
    /// ```
    public let description: String
  }
}

extension ReportFile.Failure {
  init(_ path: String, code: String, _ message: String) {
    self.code = code
    description = "\(path): error: \(message) [\(code)]"
  }

  init(_ path: String, _ error: ScanError) { self.init(path, code: error.code, error.message) }

  init(_ path: String, _ error: HeaderError) { self.init(path, code: error.code, error.message) }
}
