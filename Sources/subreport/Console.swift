import ArgumentParser
import Glibc
import Pipeline
import Scanning
import Synchronization

/// Prints data on standard output, and notes and errors on standard error.
struct Console {
  let isQuiet: Bool
  let isVerbose: Bool

  /// How many notes or rejected rows are shown without `--verbose`; others are counted (rejects: rejects.csv).
  private static let shownLines = 20

  /// A console for messages before the settings are known.
  static let standard = Console(isQuiet: false, isVerbose: false)

  private init(isQuiet: Bool, isVerbose: Bool) {
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
  }

  init(_ settings: Settings) throws(UsageError) {
    isQuiet = try settings.flag(.quiet)
    isVerbose = try settings.flag(.verbose)
  }

  /// Prints a note, unless the console is quiet.
  func note(_ text: String) {
    if !isQuiet { writeError(text + "\n") }
  }

  /// Prints notes: all with `--verbose`, else the first ``shownLines``.
  func notes(_ texts: [String]) {
    let shown = isVerbose ? texts.count : Self.shownLines
    for text in texts.prefix(shown) { note(text) }
    if texts.count > shown { note("… and \(counted(texts.count - shown, "more line"))") }
  }

  /// Prints a line with `--verbose` only.
  func detail(_ text: String) {
    if isVerbose { writeError(text + "\n") }
  }

  /// Prints an error.
  func error(_ text: String) {
    writeError(text + "\n")
  }

  /// Prints what was wrong with the inputs.
  func report(_ result: RunResult) {
    if let text = result.internalError { error(text) }
    for diagnostic in result.fileDiagnostics { error(diagnostic.text) }
    let rows = result.rowDiagnostics
    let shown = isVerbose ? rows.count : Self.shownLines
    for line in rows.prefix(shown) { error(line) }
    let more = result.rowDiagnosticCount - min(rows.count, shown)
    if more > 0 { error("… and \(counted(more, "more rejected row"))") }
  }

  /// Prints data.
  ///
  /// - Throws: `ExitCode` when not all of it could be written: a full disk must not look like success.
  func data(_ bytes: [UInt8]) throws {
    guard !write(bytes, to: 1) else { return }
    // EPIPE: the reader of the pipe, such as head, has stopped reading; that is no error to print.
    if errno != EPIPE {
      error("standard output: error: cannot write all of it [cannot-write]")
    }
    throw ExitCode(ExitReason.unusableInput.rawValue)
  }

  private func writeError(_ text: String) {
    _ = write(Array(printable(SystemPath.shown(text), keepingLines: true).utf8), to: 2)
  }

  /// Returns whether everything was written; if not, `errno` says why.
  private func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      // Safe: the call reads at most what is left of the array.
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(
          descriptor, buffer.baseAddress.map { unsafe $0 + written }, bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }
}
