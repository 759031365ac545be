import ArgumentParser
import Counting
import Explain
import Files
import Pages
import Pipeline
import Rendering
import ReportCache
import ReportFolder
import SubscriptionModel
import Tables

/// `subreport report`: the nightly job.
struct Report: ParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write every table that the inputs allow into a folder, all or nothing.",
    discussion: discussion(
      """
      The folder has index.html, to be opened first, with a page for each app if there are \
      several, and summary.md with the same answer as text; each table as CSV, for the whole \
      population and by start_month, product, country, offer and, if there are several, app; and \
      health.csv, days.csv, checks.csv, rejects.csv and manifest.json about the inputs. It is replaced as a whole; it must be new, \
      or one that subreport wrote. Memory with the usual views: 64 MiB, 48 bytes for each charge \
      in SUBSCRIBER reports, 3 KiB for each file, 2.5 KiB for each price of a product in a country \
      and 1.5 KiB for each row of a table. With --sqlite and --xlsx all tables are also in one \
      database or workbook, for 40 bytes of memory for each cell. With --ledger \
      a line with what is new since the last run is added to a file, which history reads.

      With --evidence the folder also has evidence/TABLE.csv.gz, the lists of explain for all \
      numbers of the headline month and the whole population: each period, refund, event or unit \
      with its reason and its rows as FILE:LINE. The named lines of the files hold ids. It takes \
      up to 150 MiB more, 20 bytes for each charge, and 1 KiB for each active subscription of the \
      headline month and for each row of its event and sales reports; with receipts 200 bytes for \
      each row of a dump that the lists name.
      """,
      HelpExample("Every night, all tables and all months:", "report reports -o out"),
      HelpExample(
        "By country only, and an exit code of 1 when churn is high:",
        "report reports -o out --by country --fail-if 'churn_rate>0.5'")))

  @OptionGroup var inputs: InputOptions
  @OptionGroup(.rows) var views: ViewOptions
  @OptionGroup(.rows) var products: ProductOptions
  @OptionGroup(.rows) var apps: AppOptions
  @OptionGroup(.rows) var selection: SelectionOptions
  @OptionGroup(.rows) var vendors: VendorOptions
  @OptionGroup(.rows) var asOf: AsOfOptions
  @OptionGroup(.rows) var primary: PrimaryOptions
  @OptionGroup(.output) var output: ReportOutputOptions
  @OptionGroup(.output) var changes: ChangesOptions
  @OptionGroup(.output) var currency: CurrencyOptions
  @OptionGroup(.strictness) var strictness: StrictnessOptions
  @OptionGroup(.strictness) var conditions: ConditionOptions
  @OptionGroup(.receipts) var receipts: ReceiptOptions
  @OptionGroup(.prices) var prices: PriceOptions
  @OptionGroup(.finance) var finance: FinanceOptions
  @OptionGroup(.running) var running: RunOptions

  /// The views without `--by`; ``RunPlan/omitsViewOfOneApp`` decides on the last.
  static let defaultViews: [[Dimension]] = [
    [], [.startMonth], [.product], [.country], [.offer], [.app],
  ]

  func validate() throws {
    let settings = try settings()
    try settings.validate()
    _ = try Self.folder(settings)
  }

  func run() throws {
    try withInputFailures {
      let settings = try settings()
      let metrics = try MetricsFile(
        settings, folder: try Self.folder(settings), force: output.force)
      let body = { try withInputFailures { try write(settings, metrics) } }
      if let metrics { try metrics.record(body) } else { try body() }
    }
  }

  /// File name endings that show that the user expects one file.
  private static let fileEndings: Set<String> = [
    "csv", "tsv", "txt", "md", "json", "jsonl", "html", "svg", "sqlite", "db", "xlsx", "gz", "zip",
  ]

  private static func folder(_ settings: Settings) throws(UsageError) -> String {
    guard let folder = settings.text(.output) else {
      throw UsageError("report needs -o, the folder to write; in subreport.toml it is output")
    }
    let name = folder.split(separator: "/").last ?? ""
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count > 1, let ending = parts.last, fileEndings.contains(ending.lowercased()) {
      let better = parts.dropLast().joined(separator: ".")
      throw UsageError(
        "\(settings.origin(.output)) \(folder): report writes a folder and no .\(ending) file; name a folder such as \(better.isEmpty ? "out" : better)"
      )
    }
    return folder
  }

  private func write(_ settings: Settings, _ metrics: MetricsFile?) throws {
    let command = try RunCommand(ofReport: settings)
    command.metrics = metrics
    let folder = try Self.folder(command.settings)
    let changesFile = try changesFile(settings, folder)
    let exports = try ReportExports(command, outside: folder, force: output.force)
    let plan = try command.reportPlan(folder)
    let ledgerFile = try command.settings.file(.ledger, outside: folder, refusesInputs: true)
    guard !InputListing.isOnlyInput(folder, plan.inputs) else {
      throw UsageError("-o \(folder): this is the input; name another folder")
    }
    do {
      // Take the lock before reading, so that a second run stops at once.
      let writer = try OutputFolder(path: folder, force: output.force)
      if let input = InputListing.inputDestroyed(by: folder, isFolder: true, inputs: plan.inputs) {
        throw UsageError("-o \(folder): it holds the input \(input); name a folder without inputs")
      }
      for note in writer.notes { command.console.note(note) }
      for line in writer.leftovers { command.console.error(line) }
      let ledger = try ledgerFile.map { try RunLedger($0, command.console) }
      let result = try command.run(plan, namesLeftAside: true)
      let reasons = try command.write(
        result, to: writer, at: folder, ledger: ledger, changes: changesFile, exports: exports,
        isBrief: output.brief)
      try command.exit(reasons)
    } catch let error as OutputError {
      command.console.error(error.description)
      try command.exit([error.reason])
    } catch {
      try command.exit(command.reasons(of: error))
    }
  }

  /// Returns the file of `--changes`.
  private func changesFile(_ settings: Settings, _ folder: String) throws -> String? {
    guard settings.text(.changes) == nil || settings.text(.cache) != nil else {
      throw UsageError(
        "\(settings.origin(.changes)) needs --cache, which keeps what the last run said")
    }
    return try settings.file(.changes, outside: folder)
  }
}

extension Settings {
  /// Returns a file that `report` writes besides its folder; `nil` if it is not set.
  ///
  /// It must be writable, no input, not the file of another setting, and outside the folder that is replaced as a
  /// whole. With `refusesInputs` it must not be in a folder of inputs either, where the next run would read it. For
  /// texts of one run, `-` is standard output.
  func file(
    _ key: SettingKey, outside folder: String, refusesInputs: Bool = false
  ) throws -> String? {
    guard let path = text(key) else { return nil }
    if path == "-", [.changes, .openmetrics].contains(key) { return "/dev/stdout" }
    let option = "\(origin(key)) \(path)"
    try OutputCheck.file(path)
    let earlier = [SettingKey.changes, .ledger, .openmetrics, .sqlite, .xlsx]
    for other in earlier.prefix(while: { $0 != key }) {
      guard let taken = text(other),
        InputListing.inputDestroyed(by: taken, isFolder: false, inputs: [path]) != nil
          || taken == path
      else { continue }
      throw UsageError("\(option): this is the file of \(origin(other)); name another file")
    }
    let inputs = list(.inputs)
    if let input = InputListing.inputDestroyed(by: path, isFolder: false, inputs: inputs) {
      throw UsageError("\(option): this is the input \(input); name another file")
    }
    guard !OutputCheck.isInside(path, folder) else {
      throw UsageError("\(option): \(folder) is replaced as a whole; name a file outside it")
    }
    if refusesInputs, let input = inputs.first(where: { OutputCheck.isInside(path, $0) }) {
      throw UsageError(
        "\(option): it would be an input of the next run; name a file outside \(input)")
    }
    return path
  }
}

extension RunResult {
  func missingDaysText(_ missing: Int) -> String {
    "\(counted(missing, "day")) \(missing == 1 ? "is" : "are") missing"
  }

  /// Returns one line for the log: files, rows, sources, folders and files that could not be read, missing days, reports
  /// without rows, and where to look.
  func closingLine(_ folder: String) -> String {
    let rows = files.map(\.rows.used).reduce(0, +)
    let names = sources.map(\.source.rawValue).joined(separator: ", ")
    let coverage = self.days
    let missing = coverage.count(.missing)
    let accepted = missing - coverage.unaccepted.count(.missing)
    let ofThese = accepted == 0 ? "" : accepted == missing ? ", accepted" : ", \(accepted) accepted"
    let days = missing == 0 ? "" : "; \(counted(missing, "missing day"))\(ofThese)"
    let empty = kindsWithoutRows.map { "; \($0)" } ?? ""
    let used = files.filter(\.isUsed).count
    let unread = [
      (inputErrors.count(where: \.isOfFolder), "folder"),
      (inputErrors.count { !$0.isOfFolder } + files.count { $0.problem != nil }, "file"),
    ].filter { $0.0 > 0 }.map {
      "; \(counted($0.0, $0.1)) could not be \($0.1 == "file" ? "used" : "read")"
    }
    .joined()
    // Finance files alone give no source.
    let from = names.isEmpty ? "" : ", from \(names)"
    return
      "\(folder): \(counted(used, "file")), \(counted(rows, "row")) used\(from)\(unread)\(days)\(empty); see \(folder)/index.html"
  }
}

extension ConversionError {
  /// The error as one line.
  func line(_ ratesPath: String?) -> String {
    switch self {
    case .missingRate(let from, let to, let month):
      "\(ratesPath ?? "rates"): error: found no rate from \(from) to \(to) on or before the end of \(month) [missing-rate]"
    }
  }
}
