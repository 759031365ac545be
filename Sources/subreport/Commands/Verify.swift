import ArgumentParser
import Files
import Pages
import Rendering
import Scanning

struct Verify: ParsableCommand, SettingOptions {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare a folder of report with its manifest, and compute it again.",
    discussion: discussion(
      """
      Compares each file of the folder with its SHA-256 in manifest.json, and looks for files that \
      were added. With inputs, it also compares each input with its SHA-256, and computes the \
      folder again with the options of the manifest: all bytes must be the same. Prints one line \
      for each difference (with many of one kind the first five, with -v all), and a last line that \
      says what was compared (not with -q); exits with 0 without a difference, else with 1. The \
      folder stays as it is.

      Settings of the environment and of subreport.toml are not used, because the manifest has those of the \
      run. A file that the run read by an option, such as --rates, is looked for under the name \
      that the manifest has; the same option names it elsewhere. So is the ledger, and beside the folder too: only \
      what the run read of it is used.
      """,
      HelpExample("Was a file changed since the run?", "verify out"),
      HelpExample("Do these reports give these numbers?", "verify out reports")))

  @Argument(
    help: ArgumentHelp("The folder that report wrote.", valueName: "dir"), completion: .directory)
  var folder: String

  @Argument(
    help: ArgumentHelp(
      "The files and folders that report read; without any, only the folder is compared.",
      valueName: "input"),
    completion: .file())
  var inputs: [String] = []

  @OptionGroup(.output) var output: RatesOptions
  @OptionGroup(.output) var ledger: LedgerOptions
  @OptionGroup(.receipts) var receipts: CustomerFileOptions
  @OptionGroup(.prices) var prices: PriceOptions
  @OptionGroup(.finance) var finance: FinanceFileOptions
  @OptionGroup(.running) var running: MachineOptions

  func run() throws { try withInputFailures(verify) }

  private func verify() throws {
    var flags = given
    flags[.inputs] = nil
    let running = try Settings(flags: flags, configPath: nil)
    let console = try Console(running)
    let path = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    var comparison = try RecordedFolder(path, console)
    if !inputs.isEmpty {
      try comparison.compare(inputs, running, given: flags)
    }
    for line in comparison.lines {
      let text = SystemPath.visible(line)
      try console.data(Array((text + "\n").utf8))
    }
    try ExitReason.end(comparison.reasons)
  }
}

/// The option for exchange rates, where the currency is known.
struct RatesOptions: SettingOptions {
  @Option(.rates) var rates: String?
}

/// The options for files about receipts.
struct CustomerFileOptions: SettingOptions {
  @Option(.identities) var identities: String?
  @Option(.rootCertificate) var rootCertificate: [String] = []
}

/// The options for files about settlements.
struct FinanceFileOptions: SettingOptions {
  @Option(.regions) var regions: String?
  @Option(.commissions) var commissions: String?
}

/// The options for the use of the machine.
struct MachineOptions: SettingOptions {
  @Option(.jobs) var jobs: Int?
  @Option(.memory) var memory: String?
  @Flag(.quiet) var quiet = false
  @Flag(.verbose) var verbose = false
  @Flag(.progress) var noProgress = false
  @Option(.logFormat) var logFormat: String?
}
