import ArgumentParser
import CMemory
import Fetch
import Files
import Pipeline
import Pages
import Rendering
import Scanning
import SubscriptionModel
import Tables

struct FetchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Download Apple's reports, settlements and notifications into an archive.",
    discussion: discussion(
      """
      Asks App Store Connect for all that is missing and can still be had: a year of daily reports, \
      settlements, and 180 days of notifications where there is an In-App Purchase key. Asks again \
      for days that Apple had not made yet, and for fresh days that Apple may have revised. Keys, \
      vendor numbers and the folder are in subreport.toml, below [fetch]; subreport init writes it. \
      Sends nothing anywhere but to Apple. The nightly job is subreport fetch --report.
      """,
      HelpExample("Which requests would it make now?", "fetch --dry-run -a archive"),
      HelpExample("What is in the archive?", "fetch status -a archive")),
    subcommands: [FetchStatus.self, FetchDoctor.self])

  @OptionGroup var common: FetchOptionGroup
  @Option(help: ArgumentHelp("The first day that is asked for.", valueName: "date"))
  var since: String?
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Only these kinds. Repeatable.", valueName: "kind"),
    completion: .list(FetchKind.allCases.map(\.rawValue)))
  var kind: [String] = []
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Only these apps, by bundle id. Repeatable.", valueName: "bundle"))
  var app: [String] = []
  @Option(
    help: ArgumentHelp(
      "Ask again for these days, such as 2026-01-01..2026-01-31.", valueName: "from..to"))
  var reask: String?
  @Option(
    help: ArgumentHelp(
      "Customers whose history is asked for: original transaction ids, one a line.",
      valueName: "file"), completion: .file())
  var customers: String?
  @Flag(help: "Ask also for what is not due yet, or was asked less than 30 minutes ago.")
  var now = false
  @Flag(help: "Print the requests and their number, and make none.") var dryRun = false
  @Flag(help: "Then run report, unless another run fetches or an error of ours ended this one.")
  var report = false
  @Flag(help: "Make the archive's index anew from its files.") var rebuildIndex = false

  func run() throws {
    subreport_hide_memory()
    let settings = try common.settings()
    let console = try Console(settings)
    var reasons: Set<ExitReason> = []
    do {
      let options = try options(settings)
      let source = FetchSettings(settings, archive: common.archive)
      var accounts = try source.accounts(readsKeys: !dryRun)
      if let other = app.first(where: { app in !accounts.contains { $0.bundles.contains(app) } }) {
        throw UsageError("--app \(quotedExcerpt(other)): not among bundle_ids below [fetch]")
      }
      for place in accounts.indices { try narrow(&accounts[place]) }
      if dryRun { return try printPlan(accounts, options) }
      reasons = try fetch(accounts, options, source, console)
    } catch let error as FetchError {
      console.error("fetch: \(error.text)")
      reasons.insert(error.reason)
    }
    let endsHere: Set<ExitReason> = [.locked, .usage, .internalError]
    if report, reasons.isDisjoint(with: endsHere) {
      reasons.formUnion(try runReport(settings))
    }
    try ExitReason.end(reasons)
  }

  /// Fetches account after account; one that is refused does not stop the next.
  private func fetch(
    _ accounts: [FetchAccount], _ options: FetchOptions, _ source: FetchSettings,
    _ console: Console
  ) throws -> Set<ExitReason> {
    guard accounts.contains(where: { $0.key != nil || $0.appKey != nil || $0.keyFault != nil })
    else {
      throw UsageError(
        "fetch needs a key: key, key_id and issuer_id below [fetch] in subreport.toml; subreport init asks for them"
      )
    }
    let plain = accounts.contains { $0.endpoint?.hasPrefix("http://") == true }
    var reasons: Set<ExitReason> = []
    var total = FetchOutcome()
    for account in accounts {
      do throws(FetchError) {
        if let fault = account.keyFault { throw fault }
        let transport = try CurlTransport(certificates: source.certificates, allowsPlain: plain)
        let archive = try Archive(account.folder, now: transport.now, rebuilds: rebuildIndex)
        defer { archive.close() }
        let session = FetchSession(account, options, archive, transport) { console.error($0) }
        let outcome = session.run()
        reasons.formUnion(outcome.reasons)
        total.add(outcome)
      } catch {
        console.error("fetch: \(account.prefix)\(error.text)")
        reasons.insert(error.reason)
        total.add(FetchPlan.waiting(account))
      }
    }
    console.note(total.line)
    return reasons
  }

  private func narrow(_ account: inout FetchAccount) throws {
    if !kind.isEmpty {
      account.kinds = try kind.map { try FetchSettings.kind($0, "--kind") }
    }
    guard !app.isEmpty else { return }
    account.bundles = account.bundles.filter(app.contains)
    // An account with other apps has nothing to do.
    if account.bundles.isEmpty { account.kinds.removeAll { $0.service == .server } }
  }

  private func options(_ settings: Settings) throws -> FetchOptions {
    var options = FetchOptions()
    options.isForced = now
    options.isVerbose = try settings.flag(.verbose)
    let accepted = try settings.acceptedFaults()
    options.isAccepted = { key in
      guard case .day(let day) = key.slot else { return false }
      return accepted.accepts(.missing, key.kind.rawValue, day, of: key.vendor)
    }
    options.seed = UInt64(truncatingIfNeeded: FileStatus.now)
    options.since = try since.map { try Self.day($0, "--since") }
    if let reask {
      guard let dots = reask.firstRange(of: "..") else {
        throw UsageError("--reask \(reask): use FROM..TO, such as 2026-01-01..2026-01-31")
      }
      let first = try Self.day(String(reask[..<dots.lowerBound]), "--reask")
      let last = try Self.day(String(reask[dots.upperBound...]), "--reask")
      guard first <= last else {
        throw UsageError("--reask \(reask): the first day is after the last")
      }
      options.reasked = first...last
    }
    if let customers {
      guard let bytes = OutputFileSystem.contents(ofOption: customers) else {
        throw UsageError("--customers \(customers): \(OutputFileSystem.whyUnreadable(customers))")
      }
      options.customers = bytes.split { $0 == 0x0A || $0 == 0x0D }.map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    return options
  }

  private static func day(_ text: String, _ option: String) throws -> Day {
    guard let day = Day(text) else {
      throw UsageError("\(option) \(text): use a day such as 2026-01-31")
    }
    return day
  }

  private func printPlan(_ accounts: [FetchAccount], _ options: FetchOptions) throws {
    for account in accounts {
      let lines: [String]
      do throws(FetchError) { lines = try FetchPlan.lines(account, options) } catch {
        throw Console.standard.failure("fetch: \(error.text)", error.reason)
      }
      for line in lines { try Console.standard.data(Array((line + "\n").utf8)) }
    }
  }

  /// Runs `report` with the settings of subreport.toml; without inputs there, on the archive.
  private func runReport(_ settings: Settings) throws -> Set<ExitReason> {
    var arguments = common.config.map { ["--config", $0] } ?? []
    if common.quiet { arguments.append("--quiet") }
    if let form = common.logFormat { arguments += ["--log-format", form] }
    if settings.list(.inputs).isEmpty {
      arguments.append(try FetchSettings(settings, archive: common.archive).folder())
    }
    do {
      let command = try Report.parse(arguments)
      try command.run()
    } catch let code as ExitCode {
      return ExitReason(rawValue: code.rawValue).map { [$0] } ?? [.internalError]
    } catch {
      Console.standard.error(
        UsageMessage(arguments: ["report"] + arguments).line(Report.message(for: error)))
      return [.usage]
    }
    return []
  }
}

/// The options of all commands of fetch.
struct FetchOptionGroup: ParsableArguments {
  @Option(
    name: [.customShort("a"), .long],
    help: ArgumentHelp("The folder of the archive.", valueName: "dir"), completion: .directory)
  var archive: String?
  @Option(.config) var config: String?
  @Flag(.quiet) var quiet = false
  @Flag(.verbose) var verbose = false
  @Option(.logFormat) var logFormat: String?

  func settings(format: String? = nil) throws(UsageError) -> Settings {
    var flags: [SettingKey: [String]] = format.map { [.format: [$0]] } ?? [:]
    if quiet { flags[.quiet] = ["true"] }
    if verbose { flags[.verbose] = ["true"] }
    flags[.logFormat] = logFormat.map { [$0] }
    return try Settings(flags: flags, configPath: config)
  }
}

struct FetchStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say what the archive has, and what the next run asks for.")

  @OptionGroup var common: FetchOptionGroup
  @Option(.format) var format: String?

  func run() throws {
    let settings = try common.settings(format: format)
    let accounts = try FetchSettings(settings, archive: common.archive).accounts(readsKeys: false)
    do {
      let rows = try accounts.flatMap { account in
        try FetchPlan.status(account).map { Self.cells($0, account) }
      }
      let states = FetchState.allCases.map(\.rawValue)
      let columns: [ReportTable.Column] =
        ["account", "kind", "vendor", "first", "last"].map { .init($0, .text) }
        + states.map { .init($0, .count) }
        + [.init("restated", .count), .init("next", .count), .init("due", .text)]
      let table = ReportTable(name: "fetch", dimensions: [], columns: columns, rows: rows)
      try Console(settings).data(
        try TablePage(title: "Archive").bytes(of: table, settings.format()))
    } catch let error as FetchError {
      throw Console.standard.failure("fetch: \(error.text)", error.reason)
    }
  }
}

extension FetchStatus {
  private static func cells(
    _ row: FetchPlan.Status, _ account: FetchAccount
  ) -> [ReportTable.Cell] {
    var texts = [account.name, row.kind.rawValue, row.vendor]
    texts += [row.first, row.last].map { $0?.description ?? "" }
    var counts = FetchState.allCases.map { row.counts[$0] ?? 0 }
    counts += [row.restated, row.next]
    return texts.map { .text($0) } + counts.map { .count($0) } + [.text(row.when)]
  }
}

struct FetchDoctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Make one harmless request for each vendor, service and app, and say what works.")

  @OptionGroup var common: FetchOptionGroup

  func run() throws {
    subreport_hide_memory()
    let settings = try common.settings()
    let source = FetchSettings(settings, archive: common.archive)
    let (reasons, _) = try Self.examine(source, try Console(settings))
    try ExitReason.end(reasons)
  }

  /// Examines all accounts, and prints a line for each request; returns the kinds that can be fetched too.
  static func examine(
    _ source: FetchSettings, _ console: Console
  ) throws -> (reasons: Set<ExitReason>, kinds: Set<FetchKind>) {
    var reasons: Set<ExitReason> = []
    var kinds: Set<FetchKind> = []
    for account in try source.accounts() {
      do {
        if let fault = account.keyFault { throw fault }
        let plain = account.endpoint?.hasPrefix("http://") == true
        let transport = try CurlTransport(certificates: source.certificates, allowsPlain: plain)
        var doctor = Doctor(account, transport, folder: TemporaryFile.folder)
        for finding in try doctor.findings() {
          try console.data(Array("\(account.prefix)\(finding.line)\n".utf8))
          if let reason = finding.reason { reasons.insert(reason) }
          kinds.formUnion(finding.kinds)
        }
      } catch let error as FetchError {
        console.error("fetch: \(account.prefix)\(error.text)")
        reasons.insert(error.reason)
      }
    }
    return (reasons, kinds)
  }
}
