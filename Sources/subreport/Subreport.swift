import ArgumentParser
import CBuildInformation
import CMemory
import Files

/// The root command.
@main
struct Subreport: ParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "subreport",
    abstract: "Exact subscription numbers from App Store Connect reports.",
    discussion: """
      Reads folders of Sales and Trends reports, receipts and finance files, gzipped or not, and \
      computes churn, renewals, lapses, refunds, retention, movement, proceeds and trials per cohort, \
      what price increases did, and how sales become what Apple pays. Every number is defined (subreport metrics), carries its counts, and is computed on this machine.

      The nightly job, all tables and months into one folder:
        subreport report ~/reports -o out

      One question:
        subreport churn ~/reports --month 2026-10
        subreport renewals ~/reports --by country --month last -f md

      Is the data complete?
        subreport check ~/reports

      Data goes to standard output or -o, everything else to standard error.

      EXIT CODES
        0   done
        1   a --fail-if holds, more rows were rejected than --max-rejects, or verify
            found a difference
        2   an input could not be read or understood, or an output not written
        3   days are missing (check, or --strict), or a settlement or an earlier run
            could not be verified
        4   an input is corrupt: a truncated or damaged gzip file
        5   another run holds the lock on the output folder
        6   unreconciled: a settlement has an unexplained amount beyond --tolerance
        7   Apple or the network failed for some (fetch); what came is kept
        64  usage: a wrong option or setting, or a file that one names (config,
            rates, …)
        70  internal error; please report it
        Several at once: the first of 70, 64, 5, 2, 4, 7, 6, 3, 1.
      """,
    version: about,
    subcommands: [DescribeCommand.self],
    groupedSubcommands: [
      CommandGroup(name: "The nightly job", subcommands: [Report.self, DigestCommand.self]),
      CommandGroup(name: "Apple's data", subcommands: [FetchCommand.self, InitCommand.self]),
      CommandGroup(
        name: "One table",
        subcommands: [
          SingleTable<Churn>.self, SingleTable<Renewals>.self, SingleTable<Lapses>.self,
          SingleTable<Refunds>.self, SingleTable<Retention>.self, SingleTable<Movement>.self,
          SingleTable<Proceeds>.self, SingleTable<Trials>.self, SingleTable<Commitments>.self,
          SingleTable<Recurring>.self, SingleTable<Lifetimes>.self,
          SingleTable<Status>.self, SingleTable<OtherDefinitions>.self,
          DriversCommand.self, PriceImpactCommand.self,
        ]),
      CommandGroup(
        name: "What a number is made of, and was before",
        subcommands: [ExplainCommand.self, HistoryCommand.self]),
      CommandGroup(name: "Apple's settlement", subcommands: [Reconcile.self]),
      CommandGroup(
        name: "One row per customer, from receipts",
        subcommands: [Timeline.self, Chains.self, Access.self, Eligibility.self]),
      CommandGroup(
        name: "Files",
        subcommands: [
          CheckInputs.self, Verify.self, Inspect.self, CacheCommand.self, Simulate.self,
        ]),
      CommandGroup(name: "Assistants", subcommands: [AssistantCommand.self]),
      CommandGroup(name: "Many machines", subcommands: [StepCommand.self]),
      CommandGroup(name: "Help", subcommands: [MetricsCommand.self, ConfigCommand.self]),
    ])

  /// Runs the command that the arguments name; wrong arguments are reported in one line with exit code 64.
  static func main() {
    subreport_watch_memory()
    Interruption.letWritingFail()
    Settings.logEarly()
    let message = UsageMessage(
      arguments: FormatShorthand.expanded(Array(CommandLine.words.dropFirst())))
    guard !message.arguments.isEmpty else {
      for line in UsageMessage.shortHelp { Console.standard.error(line) }
      exit(withError: ExitCode(.usage))
    }
    if let unknown = message.unknownTopic { end(unknown, .usage) }
    if let repeated = message.repeatedOption { end(repeated, .usage) }
    do {
      var command = try parseAsRoot(message.arguments)
      try command.run()
    } catch {
      let code = exitCode(for: error)
      if code == .success { printHelp(fullMessage(for: error)) }
      let text = Self.message(for: error)
      if !text.isEmpty { Console.standard.error(message.line(text)) }
      exit(withError: ExitCode(code.rawValue))
    }
  }

  private static func end(_ text: String, _ reason: ExitReason) -> Never {
    Console.standard.error(text)
    exit(withError: ExitCode(reason))
  }

  /// Prints help or the version; a full disk must not look like success.
  private static func printHelp(_ text: String) -> Never {
    do {
      try Console.standard.data(Array((text + "\n").utf8))
      exit()
    } catch {
      exit(withError: error)
    }
  }
}

extension Subreport {
  /// The text of `--version`: version, commit and build options, a line for each.
  ///
  /// An example is
  ///
  ///     subreport 0.1.0
  ///     commit 529926af1c2d
  ///     release build for x86_64 Linux, zlib
  ///
  /// A plus sign after the commit stands for changes that were not committed.
  static var about: String {
    let commit = unsafe String(cString: subreport_commit())
    return """
      subreport \(version)
      commit \(commit.isEmpty ? "unknown (make names it)" : commit)
      \(buildOptions)
      """
  }

  private static var buildOptions: String {
    #if DEBUG
      let configuration = "debug"
    #else
      let configuration = "release"
    #endif
    #if arch(x86_64)
      let processor = "x86_64"
    #elseif arch(arm64)
      let processor = "arm64"
    #else
      let processor = "another processor"
    #endif
    #if os(Linux)
      let system = "Linux"
    #elseif os(macOS)
      let system = "macOS"
    #else
      let system = "another system"
    #endif
    #if ISAL
      let inflate = "ISA-L"
    #else
      let inflate = "zlib"
    #endif
    return "\(configuration) build for \(processor) \(system), \(inflate)"
  }
}

/// A call that a help shows, below the question that it answers.
struct HelpExample {
  let question: String
  /// The words after `subreport`; the folder `reports` stands for the user's.
  let call: String

  init(_ question: String, _ call: String) {
    self.question = question
    self.call = call
  }
}

/// Returns the text of a help above its options: what the command does, then examples.
func discussion(_ text: String, _ examples: HelpExample...) -> String {
  discussion(text, examples)
}

/// Returns the text of a help above its options: what the command does, then examples.
func discussion(_ text: String, _ examples: [HelpExample]) -> String {
  let shown = examples.map { "\($0.question)\n  subreport \($0.call)" }
  return ([text] + shown).joined(separator: "\n\n")
}
