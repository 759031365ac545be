import ArgumentParser
import Explain
import Files
import Pages
import Pipeline
import Rendering
import SubscriptionModel
import Tables

struct Reconcile: ParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    commandName: "reconcile",
    abstract: "From Sales and Trends to Apple's settlement, to what is owed, to the bank.",
    discussion: discussion(
      """
      One bridge per fiscal period, region and currency, from SALES, FINANCIAL, FINANCE_DETAIL and \
      payments files: what settled in another period, what was never collected, other shares, \
      taxes, and what nothing explains. Ends with 6 when that is more than --tolerance, and with 3 \
      when not everything could be compared; standard error says what is missing. Without --month, \
      --from, --to and --last: all fiscal periods with a finance file. explain reconcile lists the \
      rows behind a line. The accounts of a journal are [accounts] in subreport.toml.
      """,
      HelpExample(
        "Do sales and payments of a period agree?", "reconcile reports --month FY2026-P05"),
      HelpExample("A journal for hledger, of all periods:", "reconcile reports --export hledger")))

  @OptionGroup var inputs: InputOptions
  @OptionGroup(.rows) var months: MonthOptions
  @OptionGroup(.rows) var comparison: AgainstOptions
  @OptionGroup(.rows) var vendors: VendorOptions
  @OptionGroup(.rows) var asOf: AsOfOptions
  @OptionGroup(.rows) var bridges: BridgeOptions
  @OptionGroup(.output) var output: OutputOptions
  @OptionGroup(.output) var shape: TableOptions
  @OptionGroup(.output) var journal: JournalOptions
  @OptionGroup(.strictness) var strictness: StrictnessOptions
  @OptionGroup(.finance) var finance: FinanceOptions
  @OptionGroup(.running) var running: RunOptions

  func validate() throws {
    try bridges.validate(with: output, journal)
    if let against = comparison.against, journal.export != nil {
      throw UsageError("--against \(against): a journal has no column for it; leave out --export")
    }
    try settings().validate()
  }

  func run() throws { try withInputFailures(reconcile) }

  private func reconcile() throws {
    let (isByProduct, export) = (!bridges.by.isEmpty, journal.export)
    let command = try RunCommand(try settings(), defaultViews: [[]], alwaysWhole: false)
    let tolerance = try command.settings.tolerance()
    let choice = try months.choice(.fiscal)
    // A journal has no table format; the value is not used then.
    let format = export == nil ? try command.settings.format(hasFigure: true) : .csv
    var plan = command.plan
    plan.views = [[]]
    plan.sources = [.sales]
    // Filters of the config file are for tables, but Apple settles everything together: keep only the vendors.
    plan.filters.keepVendorsOnly()
    try command.refuseInput(as: output.output)
    let result = try command.run(plan)
    var reasons = try command.reasons(result)
    guard var report = try command.making({ FinanceReport(result, tolerance: tolerance) }) else {
      command.console.noInput(.finance, for: "reconcile", result)
      return try command.exit(reasons.union([.unusableInput]))
    }
    report.shownPeriods = try periods(choice, report)
    try command.obeyStrict("reconcile", reasons)
    command.console.notes(report.paymentsAfterAsOf.map { "note: \($0)" })
    reasons.formUnion(try print(report, command, format, isByProduct: isByProduct))
    if export != nil { command.console.notes(report.journalNotes()) }
    reasons.formUnion(command.noteFindings(report.findings()))
    let asked = months.month == nil ? nil : report.shownPeriods?.lowerBound
    reasons.formUnion(command.noteUnverified(report.unverified(asked: asked)))
    try command.exit(reasons)
  }

  private func print(
    _ report: FinanceReport, _ command: RunCommand, _ format: OutputFormat, isByProduct: Bool
  ) throws -> Set<ExitReason> {
    if let form = journal.export {
      let accounts = try command.settings.journalAccounts()
      let entries =
        switch form {
        case .hledger: Array(report.journal(accounts).utf8)
        case .journal:
          TableRenderer(.csv, marks: try command.settings.marks())
            .bytes(of: report.journalTable(accounts))
        }
      return try command.print(entries, to: output.output)
    }
    if format == .html, !isByProduct, comparison.earlier == nil, let page = report.html {
      return try command.print(page, to: output.output)
    }
    if format == .md, !isByProduct, comparison.earlier == nil {
      let pages = report.pages().map(\.text).joined(separator: "\n")
      return try command.print(Array(pages.utf8), to: output.output)
    }
    let out = TableOutput(command, format, shape, path: output.output)
    let page = TablePage(
      title: "From sales to the bank", limits: report.result.settlementLimits,
      figures: format.isOfRows ? .empty : .of(report))
    guard format == .table, comparison.earlier == nil else {
      return try out.print([table(report, isByProduct: isByProduct)], page: page)
    }
    if !isByProduct, !bridges.lines {
      return try out.print([report.bridgeTable()], answer: report.answer, page: page)
    }
    let table = isByProduct ? report.productTable() : report.tableForReaders()
    let shown = withoutZeros(table)
    if shown.rows.count < table.rows.count {
      command.console.note(
        "note: \(counted(table.rows.count - shown.rows.count, "line")) of 0.00 left out; -f csv has all"
      )
    }
    return try out.print([shown], answer: report.answer, page: page)
  }

  /// Returns the lines of a table that have an amount, or none that is known.
  private func withoutZeros(_ table: ReportTable) -> ReportTable {
    guard let amount = table.columns.firstIndex(where: { $0.name == "amount" }) else {
      return table
    }
    var table = table
    table.rows.removeAll { $0[amount] == .money(milliunits: 0) }
    return table
  }

  /// Returns the bridges of the shown periods, beside those of an earlier period if they are compared.
  private func table(_ report: FinanceReport, isByProduct: Bool) -> ReportTable {
    let made = { (report: FinanceReport) in
      isByProduct ? report.productTable() : report.table()
    }
    guard let earlier = comparison.earlier else { return made(report) }
    var whole = report
    whole.shownPeriods = nil
    let table = made(whole).addingChanges(earlier, .fiscal, in: "period")
    return table.inMonths(
      { report.isShown(FiscalPeriod(number: $0.number)) }, .fiscal, in: "period")
  }

  /// Returns the periods to show, `nil` for all; refuses periods of which there is no finance file.
  private func periods(
    _ choice: MonthOptions.Choice, _ report: FinanceReport
  ) throws(UsageError) -> ClosedRange<FiscalPeriod>? {
    let isAsked =
      months.month != nil || months.from != nil || months.to != nil || months.last != nil
    guard isAsked else { return nil }
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

/// The option for the bridges that `reconcile` prints.
struct BridgeOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("product: the bridges of each product.", valueName: "dim"),
    completion: .list(["product"]))
  var by: [String] = []

  @Flag(help: "On a terminal every line of each bridge, not a row for each.")
  var lines = false

  /// Refuses unknown views, and options that exclude each other.
  func validate(with output: OutputOptions, _ journal: JournalOptions) throws(UsageError) {
    guard by.allSatisfy({ $0 == "product" }) else {
      throw UsageError("--by \(by.joined(separator: " ")): reconcile knows only --by product")
    }
    guard journal.export == nil || (by.isEmpty && output.format == nil) else {
      throw UsageError("--export writes one journal, so leave out --by and --format")
    }
  }
}

/// The option for printing bridges as a journal.
struct JournalOptions: ParsableArguments {
  /// The form of a journal.
  enum Export: String, ExpressibleByArgument, CaseIterable {
    /// For the program hledger.
    case hledger
    /// As CSV.
    case journal
  }

  @Option(.export) var export: Export?
}

// MARK: What a line is made of

extension ExplainCommand {
  /// Prints what a row of `reconcile.csv` is made of.
  func printBridgeLine() throws {
    try refuseOptionsOfOtherTables()
    let question = try question(about: .reconcile)
    let month = try asked.month(.fiscal)
    var finance: FinanceReport?
    try answer { plan, _ in
      plan.views = [[]]
      plan.sources = [.sales]
      plan.filters.keepVendorsOnly()
      plan.keepsContext = true
    } missing: { result, command in
      finance = try command.making { FinanceReport(result) }
      guard finance?.periods.last == nil else { return false }
      command.console.noInput(.finance, for: "explain reconcile", result)
      return true
    } explaining: { result, command in
      guard let context = result.context, let report = finance, let last = report.periods.last
      else { preconditionFailure("the run keeps its context and has periods") }
      let period = month.map { FiscalPeriod(number: $0.number) } ?? last
      guard report.periods.contains(period) else {
        throw UsageError(
          "--month \(period): no finance file is of that period; there are files of \(report.periodText)"
        )
      }
      if month == nil {
        command.console.note(
          "note: numbers of \(period), the last period with finance files; --month chooses another"
        )
      }
      if !question.asksForLine {
        return try command.making {
          let evidence = try PeriodEvidence(
            of: period, report.reconciliation,
            where: { question.isAbout($0, result.names) }, result, context)
          return Explanation(evidence, listing(command))
        }
      }
      return try command.making {
        try Explanation(
          question, period: period, report.reconciliation, result, context, listing(command))
      }
    }
  }

  /// Refuses options that choose rows of tables that count: Apple settles everything together.
  private func refuseOptionsOfOtherTables() throws(UsageError) {
    let ofRows: [SettingKey] = [
      .source, .app, .group, .product, .country, .billingPlan, .contingent,
    ]
    if let key = ofRows.first(where: { given[$0] != nil }) {
      throw UsageError(
        "explain reconcile does not take \(key.optionName): it explains whole settlements; choose a row with --where, such as --where region=US"
      )
    }
    if let against = asked.against {
      throw UsageError("--against \(against): explain reconcile is about one fiscal period")
    }
  }
}
