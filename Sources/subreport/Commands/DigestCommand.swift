import ArgumentParser
import Files
import Pages
import Pipeline
import ReportFolder
import SubscriptionModel
import Tables

struct DigestCommand: ParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    commandName: "digest",
    abstract: "The answer in at most six lines, for a morning message.",
    discussion: discussion(
      """
      Prints each headline figure with its change, and whether chance may explain it; which reports \
      are missing or may still come; and, with a ledger, what has changed since the last run. The \
      words and numbers are those of summary.md. INPUT is a folder that report wrote, of which only \
      digest.json is read, or reports and receipts, which are counted. A folder has the changes of \
      the run that wrote it; with other inputs --ledger names the file of report --ledger, which is \
      read and stays as it is. Nothing is sent: pipe it to mail or curl.
      """,
      HelpExample("After the nightly job, as text:", "digest out"),
      HelpExample("From the reports, as one JSON object:", "digest reports -f json")))

  @OptionGroup var inputs: InputOptions
  @OptionGroup(.rows) var products: ProductOptions
  @OptionGroup(.rows) var apps: AppOptions
  @OptionGroup(.rows) var selection: SelectionOptions
  @OptionGroup(.rows) var vendors: VendorOptions
  @OptionGroup(.rows) var asOf: AsOfOptions
  @OptionGroup(.rows) var primary: PrimaryOptions
  @OptionGroup(.output) var output: DigestOptions
  @OptionGroup(.output) var currency: CurrencyOptions
  @OptionGroup(.strictness) var strictness: StrictnessOptions
  @OptionGroup(.receipts) var receipts: ReceiptOptions
  @OptionGroup(.finance) var finance: FinanceOptions
  @OptionGroup(.running) var running: RunOptions

  func run() throws { try withInputFailures(printDigest) }

  private func printDigest() throws {
    let settings = try settings()
    let format = output.format ?? "table"
    guard ["table", "json"].contains(format) else {
      throw UsageError(
        "--format \(format): digest prints lines of text or, with -f json, one JSON object")
    }
    guard let folder = try settings.writtenFolder(of: "digest") else {
      return try count(settings, asJSON: format == "json")
    }
    let console = try Console(settings)
    let bytes = try reading(console) { () throws(WrittenFolder.FileError) in
      try folder.bytes(of: MorningDigest.fileName)
    }
    let lines = MorningDigest.lines(inJSON: bytes).map { $0 + "\n" }.joined()
    try console.data(format == "json" ? bytes : Array(lines.utf8))
  }

  /// Counts reports and receipts, and prints the digest of them.
  private func count(_ settings: Settings, asJSON isJSON: Bool) throws {
    let command = try RunCommand(ofReport: settings)
    let ledger = try settings.text(.ledger).map { try RunLedger.before($0) }
    let (result, reasons) = try command.count(command.plan, for: "digest")
    let more = try command.obstacles {
      let (settlement, files, _) = try command.reportFiles(
        result, try settings.recorded(), ledger, .answer)
      for line in result.failures(files.checks) { command.console.error(line) }
      let found = command.noteFindings(settlement?.findings())
        .union(command.noteUnverified(settlement?.unverified()))
      let digest = files.digest
      let text = isJSON ? digest.json : digest.lines.map { $0 + "\n" }.joined()
      try command.console.data(Array(text.utf8))
      return files.checks.hold ? found : found.union([.internalError])
    }
    try command.exit(reasons.union(more))
  }
}

/// The options for how to print a digest, and for the earlier runs.
struct DigestOptions: SettingOptions {
  @Option(
    .format, says: "json: one JSON object; without it lines of text. -f json is also --json.",
    valueName: "json")
  var format: String?
  @Option(.title) var title: String?
  @Option(
    .ledger,
    says: "The file with the earlier runs, which report --ledger writes; it stays as it is.",
    valueName: "file")
  var ledger: String?
}

extension Settings {
  /// Returns the only input where it is a folder that `report` wrote; `nil` for inputs that are to be counted.
  ///
  /// Refuses options that decide numbers; ends the command at a damaged manifest.
  func writtenFolder(of command: String) throws -> WrittenFolder? {
    let inputs = list(.inputs)
    guard inputs.count == 1, inputs[0] != "-",
      let folder = try reading(
        Console(self),
        { () throws(WrittenFolder.FileError) in
          try WrittenFolder(inputs[0])
        })
    else { return nil }
    let used = Set(Settings.runningKeys).union([
      .inputs, .format, .output, .config, .cache, .color, .logFormat,
    ])
    if let other = SettingKey.allCases.first(where: { isOnCommandLine($0) && !used.contains($0) }) {
      throw UsageError(
        "\(other.optionName): \(inputs[0]) is a folder that report wrote, whose numbers are made; name the reports instead, or give the option to report"
      )
    }
    return folder
  }
}

/// Reads a file of a folder of `report`; prints an error and throws its exit code.
func reading<Value>(
  _ console: Console, _ body: () throws(WrittenFolder.FileError) -> Value
) throws -> Value {
  do throws(WrittenFolder.FileError) {
    return try body()
  } catch {
    throw console.failure(error.line)
  }
}
