import ArgumentParser
import Pipeline

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
        1   a --fail-if holds, or more rows were rejected than --max-rejects
        2   an input could not be read or understood, or an output not written
        3   days are missing (check, or --strict)
        4   an input is corrupt: a truncated or damaged gzip file
        5   another run holds the lock on the output folder
        6   unreconciled: a settlement has an unexplained amount beyond --tolerance
        64  usage: a wrong option, setting or rates file
        70  internal error; please report it
        Several at once: the first of 70, 64, 5, 2, 4, 6, 3, 1.
      """,
    version: "subreport \(version)",
    groupedSubcommands: [
      CommandGroup(name: "The nightly job", subcommands: [Report.self]),
      CommandGroup(
        name: "One table",
        subcommands: [
          Churn.self, Renewals.self, Lapses.self, Refunds.self, Retention.self, Movement.self,
          Proceeds.self, Trials.self, PriceImpactCommand.self,
        ]),
      CommandGroup(name: "Apple's settlement", subcommands: [Reconcile.self]),
      CommandGroup(
        name: "One row per customer, from receipts",
        subcommands: [Timeline.self, Chains.self, Access.self, Eligibility.self]),
      CommandGroup(
        name: "Files",
        subcommands: [CheckInputs.self, Inspect.self, CacheCommand.self, Simulate.self]),
      CommandGroup(name: "Help", subcommands: [MetricsCommand.self, ConfigCommand.self]),
    ])

  /// Runs the command that the arguments name.
  ///
  /// A command may find out only while it runs that it was called wrongly; its own usage is shown then,
  /// where ArgumentParser shows that of the root.
  static func main() {
    do {
      var command = try parseAsRoot()
      do {
        try command.run()
      } catch let error as UsageError {
        let type = type(of: command)
        Console.standard.error(
          """
          Error: \(error.message)
          Usage: \(usageString(for: type))
            See '\(configuration.commandName ?? "") \(type._commandName) --help' for more information.
          """)
        throw ExitCode(ExitReason.usage.rawValue)
      }
    } catch {
      exit(withError: error)
    }
  }
}
