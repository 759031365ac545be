import ArgumentParser
import Explain
import Files
import Pages
import Pipeline
import PriceImpact
import Rendering
import Scanning
import SubscriptionModel
import Tables

struct PriceImpactCommand: ParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    commandName: "price-impact",
    abstract: "What price increases did: who met them, who stayed, and was it worth it.",
    discussion: discussion(
      """
      Finds the increases of standard prices in the charges themselves, or takes those of \
      --price-changes. One row per increase: who met it at a renewal, what they did, the renewals \
      lost to it compared with those who met no change, and the money. A table or Markdown has the \
      columns that fit; csv and json have all. With --plan instead: whom planned prices would \
      meet, week by week.
      """,
      HelpExample("What did each price increase do?", "price-impact reports"),
      HelpExample(
        "Did new customers react otherwise than old ones?",
        "price-impact reports --by tenure -f md")))

  @OptionGroup var inputs: InputOptions
  @OptionGroup(.rows) var increases: IncreaseMonthOptions
  @OptionGroup(.rows) var comparison: AgainstOptions
  @OptionGroup(.rows) var views: ImpactViewOptions
  @OptionGroup(.rows) var products: ProductOptions
  @OptionGroup(.rows) var apps: AppOptions
  @OptionGroup(.rows) var selection: SelectionOptions
  @OptionGroup(.rows) var sources: SourceOptions
  @OptionGroup(.rows) var vendors: VendorOptions
  @OptionGroup(.rows) var asOf: AsOfOptions
  @OptionGroup(.output) var output: OutputOptions
  @OptionGroup(.output) var shape: TableOptions
  @OptionGroup(.strictness) var strictness: StrictnessOptions
  @OptionGroup(.receipts) var receipts: ReceiptOptions
  @OptionGroup(.prices) var prices: PriceOptions
  @OptionGroup(.running) var running: RunOptions

  /// The columns for readers; the others are for programs.
  private var mainColumns: Set<String> {
    let names = [
      "source", "product", "country", "currency", "effective", "old_price", "new_price",
      "start_month", "tenure", "offer", "exposed", "reached", "renewal_rate", "baseline_rate",
      "excess_churn", "excess_low", "excess_high", "verdict", "break_even_loss", "observed_loss",
      "observed_loss_low", "observed_loss_high", "break_even_verdict", "net_effect", "state",
    ]
    let endings = ReportTable.changeEndings
    return Set(names + names.flatMap { [$0 + endings.before, $0 + endings.change] })
  }

  func validate() throws {
    _ = try views.chosen()
    try settings().validate()
  }

  func run() throws { try withInputFailures(printTable) }

  private func printTable() throws {
    let command = try RunCommand(
      try settings(), defaultViews: [], alwaysWhole: false, readsViews: false)
    let views = try views.chosen()
    let format = try command.settings.format(hasFigure: command.settings.text(.plan) == nil)
    if views.count > 1, let (what, other) = format.ofOneView {
      throw UsageError(
        "--by: the format \(format.rawValue) is one \(what), so it takes one view and not \(views.count); use -f \(other)"
      )
    }
    var plan = command.plan
    plan.prices = try command.settings.prices()
    try refusePastOptions(with: plan.prices)
    // On a terminal and in pictures one source speaks; churn decides which.
    let choosesSource =
      plan.prices?.planned.isEmpty != false && (format == .table || !format.isOfRows)
      && !sources.allSources && command.settings.list(.source).isEmpty
    if choosesSource { plan.views = [[]] }
    plan.readsFinance = false
    plan.sources.formIntersection([.receipts, .subscribers])
    try command.refuseInput(as: output.output)
    let result = try command.run(plan)
    var reasons = try command.reasons(result)
    guard result.hasUsableInput else {
      let needed = NeededInput([.receipts, .subscribers])
      command.console.noInput(needed, for: "price-impact", result)
      return try command.exit(reasons.union([.unusableInput]))
    }
    try command.obeyStrict("price-impact", reasons)
    let months = increases.last.flatMap(result.lastCompleteMonths)
    let all = try command.making { self.tables(result, views, months) }
    let source = choosesSource ? result.source(showing: all) : nil
    let tables = all.map { table in
      source.map { one in table.filtered("source") { $0 == one.rawValue } } ?? table
    }
    if let source, tables != all {
      command.console.note("note: from \(source.rawValue); --all-sources shows the others")
    }
    for line in result.instalmentNotes { command.console.note("note: \(line)") }
    if result.planReport == nil { noteChanges(result, command.console) }
    if let months {
      command.console.note("note: only increases of \(result.text(months))")
    }
    let out = TableOutput(command, format, shape, path: output.output)
    let isPlan = result.planTable != nil
    let answer =
      isPlan || months != nil ? [] : try answer(result, source, width: out.width)
    var page = page(tables, result, source)
    page.sentence = MarkdownText.escaped(answer.joined(separator: " "))
    let failures = try out.print(
      tables, answer: format == .table ? answer : [], important: isPlan ? nil : mainColumns,
      page: page)
    reasons.formUnion(failures)
    try command.exit(reasons)
  }

  /// Returns the answer above the increases of the source that speaks, on a terminal.
  private func answer(_ result: RunResult, _ source: Source?, width: Int?) throws -> [String] {
    guard let source, let month = result.lastCompleteMonth() else { return [] }
    let churn = try result.tableMaker().table(.churn, view: 0)
    return AnswerLines(result, [.churn: [churn]], nil, month: month, source: source)
      .lines(width: width)
  }

  /// Refuses options about past increases with planned prices, which have no row of the past.
  private func refusePastOptions(with prices: PricePlan?) throws(UsageError) {
    guard prices?.planned.isEmpty == false else { return }
    if increases.last != nil {
      throw UsageError(
        "--last chooses increases of past months; leave it out with planned prices (--plan)")
    }
    if let against = comparison.against {
      throw UsageError(
        "--against \(against): planned prices (--plan) have no earlier row; leave one of them out")
    }
  }

  /// Returns the words and figures around the tables.
  private func page(
    _ tables: [ReportTable], _ result: RunResult, _ source: Source?
  ) -> TablePage {
    let figures = tables.first.map(TableFigures.ofIncreases)
    return TablePage(
      title: result.planTable == nil ? "Price increases" : "Planned prices",
      limits: result.limits(from: source),
      figures: figures ?? TableFigures.empty)
  }

  /// Returns the tables, with the increases of some months if they are given.
  private func tables(
    _ result: RunResult, _ views: [ImpactView], _ months: ClosedRange<Month>?
  ) -> [ReportTable] {
    if let plan = result.planTable { return [plan] }
    let maker = result.priceTableMaker
    return views.map { view in
      let all = maker.impactTable(view: view)
      // Earlier increases are kept until they have been compared with.
      let system = result.plan.monthSystem
      let table = comparison.earlier.map { all.addingChangesOfIncreases($0, system) } ?? all
      guard let months else { return table }
      return table.filtered("effective") { text in
        Day(text).map { months.contains(system.month(of: $0)) } ?? false
      }
    }
  }

  /// Prints which price changes have no row.
  private func noteChanges(_ result: RunResult, _ console: Console) {
    let changes = result.prices.flatMap(\.changes).filter(\.isAdmitted)
    let others = changes.filter { $0.kind != .increase }
    if others.count == changes.count { console.note("note: \(result.noIncreaseNote)") }
    guard !others.isEmpty else { return }
    let counts = PriceChange.Kind.allCases.compactMap { kind -> String? in
      let count = others.count { $0.kind == kind }
      return count == 0 ? nil : "\(count) \(kind.rawValue)"
    }
    console.note(
      "note: other changes of prices: \(counts.joined(separator: ", ")); report lists them in price_changes.csv"
    )
  }
}

/// The option that splits the rows of price increases; views of the config file are for other tables.
struct ImpactViewOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Split each row by start_month, tenure or offer; repeat for more tables.", valueName: "dim"),
    completion: .list(ImpactView.allCases.filter { $0 != .whole }.map(\.rawValue)))
  var by: [String] = []

  /// Returns the requested views, else the whole.
  func chosen() throws(UsageError) -> [ImpactView] {
    var views: [ImpactView] = []
    for text in by {
      guard let view = ImpactView(rawValue: text), view != .whole else {
        let names = ImpactView.allCases.filter { $0 != .whole }.map(\.rawValue)
        throw UsageError(
          "--by \(text): price-impact knows no such view; \(Nearest.advice(text, among: names))")
      }
      if !views.contains(view) { views.append(view) }
    }
    return views.isEmpty ? [.whole] : views
  }
}

/// The option for the months of price increases.
struct IncreaseMonthOptions: ParsableArguments {
  @Option(.last) var last: Int?

  func validate() throws { try MonthOptions.validate(last: last) }
}

// MARK: Explanations

extension ExplainCommand {
  /// Prints the renewals that a cell or a row of `price_impact.csv` counts.
  func printImpact() throws {
    let settings = try settings()
    let question = try impactQuestion(settings)
    try answer { plan, _ in
      plan = self.plan([[]], question.source, plan)
      plan.prices = try settings.prices()
      plan.prices?.planned = []
    } missing: { result, command in
      guard result.charges == nil, result.receipts == nil else { return false }
      command.console.noInput(NeededInput([question.source]), for: "explain", result)
      return true
    } explaining: { result, command in
      try ending(result.priceTableMaker.impacts().isEmpty ? ": \(result.noIncreaseNote)" : "") {
        try command.making { try Explanation(question, result, listing(command)) }
      }
    }
  }

  /// Refuses stated increases for a number that does not depend on them.
  func refusePriceChanges() throws(UsageError) {
    // A story names the cells of price increases too.
    let table = ExplainedTable.priceImpact
    let isAsked = asked.subscription != nil || cell.map(table.isAsked) == true
    guard let file = prices.priceChanges, !isAsked else { return }
    throw UsageError(
      "--price-changes \(file): only numbers of \(table.name) depend on it; leave it out")
  }

  /// Reads the question, and refuses options that choose nothing for it.
  private func impactQuestion(_ settings: Settings) throws(UsageError) -> Question {
    let (own, table) = (ExplainedTable.priceImpact, ExplainedTable.priceImpact.name)
    let sources = try sources(settings)
    guard own.sources.contains(where: sources.contains) else {
      throw UsageError(
        "\(settings.origin(.source)): \(table) has rows of subscribers and receipts; use --source subscribers or --source receipts"
      )
    }
    if let month = asked.month {
      throw UsageError(
        "--month \(month): \(table) has a row for each increase; choose one with --where effective=…"
      )
    }
    if let against = asked.against {
      throw UsageError("--against \(against): \(table) compares the months around an increase")
    }
    return try question(about: own, from: sources)
  }
}
