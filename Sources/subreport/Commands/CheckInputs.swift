import ArgumentParser
import Pipeline
import SubscriptionModel

/// `subreport check`.
struct CheckInputs: ParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Validate files, completeness and identities; silent when all is well.",
    discussion: """
      Reads everything, counts every row, looks for missing days, restatements, duplicates and \
      unknown words, and tests the identities that the tables must fulfil. Of settlements it says which \
      are not reconciled, and what to download. Prints nothing and exits \
      with 0 when all is well; otherwise each line says what is wrong and what to do.
      """)

  @OptionGroup var inputs: InputOptions
  @OptionGroup(title: "What is counted") var views: ViewOptions
  @OptionGroup(title: "What is counted") var selection: SelectionOptions
  @OptionGroup(title: "What is counted") var apps: AppOptions
  @OptionGroup(title: "What is counted") var products: ProductOptions
  @OptionGroup(title: "What is counted") var vendors: VendorOptions
  @OptionGroup(title: "What is counted") var asOf: AsOfOptions
  @OptionGroup(title: "Settlement") var finance: FinanceOptions
  @OptionGroup(title: "Receipts") var receipts: ReceiptOptions
  @OptionGroup(title: "Strictness") var strictness: StrictnessOptions
  @OptionGroup(title: "Running") var running: RunOptions

  var groups: [any SettingOptions] {
    [
      inputs, views, selection, apps, products, vendors, asOf, finance, receipts, strictness,
      running,
    ]
  }

  func run() throws { try withInputFailures(check) }

  private func check() throws {
    let command = try RunCommand(
      try settings(), defaultViews: Report.defaultViews, alwaysWhole: true)
    let result = try command.run(command.plan)
    var reasons = try command.reasons(result, checksDays: true)
    if !result.hasUsableInput, !result.hasGoodReport, reasons.isEmpty {
      command.console.error(
        "\(NeededInput(Source.allCases).sentence("check", result)) [no-input]")
      reasons.insert(.unusableInput)
    }
    let tolerance = try command.settings.tolerance()
    let (settlement, checks) = try command.making {
      let settlement = FinanceReport(result, tolerance: tolerance)
      return (settlement, Checks(result, tables: try result.tables(), finance: settlement))
    }
    let lines = result.advice(checks) + (settlement?.advice ?? [])
    for line in lines { try command.console.data(Array((line + "\n").utf8)) }
    if !checks.hold { reasons.insert(.internalError) }
    reasons.formUnion(command.noteFindings(settlement?.findings()))
    // Unverified settlements are among the lines above; the newest period is a note, because it waits for Apple.
    let unverified = settlement?.unverified()
    if unverified?.errors.isEmpty == false { reasons.insert(.missingDays) }
    reasons.formUnion(command.noteUnverified(unverified.map { (errors: [], notes: $0.notes) }))
    try command.exit(reasons)
  }
}
