import ArgumentParser
import Files
import Rendering
import ReportFolder
import SubscriptionModel
import Tables

struct HistoryCommand: ParsableCommand, SettingOptions {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "What each run of report said about a number, from the ledger.",
    discussion: discussion(
      """
      Reads the file of report --ledger. With --month it prints a number of the whole population, \
      one row for each run, with the files or options that changed it. Without --month it prints a \
      row for each month: the number in the last run of that month, of the next one, and so on. \
      --at prints the table of the run whose data ended on that day, or of the latest run before. \
      Without --where the source is that of the headlines.
      """,
      HelpExample(
        "When and why did the churn rate of August change?",
        "history churn.churn_rate --month 2026-08 --ledger ledger.jsonl"),
      HelpExample(
        "What did the table say when the data ended in October?",
        "history churn --at 2026-10-31 --ledger ledger.jsonl")))

  @Argument(
    help: ArgumentHelp(
      "The column of a table, such as churn.churn_rate; with --at also a table.",
      valueName: "table[.column]"),
    completion: .list(Self.cells))
  var cell: String

  @OptionGroup(.rows) var asked: HistoryOptions
  @OptionGroup(.output) var ledger: LedgerOptions
  @OptionGroup(.output) var output: OutputOptions
  @OptionGroup(.running) var running: HistoryRunOptions

  /// The columns of all tables.
  private static let cells = LedgerTable.names.flatMap { name in
    (LedgerTable.columns(of: name) ?? []).map { "\(name).\($0.column.name)" }
  }

  func run() throws { try withInputFailures(printTable) }

  private func printTable() throws {
    let settings = try Self.settings(given)
    let console = try Console(settings)
    let format = try settings.format()
    guard let path = settings.text(.ledger) else {
      throw UsageError("history needs --ledger, the file that report --ledger writes")
    }
    try refuseLedger(path)
    let history = try answer(path)
    for note in history.notes { console.note(note) }
    let bytes = try bytes(of: history.table, format, settings)
    if let output = output.output {
      try writeFileAtomically(path: output, bytes: bytes)
    } else {
      try console.data(bytes)
    }
  }

  /// Refuses an output that would overwrite the ledger.
  private func refuseLedger(_ path: String) throws {
    guard let output = output.output else { return }
    try OutputCheck.file(output)
    let destroyed = InputListing.inputDestroyed(by: output, isFolder: false, inputs: [path])
    guard destroyed == nil else {
      throw UsageError("-o \(output): this is the ledger; name another file")
    }
  }

  private func answer(_ path: String) throws -> LedgerHistory {
    let file = try RunLedger.open(path)
    do {
      let question = try LedgerQuestion(
        cell, where: asked.conditions, month: asked.month, at: try asked.day())
      return try LedgerHistory(question) { body throws(LedgerError) in
        try file.forEachEntry(body)
      }
    } catch let error as LedgerQuestionError {
      throw UsageError(error.message)
    } catch let error as LedgerError {
      throw RunLedger.failure(error, path)
    }
  }

  private func bytes(
    of table: ReportTable, _ format: OutputFormat, _ settings: Settings
  ) throws -> [UInt8] {
    guard format == .table else {
      let title = asked.at.map { "\(cell) on \($0)" } ?? "History of \(cell)"
      return try TablePage(title: title).bytes(of: table, format, settings.marks())
    }
    let width = output.output == nil ? Terminal.columns : nil
    let isColored = try settings.isColored(in: output.output)
    return TableRenderer(format, isColored: isColored, width: width).bytes(of: table)
  }
}

/// The options that choose the rows of a ledger.
struct HistoryOptions: ParsableArguments {
  @Option(.month) var month: String?

  @Option(
    help: ArgumentHelp(
      "Print the table of the run whose data ended on this day, such as 2026-09-30.",
      valueName: "date"))
  var at: String?

  @Option(
    name: .customLong("where"), parsing: .singleValue,
    help: ArgumentHelp(
      "The row with this value, as the table has it: currency=EUR. Repeatable.",
      valueName: "column=value"))
  var conditions: [String] = []

  /// Returns the day of `--at`; `nil` without it.
  func day() throws(UsageError) -> Day? {
    guard let at else { return nil }
    guard let day = Day(at) else { throw UsageError("--at \(at): use a day such as 2026-09-30") }
    return day
  }
}

/// The options for the settings and the messages of a command without a run.
struct HistoryRunOptions: SettingOptions {
  @Option(.config) var config: String?
  @Flag(.quiet) var quiet = false
  @Option(.color) var color: String?
  @Option(.logFormat) var logFormat: String?
}
