import ArgumentParser
import Files
import Pages
import Pipeline
import Rendering
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
    if !isQuiet { error(text) }
  }

  /// Prints notes: all with `--verbose`, else the first ``shownLines``.
  func notes(_ texts: [String]) {
    let more = isVerbose ? 0 : texts.count - Self.shownLines
    for text in texts.dropLast(max(0, more)) { note(text) }
    if more > 0 { note("… and \(counted(more, "more line"))") }
  }

  /// Prints a line with `--verbose` only.
  func detail(_ text: String) {
    if isVerbose { error(text) }
  }

  /// Prints an error, which is one line.
  func error(_ text: String) {
    let bytes = Array((SystemPath.visible(text) + "\n").utf8)
    try? StandardStream.error.write(bytes)
  }

  /// Prints which input a command needs and which files were found.
  ///
  /// Prints nothing if no input can be opened: its error is printed already, and there is no file to count.
  func noInput(_ needed: NeededInput, for command: String, _ result: RunResult) {
    guard !result.opensNoInput else { return }
    let folder = result.plan.inputs.first { input in
      OutputFileSystem.contents(of: input + "/" + OutputListing.manifestName)
        .flatMap(OutputListing.paths(inManifest:)) != nil
    }
    let advice = folder.map {
      "; \($0) is a folder that report wrote: name the folder of your downloads"
    }
    error("\(needed.sentence(command, result))\(advice ?? "") [no-input]")
  }

  /// Prints the problems of the inputs.
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
    try data { (write) throws(OutputError) in try write(bytes) }
  }

  /// Prints data piece by piece.
  ///
  /// - Throws: `ExitCode` when not all of it could be written: a full disk must not look like success.
  func data(_ parts: OutputParts) throws {
    do throws(OutputError) {
      try parts { (bytes) throws(OutputError) in try StandardStream.output.write(bytes) }
    } catch {
      if !error.isOfClosedPipe {
        self.error("\(error.path): error: cannot write all of it [cannot-write]")
      }
      throw ExitCode(ExitReason.unusableInput.rawValue)
    }
  }
}
