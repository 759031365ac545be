import ArgumentParser
import Pipeline
import SubscriptionModel

/// `subreport check`.
struct CheckInputs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Validate files, completeness and identities; silent when all is well.",
    discussion: """
      Reads everything, counts every row, looks for missing days, restatements, duplicates and \
      unknown words, and tests the identities that the tables must fulfil. Prints nothing and exits \
      with 0 when all is well; otherwise each line says what is wrong and what to do.
      """)

  @OptionGroup var options: SharedOptions

  func validate() throws {
    try options.refuseFormat("check prints lines of text")
    if let output = options.output {
      throw UsageError("-o \(output): check prints to standard output; report -o writes a folder")
    }
  }

  func run() throws { try withInputFailures(check) }

  private func check() throws {
    let command = try RunCommand(options, defaultViews: Report.defaultViews, alwaysWhole: true)
    let result = try command.run(command.plan)
    var reasons = try command.reasons(result, checksDays: true)
    if !result.hasUsableInput, !result.hasGoodReport, reasons.isEmpty {
      command.console.error(
        "\(NeededInput(Source.allCases).sentence("check", result)) [no-input]")
      reasons.insert(.unusableInput)
    }
    let finance = FinanceReport(result, tolerance: try command.settings.tolerance())
    let checks = Checks(result, tables: try result.tables(), finance: finance)
    for line in result.advice(checks) { try command.console.data(Array((line + "\n").utf8)) }
    if !checks.hold { reasons.insert(.internalError) }
    for line in finance?.contradictions ?? [] {
      command.console.error(line)
      reasons.insert(.unreconciled)
    }
    try command.exit(reasons)
  }
}
