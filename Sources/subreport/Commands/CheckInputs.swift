import ArgumentParser
import Explain
import Files
import Pages
import Pipeline
import Rendering
import Scanning
import SubscriptionModel
import Tables

struct CheckInputs: ParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Validate files, completeness and identities; silent when all is well.",
    discussion: discussion(
      """
      Reads everything, counts every row, looks for missing days, restatements, duplicates and \
      unknown words, tests the identities that the tables must fulfil, and says which settlements \
      are not reconciled. Prints nothing and exits with 0 when all is well; otherwise each line \
      says what is wrong and what to do.
      """,
      HelpExample("Are the reports complete?", "check reports"),
      HelpExample("Were they at the end of June?", "check reports --as-of 2026-06-30")))

  @OptionGroup var inputs: InputOptions
  @OptionGroup(.rows) var views: ViewOptions
  @OptionGroup(.rows) var products: ProductOptions
  @OptionGroup(.rows) var apps: AppOptions
  @OptionGroup(.rows) var selection: SelectionOptions
  @OptionGroup(.rows) var vendors: VendorOptions
  @OptionGroup(.rows) var asOf: AsOfOptions
  @OptionGroup(.strictness) var strictness: StrictnessOptions
  @OptionGroup(.receipts) var receipts: ReceiptOptions
  @OptionGroup(.finance) var finance: FinanceOptions
  @OptionGroup(.running) var running: RunOptions

  func run() throws { try withInputFailures(check) }

  private func check() throws {
    let command = try RunCommand(
      try settings(), defaultViews: Report.defaultViews, alwaysWhole: true)
    let result = try command.run(command.plan, namesLeftAside: true)
    var reasons = try command.reasons(result, checksDays: true)
    if !result.hasUsableInput, !result.hasGoodReport, reasons.isEmpty {
      command.console.noInput(NeededInput(Source.allCases), for: "check", result)
      reasons.insert(.unusableInput)
    }
    let tolerance = try command.settings.tolerance()
    let (settlement, checks) = try command.making {
      let settlement = FinanceReport(result, tolerance: tolerance)
      return (settlement, Checks(result, tables: try result.tables(), finance: settlement))
    }
    let lines = result.advice(checks) + (settlement?.advice ?? [])
    for line in result.acceptedLines { command.console.note(line) }
    for line in lines { try command.console.data(Array((VisibleText.of(line) + "\n").utf8)) }
    if !checks.hold { reasons.insert(.internalError) }
    reasons.formUnion(command.noteFindings(settlement?.findings()))
    // Unverified settlements are among the lines above; the newest period is a note, because it waits for Apple.
    let unverified = settlement?.unverified()
    if unverified?.errors.isEmpty == false { reasons.insert(.missingDays) }
    reasons.formUnion(command.noteUnverified(unverified.map { (errors: [], notes: $0.notes) }))
    try command.exit(reasons)
  }
}

// MARK: Explained health

extension ExplainCommand {
  /// Prints the rows of a file behind its counts in `health.csv`.
  func printHealth() throws {
    let question = try question(about: .health)
    try asked.refuseMonths(of: question.about.name)
    try answer { plan, _ in
      plan.views = [[]]
      plan.keepsContext = true
    } explaining: { result, command in
      guard let context = result.context else { preconditionFailure("the run keeps its context") }
      return try command.making {
        try Explanation(question, result.health([]), result, context, listing(command))
      }
    }
  }
}

extension KeptCharges.LineError {
  /// The reason for the exit code: as for a file that is damaged, or cannot be read, when it is read first.
  var reason: ExitReason { error?.isCorruption == true ? .corruptInput : .unusableInput }

  /// The message about a file that cannot be read again.
  var line: String {
    guard let error else {
      return "\(path): error: has changed since it was read; run the command again [changed]"
    }
    let problem = FileProblem(error)
    return "\(path): error: \(problem.message) [\(problem.code)]"
  }
}
