import ArgumentParser
import CMemory
import Dispatch
import Files
import Pages
import Pipeline
import Rendering
import Scanning
import Storage
import Synchronization

/// Prints data on standard output, and notes and errors on standard error.
struct Console {
  let isQuiet: Bool
  let isVerbose: Bool

  /// How many notes or rejected rows are shown without `--verbose`; others are counted (rejects: rejects.csv).
  private static let shownLines = 20

  /// Whether messages are JSON objects: `--log-format json`.
  private static let logsJSON = Atomic(false)

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

  /// Writes all messages from now on as text, or each as a JSON object.
  static func log(as format: LogFormat) {
    logsJSON.store(format == .json, ordering: .relaxed)
    subreport_say_in_json(format == .json)
  }

  /// Whether messages are text, beside which a progress bar and an empty line have their place.
  static var logsText: Bool { !logsJSON.load(ordering: .relaxed) }

  /// Notes that wait for the end of a table; `nil` where none waits.
  private static let waiting = Mutex<[String]?>(nil)

  /// Prints a note, unless the console is quiet.
  func note(_ text: String) {
    guard !isQuiet else { return }
    let waits = Self.waiting.withLock { notes in
      notes?.append(text)
      return notes != nil
    }
    if !waits { write(text, .note) }
  }

  /// Prints something, and below it its notes where a person reads both (`isRead`): the answer comes first.
  func notesBelow<Value>(_ isRead: Bool, _ body: () throws -> Value) rethrows -> Value {
    guard isRead else { return try body() }
    Self.waiting.withLock { $0 = [] }
    defer {
      let notes = Self.waiting.withLock { notes in
        defer { notes = nil }
        return notes ?? []
      }
      for text in notes { note(text) }
    }
    return try body()
  }

  /// Prints notes: all with `--verbose`, else the first ``shownLines``.
  func notes(_ texts: [String]) {
    let more = isVerbose ? 0 : texts.count - Self.shownLines
    for text in texts.dropLast(max(0, more)) { note(text) }
    if more > 0 { note("… and \(counted(more, "more line"))") }
  }

  /// Prints a line with `--verbose` only.
  func detail(_ text: String) {
    if isVerbose { write(text, .detail) }
  }

  /// Prints an error, which is one line; `path` is the file that it begins with, if the caller knows it.
  func error(_ text: String, path: String? = nil) { write(text, .error, path: path) }

  /// Prints an error that ends a command, and returns its exit code.
  func failure(_ text: String, _ reason: ExitReason = .unusableInput) -> ExitCode {
    error(text)
    return ExitCode(reason)
  }

  /// Writes a message on standard error: the only place that does, besides the progress bar.
  private func write(_ text: String, _ level: LogLine.Level, path: String? = nil) {
    var line = SystemPath.visible(text)
    if !Self.logsText {
      guard !line.isEmpty else { return }
      line = LogLine(line, level, path: path.map(SystemPath.visible)).json
    }
    try? StandardStream.error.write(Array((line + "\n").utf8))
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
    for diagnostic in result.fileDiagnostics { error(diagnostic.text, path: diagnostic.path) }
    let rows = result.rowDiagnostics
    let shown = isVerbose ? rows.count : Self.shownLines
    for row in rows.prefix(shown) { error(row.text, path: row.path) }
    let more = result.rowDiagnosticCount - min(rows.count, shown)
    if more > 0 { error("… and \(counted(more, "more rejected row"))") }
  }

  /// Prints data; ends the command when not all of it could be written: a full disk must not look like success.
  func data(_ bytes: [UInt8]) throws {
    try data { (write) throws(OutputError) in try write(bytes) }
  }

  /// Prints data piece by piece, or ends the command as for other data.
  func data(_ parts: OutputParts) throws {
    do throws(OutputError) {
      try parts { (bytes) throws(OutputError) in try StandardStream.output.write(bytes) }
    } catch {
      if !error.isOfClosedPipe {
        self.error("\(error.path): error: cannot write all of it [cannot-write]")
      }
      throw ExitCode(.unusableInput)
    }
  }
}

/// How messages are written on standard error.
enum LogFormat: String, CaseIterable, ExpressibleByArgument { case text, json }

/// A progress line on the terminal, drawn by a thread of its own.
///
/// Nothing is drawn in the first half second, or when standard error is not a terminal, as in cron.
final class ProgressBar: Sendable {
  private let progress: RunProgress
  private let isOver = DispatchSemaphore(value: 0)
  private let thread = Mutex<SystemThread?>(nil)
  /// Whether the line is on the terminal; `nil` once the run is over, so that a late tick draws nothing.
  private let isShown = Mutex<Bool?>(false)

  /// Creates a bar that appears after half a second; `nil` if unwanted, or without a terminal.
  ///
  /// The line shows the seconds since `start`.
  init?(_ progress: RunProgress, since start: ContinuousClock.Instant, isWanted: Bool) {
    guard isWanted, Console.logsText, StandardStream.error.isTerminal else { return nil }
    self.progress = progress
    // If no thread can be created, nothing is drawn.
    let thread = SystemThread { [self] in
      var pause = 500
      while isOver.wait(timeout: .now() + .milliseconds(pause)) == .timedOut {
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        draw(progress.snapshot.line(elapsed: elapsed, width: Self.width))
        pause = 200
      }
    }
    self.thread.withLock { $0 = thread }
  }

  /// Removes the line.
  func finish() {
    isOver.signal()
    thread.withLock { $0 }?.join()
    isShown.withLock {
      if $0 == true { Self.write("\r\u{1B}[K") }
      $0 = nil
    }
  }

  private func draw(_ line: String) {
    isShown.withLock {
      guard $0 != nil else { return }
      $0 = true
      Self.write("\r\u{1B}[K" + line)
    }
  }

  /// The terminal's current number of columns, read at every tick because it may change.
  private static var width: Int {
    guard let size = StandardStream.error.terminalSize, size.columns > 0 else { return 80 }
    return size.columns
  }

  private static func write(_ text: String) {
    try? StandardStream.error.write(Array(text.utf8))
  }
}
