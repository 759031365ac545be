import ArgumentParser
import Metrics
import Pipeline
import Rendering
import SubscriptionModel

/// `subreport drivers`.
struct DriversCommand: ParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    commandName: "drivers",
    abstract:
      "What changed a number between two months: by product, country, offer and start month.",
    discussion: """
      Splits the change of the churn, renewal, conversion and refund rates, of active subscriptions and \
      of net proceeds into what each product, country, offer and start month adds to it. The parts add up \
      to the change. A rate's part is split again: mix, another share of the value, and rate, another rate \
      of it, with an interval. Both months are compared at the same age. See subreport metrics drivers.

      What changed churn from July to August?
        subreport drivers ~/reports --month 2026-08

      Against the year before, by country only, for a spreadsheet:
        subreport drivers ~/reports --against year --by country -f csv
      """)

  @OptionGroup(title: "Months") var compared: ComparedMonths
  @OptionGroup var inputs: InputOptions
  @OptionGroup(title: "What is counted") var selection: SelectionOptions
  @OptionGroup(title: "What is counted") var apps: AppOptions
  @OptionGroup(title: "What is counted") var products: ProductOptions
  @OptionGroup(title: "What is counted") var vendors: VendorOptions
  @OptionGroup(title: "What is counted") var asOf: AsOfOptions
  @OptionGroup(title: "What is counted") var primary: PrimaryOptions
  @OptionGroup(title: "Receipts") var receipts: ReceiptOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Strictness") var strictness: StrictnessOptions
  @OptionGroup(title: "Running") var running: RunOptions

  var groups: [any SettingOptions] {
    [
      inputs, selection, apps, products, vendors, asOf, primary, receipts, output, strictness,
      running,
    ]
  }

  func run() throws { try withInputFailures(printTable) }

  /// The columns for readers; the others are for programs.
  private static let mainColumns: Set = [
    "measure", "currency", "dimension", "value", "before", "after", "mix", "rate", "total", "low",
    "high", "state",
  ]

  private func printTable() throws {
    let command = try RunCommand(
      try settings(), defaultViews: [], alwaysWhole: false, readsViews: false)
    let format = try command.settings.format()
    let dimensions = try compared.dimensions()
    var plan = command.plan
    let asked = try compared.months(plan.monthSystem)
    plan.views = [[]] + dimensions.map { [$0] }
    plan.readsFinance = false
    try command.refuseInput(as: output.output)
    let result = try command.run(plan)
    try command.refusePrimaryWithoutData(result)
    var reasons = try command.reasons(result)
    guard !result.sources.isEmpty, let last = result.lastCompleteMonth() else {
      let needed = NeededInput(Source.allCases)
      command.console.error("\(needed.sentence("drivers", result)) [no-input]")
      return try command.exit(reasons.union([.unusableInput]))
    }
    try command.obeyStrict("drivers", reasons)
    let month = asked.month ?? last
    let earlier = asked.against(month)
    guard earlier != month else {
      throw ComparedMonths.sameMonth(plan.monthSystem.name(month))
    }
    let drivers = try command.making {
      let tables = try result.tables(HeadlineMaker.tables)
      return result.headlineMaker(tables, month: month).drivers(
        against: [earlier], by: dimensions)
    }
    let table = drivers.table
    let names = (plan.monthSystem.name(month), plan.monthSystem.name(earlier))
    if table.rows.isEmpty {
      if let data = result.monthsOfData(), !data.contains(month) || !data.contains(earlier) {
        throw UsageError(
          "drivers compares \(names.0) with \(names.1): the data cover \(result.text(data))")
      }
      command.console.note(
        "note: \(names.0) cannot be compared with \(names.1): a month is partial in every source")
    } else if format == .table {
      command.console.note("note: \(names.0) against \(names.1), both at the same age")
    }
    let isForReaders = format == .table || format == .md
    let shown =
      isForReaders ? drivers.readersTable.keeping(Self.mainColumns.contains) : table
    let bytes = try command.settings.renderer(format).bytes(of: shown)
    reasons.formUnion(try command.print(bytes, to: output.output))
    try command.exit(reasons)
  }
}

/// The months that drivers compare, and what they split the change by.
struct ComparedMonths: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A month such as 2026-10 (a fiscal period: FY2026-P05), or last: the last complete one (the default).",
      valueName: "month"))
  var month: String?

  @Option(
    help: ArgumentHelp(
      "What to compare it with: previous (the default), year, or a month.", valueName: "month"))
  var against: String?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Split by one dimension; repeat for more. Default: product, country, offer and start_month.",
      valueName: "dim"))
  var by: [String] = []

  /// The months that were asked for.
  struct Months {
    /// The later month; `nil` for the last complete one.
    var month: Month?
    /// Returns the earlier month.
    var against: (Month) -> Month
  }

  /// Returns the months; checks them before any report is read.
  func months(_ system: MonthSystem) throws(UsageError) -> Months {
    var months = Months(month: nil) { $0 - 1 }
    if let month, month != "last" { months.month = try MonthOptions.read(month, "--month", system) }
    switch against {
    case nil, "previous": break
    case "year": months.against = { $0 - 12 }
    case let text?:
      let earlier = try MonthOptions.read(text, "--against", system)
      if earlier == months.month { throw Self.sameMonth(text) }
      months.against = { _ in earlier }
    }
    return months
  }

  static func sameMonth(_ month: String) -> UsageError {
    UsageError("--against \(month): this is the month itself; name another one, previous or year")
  }

  /// Returns the dimensions to split by.
  func dimensions() throws(UsageError) -> [Dimension] {
    var dimensions: [Dimension] = []
    for text in by {
      guard let dimension = Dimension(rawValue: text) else {
        let advice = Nearest.advice(text, among: Dimension.allCases.map(\.rawValue))
        throw UsageError("--by \(text): drivers split by one dimension; \(advice)")
      }
      if !dimensions.contains(dimension) { dimensions.append(dimension) }
    }
    return dimensions.isEmpty ? RunResult.driverDimensions : dimensions
  }
}

/// The option that chooses the headline source.
struct PrimaryOptions: SettingOptions {
  @Option(help: "The source of active subscriptions and churn: subscribers, events or receipts.")
  var primary: String?

  var own: [SettingKey: [String]] { .init(texts: [.primary: primary]) }
}
