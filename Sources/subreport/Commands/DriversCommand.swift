import ArgumentParser
import Explain
import Files
import Pages
import Pipeline
import Rendering
import Scanning
import SubscriptionModel
import Tables

struct DriversCommand: ParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    commandName: "drivers",
    abstract:
      "What changed a number between two months: by product, country, offer, start month and app.",
    discussion: discussion(
      """
      Splits the change of a number into what each product, country, offer, start month and app \
      adds to it. The parts add up to the change. The numbers: \(names). Name one before the \
      reports, or with --measure; else all are printed. MRR is by price and is split by its movements too, such as \
      new or churned, one currency after another. A rate's part is split again: mix, another share \
      of the value, and rate, another rate of it, with an interval. The earlier month counts as it \
      was known as many days after its end as the later one is now. See subreport metrics drivers.
      """,
      HelpExample("What changed MRR from July to August?", "drivers mrr reports --month 2026-08"),
      HelpExample(
        "Against three months before, by country only, for a spreadsheet:",
        "drivers reports --against 2026-06 --by country -f csv")))

  /// The numbers, such as `churn_rate, renewal_rate`.
  private static let names = Headline.driven.map(\.rawValue).joined(separator: ", ")

  @OptionGroup var inputs: InputOptions
  @OptionGroup(.rows) var compared: ComparedMonths
  @OptionGroup(.rows) var products: ProductOptions
  @OptionGroup(.rows) var apps: AppOptions
  @OptionGroup(.rows) var selection: SelectionOptions
  @OptionGroup(.rows) var sources: SourceOptions
  @OptionGroup(.rows) var vendors: VendorOptions
  @OptionGroup(.rows) var asOf: AsOfOptions
  @OptionGroup(.rows) var primary: PrimaryOptions
  @OptionGroup(.output) var output: OutputOptions
  @OptionGroup(.output) var shape: TableOptions
  @OptionGroup(.strictness) var strictness: StrictnessOptions
  @OptionGroup(.receipts) var receipts: ReceiptOptions
  @OptionGroup(.running) var running: RunOptions

  func run() throws { try withInputFailures(printTable) }

  /// The settings in force; a number among the inputs is no input.
  func settings() throws(UsageError) -> Settings {
    var given = given
    given[.inputs]?.removeAll { Self.number($0) != nil }
    if given[.inputs]?.isEmpty == true { given[.inputs] = nil }
    return try Self.settings(given)
  }

  /// Returns the number that a word names, by itself or by its table; `nil` for a file or folder, and any other word.
  private static func number(_ word: String) -> Headline? {
    guard FileStatus(of: word) == nil else { return nil }
    return Headline.driven.first { $0.rawValue == word || $0.table.rawValue == word }
  }

  /// The numbers to print: those among the inputs, else all.
  private var numbers: [Headline] {
    let asked = Set(
      inputs.inputs.compactMap(Self.number) + compared.measure.compactMap(Headline.init(rawValue:)))
    return Headline.driven.filter { asked.isEmpty || asked.contains($0) }
  }

  /// Refuses another table, or a word of other tools for one, among the inputs, such as `drivers revenue reports`.
  private func refuseOtherNumbers() throws(UsageError) {
    let tables = CommandName.tables.map(\.rawValue)
    for word in inputs.inputs where FileStatus(of: word) == nil && Self.number(word) == nil {
      let name = OtherWords.meaning(word, among: tables) ?? word
      guard tables.contains(name) else { continue }
      let meant = Self.number(name)?.rawValue
      throw UsageError(
        "drivers \(word): no file or folder has this name, and drivers has no such number; \(meant.map { "did you mean \"\($0)\"?" } ?? "it prints \(Self.names)")"
      )
    }
  }

  private func printTable() throws {
    try refuseOtherNumbers()
    let command = try RunCommand(
      try settings(), defaultViews: [], alwaysWhole: false, readsViews: false)
    let format = try command.settings.format(hasFigure: true)
    let splits = try compared.splits()
    var plan = command.plan
    let asked = try compared.months(plan.monthSystem)
    let dimensions = splits?.compactMap(\.dimension) ?? RunResult.driverDimensions + [.app]
    plan.views = [[]] + dimensions.map { [$0] }
    plan.omitsViewOfOneApp = splits == nil
    plan.countsOthers = false
    plan.readsFinance = false
    try command.refuseInput(as: output.output)
    let result = try command.run(plan)
    try command.refusePrimaryWithoutData(result)
    var reasons = try command.reasons(result)
    guard !result.sources.isEmpty, let last = result.lastCompleteMonth() else {
      command.console.noInput(NeededInput(Source.allCases), for: "drivers", result)
      return try command.exit(reasons.union([.unusableInput]))
    }
    try command.obeyStrict("drivers", reasons)
    let pairs = try asked.pairs(last: last, plan.monthSystem)
    // Such a month has no numbers yet, not numbers of 0.
    if let data = result.monthsOfData(),
      let pair = pairs.first(where: { max($0.month, $0.earlier) > data.upperBound })
    {
      let names = (plan.monthSystem.name(pair.month), plan.monthSystem.name(pair.earlier))
      throw UsageError(
        "drivers compares \(names.0) with \(names.1): the data cover \(result.text(data))")
    }
    let split = splits ?? result.driverSplits
    let (drivers, currency) = try command.making {
      let tables = try result.tables(HeadlineMaker.tables)
      let drivers = pairs.map { month, earlier in
        result.headlineMaker(tables, month: month).drivers(
          of: numbers, against: [earlier], by: split,
          from: sources.allSources ? .all : .comparable)
      }
      let money = [TableKind.proceeds, .recurring].compactMap { tables[$0]?.first }
      return (drivers, money.lazy.compactMap { $0.mainCurrencies(limit: 1).first }.first)
    }
    let found = DriverComparisons(pairs, drivers, plan.monthSystem)
    try note(found, result, command.console, format)
    let sentence =
      drivers.count == 1 && !found.isEmpty
      ? DriverWords.sentence(drivers[0], by: split.compactMap(\.dimension), plan.monthSystem) : ""
    let page = TablePage(
      title: found.title, limits: result.limits(), sentence: MarkdownText.escaped(sentence),
      lead: [
        "The earlier month counts as it was known as many days after its end as the later one is now. The parts of a number add up to its change."
      ],
      figures: format.isOfRows
        ? .empty : .of(drivers, by: split, plan.monthSystem, currency: currency))
    let out = TableOutput(command, format, shape, path: output.output)
    let answer = format == .table && !sentence.isEmpty ? [sentence] : []
    let failures = try out.print(
      tables(found, format), answer: answer, important: found.columns, page: page)
    reasons.formUnion(failures)
    try command.exit(reasons)
  }

  /// Returns one table; on a terminal one for each number, unless columns were asked for that are the same in its rows.
  private func tables(_ found: DriverComparisons, _ format: OutputFormat) -> [ReportTable] {
    let asked = shape.shape.columns + [shape.shape.order?.column].compactMap { $0 }
    let tables = found.tables
    let names = tables.flatMap { $0.columns.map(\.name) }
    guard format == .table, !tables.isEmpty, asked.allSatisfy(names.contains) else {
      return [found.table(forReaders: format.isForReaders)]
    }
    return tables
  }

  /// Prints which numbers and months have no row or that of another source, and how old the months are.
  ///
  /// Refuses months that the data do not cover.
  private func note(
    _ found: DriverComparisons, _ result: RunResult, _ console: Console, _ format: OutputFormat
  ) throws(UsageError) {
    if found.isEmpty, let data = result.monthsOfData(),
      !found.pairs.contains(where: { data.contains($0.month) && data.contains($0.earlier) })
    {
      throw UsageError("drivers has nothing of \(found.words): the data cover \(result.text(data))")
    }
    for line in found.uncompared { console.note("note: \(line)") }
    if found.lacksMovements {
      console.note(
        "note: mrr: the snapshot says how much there is, not what moved it: that needs SUBSCRIBER reports"
      )
    }
    if format == .table, !found.isEmpty {
      console.note("note: \(found.words) as it was known as many days after its end")
    }
  }
}

/// The months that drivers compare, and the dimensions that split the change.
struct ComparedMonths: ParsableArguments {
  @Option(.month) var month: String?
  @Option(.last) var last: Int?
  @Option(.against) var against: String?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Split by one dimension, or mrr by movement; repeat for more. Default: movement, product, country, offer, start_month and, of several apps, app.",
      valueName: "dim"), completion: .list(DriverSplit.names))
  var by: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Only this number: \(Headline.driven.map(\.rawValue).joined(separator: ", ")). Repeatable.",
      valueName: "name"), completion: .list(Headline.driven.map(\.rawValue)))
  var measure: [String] = []

  /// The months that were asked for.
  struct Months {
    /// The later month; `nil` for the last complete one.
    var month: Month?
    /// How many of the last complete months are compared, each with its own earlier one.
    var count = 1
    var against: (Month) -> Month

    /// Returns the months to compare, each with its earlier one, the newest last; `last` is the last complete month.
    ///
    /// Refuses a month that would be compared with itself alone.
    func pairs(
      last: Month, _ system: MonthSystem
    ) throws(UsageError) -> [(month: Month, earlier: Month)] {
      let later = month.map { [$0] } ?? (0..<count).reversed().map { last - $0 }
      let pairs = later.map { (month: $0, earlier: against($0)) }.filter { $0.month != $0.earlier }
      guard !pairs.isEmpty else { throw ComparedMonths.sameMonth(system.name(later[0])) }
      return pairs
    }
  }

  func validate() throws {
    try MonthOptions.validate(last: last)
    try DefinitionOptions.validate(measure, "--measure", Headline.driven.map(\.rawValue))
    guard month == nil || last == nil else {
      throw ValidationError("--month and --last exclude each other; give one of them")
    }
  }

  /// Returns the months; checks them before any report is read.
  func months(_ system: MonthSystem) throws(UsageError) -> Months {
    var months = try Self.months(month, against: against, system)
    months.count = last ?? 1
    return months
  }

  static func months(
    _ month: String?, against: String?, _ system: MonthSystem
  ) throws(UsageError) -> Months {
    var months = Months(against: { $0 - 1 })
    if let month, month != "last" { months.month = try MonthOptions.read(month, "--month", system) }
    switch against {
    case nil, "previous": break
    case "year": months.against = { $0 - 12 }
    case let text?:
      let earlier = try MonthOptions.read(text, "--against", system)
      if earlier == months.month { throw sameMonth(text) }
      months.against = { _ in earlier }
    }
    return months
  }

  static func sameMonth(_ month: String) -> UsageError {
    UsageError("--against \(month): this is the month itself; name another one, previous or year")
  }

  /// Returns what to split by; `nil` for the usual splits.
  func splits() throws(UsageError) -> [DriverSplit]? {
    var splits: [DriverSplit] = []
    for text in by {
      guard let split = DriverSplit(rawValue: text) else {
        let advice = Nearest.advice(text, among: DriverSplit.names)
        throw UsageError("--by \(text): drivers split by one dimension; \(advice)")
      }
      if !splits.contains(split) { splits.append(split) }
    }
    return splits.isEmpty ? nil : splits
  }
}

// MARK: Explained drivers

extension ExplainCommand {
  /// Prints what a row of `drivers` is made of.
  func printDrivers() throws {
    let question = try question(about: .drivers)
    if asked.leftOut {
      throw UsageError(
        "--left-out lists what one number leaves out, and a driver is made of several; ask for one of them, such as explain churn.churned"
      )
    }
    let splits = question.splitOfDrivers.map { [$0] } ?? []
    var months: ComparedMonths.Months?
    try answer { plan, _ in
      months = try ComparedMonths.months(asked.month, against: asked.against, plan.monthSystem)
      plan.views = [[]] + splits.compactMap(\.dimension).map { [$0] }
      plan.readsFinance = false
      plan.countsOthers = false
      (plan.keepsCharges, plan.keepsReceipts, plan.keepsContext) = (true, true, true)
    } checking: { result, command in
      try command.refusePrimaryWithoutData(result)
    } missing: { result, command in
      guard result.sources.isEmpty || result.lastCompleteMonth() == nil else { return false }
      command.console.noInput(NeededInput(Source.allCases), for: "explain drivers", result)
      return true
    } explaining: { result, command in
      guard let months, let month = months.month ?? result.lastCompleteMonth() else {
        preconditionFailure("the run has a complete month")
      }
      let (earlier, system) = (months.against(month), result.plan.monthSystem)
      let names = (system.name(month), system.name(earlier))
      guard earlier != month else { throw ComparedMonths.sameMonth(names.0) }
      if let data = result.monthsOfData(), !data.contains(month) || !data.contains(earlier) {
        throw UsageError(
          "drivers compares \(names.0) with \(names.1): the data cover \(result.text(data))")
      }
      return try ending(" (\(names.0) against \(names.1))") {
        try command.making {
          let maker = result.headlineMaker(try result.tables(HeadlineMaker.tables), month: month)
          let drivers = maker.drivers(against: [earlier], by: splits, from: .comparable)
          guard !drivers.rows.isEmpty else {
            throw UsageError(
              "\(names.0) cannot be compared with \(names.1): a month is partial in every source")
          }
          return try Explanation(question, drivers, maker, result, listing(command))
        }
      }
    }
  }
}
