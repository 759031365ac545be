import ArgumentParser
import Metrics
import Pipeline
import Rendering
import SubscriptionModel

/// `subreport reconcile`.
struct Reconcile: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "From Sales and Trends to Apple's settlement, to what is owed, to the bank.",
    discussion: """
      One bridge per fiscal period, region and currency, from SALES, FINANCIAL, FINANCE_DETAIL and \
      payments files: what settled in another period, what was never collected, other shares, taxes, \
      and what nothing explains. Ends with 6 when that is more than --tolerance, and with 3 when not \
      everything could be compared; standard error says what is missing.

      All fiscal periods with a finance file, or those of --month, --from and --to, such as FY2026-P03 for \
      Apple's December 2025. -f md prints the page of each period; --by product the bridges of each \
      product up to the settlement; --export hledger balanced journal entries, with the accounts of \
      [accounts] in subreport.toml.

      Apple settles everything together, so --app, --group, --product, --country, --source, --currency \
      and --fail-if do not apply.
      """)

  /// What a journal is written for.
  enum Export: String, ExpressibleByArgument, CaseIterable {
    case hledger
  }

  @OptionGroup(title: "Periods") var months: MonthOptions

  @Option(help: ArgumentHelp("Print journal entries: hledger.", valueName: "program"))
  var export: Export?

  @OptionGroup var options: SharedOptions

  /// Refuses what does nothing while the command is still known, so that its usage is shown.
  func validate() throws { _ = try isByProduct() }

  func run() throws { try withInputFailures(reconcile) }

  private func reconcile() throws {
    let isByProduct = try isByProduct()
    let command = try RunCommand(options, defaultViews: [[]], alwaysWhole: false)
    let tolerance = try command.settings.tolerance()
    let choice = try months.choice(.fiscal)
    // A journal is a text of its own.
    let format = export == nil ? try command.settings.format() : .csv
    var plan = command.plan
    plan.views = [[]]
    plan.sources = [.sales]
    // Those of the config file are for tables: Apple settles everything together.
    plan.filters.keepVendorsOnly()
    try command.refuseInput(as: options.output)
    let result = try command.run(plan)
    var reasons = try command.reasons(result)
    guard let report = FinanceReport(result, tolerance: tolerance) else {
      command.console.error("\(NeededInput.finance.sentence("reconcile", result)) [no-input]")
      return try command.exit(reasons.union([.unusableInput]))
    }
    let periods = try periods(choice, report)
    guard try !command.isForbidden("reconcile", reasons) else {
      return try command.exit(reasons)
    }
    let bytes = try bytes(
      report, periods, command.settings, format, isByProduct: isByProduct)
    reasons.formUnion(try command.print(bytes, to: options.output))
    if export != nil { command.console.notes(report.journalNotes(periods)) }
    let findings = report.findings(periods)
    for finding in findings { command.console.error(finding) }
    if !findings.isEmpty { reasons.insert(.unreconciled) }
    reasons.formUnion(
      command.noteUnverified(
        report.unverified(periods, asked: months.month == nil ? nil : periods?.lowerBound)))
    try command.exit(reasons)
  }

  private func bytes(
    _ report: FinanceReport, _ periods: ClosedRange<FiscalPeriod>?, _ settings: Settings,
    _ format: OutputFormat, isByProduct: Bool
  ) throws -> [UInt8] {
    if export != nil {
      return Array(report.journal(try settings.journalAccounts(), periods).utf8)
    }
    if format == .md, !isByProduct {
      return Array(report.pages(periods).map(\.text).joined(separator: "\n").utf8)
    }
    let isColored = try settings.isColored(descriptor: 1)
    return TableRenderer(format, style: .init(isColored: isColored)).bytes(
      of: isByProduct ? report.productTable(periods) : report.table(periods))
  }

  /// Refuses options that a bridge has no use for; whether the view by product is asked for.
  private func isByProduct() throws(UsageError) -> Bool {
    let given: [(String, Bool)] = [
      ("--fail-if", !options.failIf.isEmpty), ("--currency", options.currency != nil),
      ("--source", !options.source.isEmpty), ("--app", !options.app.isEmpty),
      ("--group", !options.group.isEmpty), ("--product", !options.product.isEmpty),
      ("--country", !options.country.isEmpty),
    ]
    if let (name, _) = given.first(where: \.1) {
      throw UsageError("\(name) is no option of reconcile, which compares whole settlements")
    }
    guard options.by.allSatisfy({ $0 == "product" }) else {
      throw UsageError(
        "--by \(options.by.joined(separator: " ")): reconcile knows only --by product")
    }
    guard export == nil || (options.by.isEmpty && options.format == nil) else {
      throw UsageError("--export writes one journal, so leave out --by and --format")
    }
    return !options.by.isEmpty
  }

  /// The periods to show: all, unless some are asked for.
  ///
  /// - Throws: `UsageError` when no finance file is of any of them.
  private func periods(
    _ choice: MonthOptions.Choice, _ report: FinanceReport
  ) throws(UsageError) -> ClosedRange<FiscalPeriod>? {
    guard months.month != nil || months.from != nil || months.to != nil else { return nil }
    let last = report.periods.last.map { Month(number: $0.number) }
    let asked = choice.months(last: last).map {
      FiscalPeriod(number: $0.lowerBound.number)...FiscalPeriod(number: $0.upperBound.number)
    }
    guard let asked, !report.periods.contains(where: asked.contains) else { return asked }
    let flag = months.month != nil ? "--month" : months.from != nil ? "--from" : "--to"
    let text = months.month ?? months.from ?? months.to ?? ""
    throw UsageError(
      "\(flag) \(text): no finance file is of that period; there are files of \(report.periodText)")
  }
}
