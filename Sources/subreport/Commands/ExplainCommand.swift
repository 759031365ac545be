import AppStoreReports
import ArgumentParser
import Explain
import Files
import Pages
import Pipeline
import Rendering
import Scanning
import SubscriptionModel
import Tables

struct ExplainCommand: ParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "What a number is made of: each period or refund that it counts, with its rows.",
    discussion: discussion(
      """
      Lists what a cell of a table counts: one row for each period, refund or event, with the \
      reason, its dates and the rows of the files, as FILE:LINE. The list adds up to the cell, or \
      the command fails. --where chooses the row, such as --where country=US.

      Numbers are those of Subscriber reports. --source events, --source sales and --source \
      receipts explain those of other sources. Rows of events and sales name no subscription, so \
      each of them counts by itself.

      Subscriptions are named by their first row; --no-anonymize shows ids. The named lines of the \
      files hold ids.

      --against lists what changed a number since another month, or since a run of the ledger: \
      the subscriptions that came, went or changed. Those that add the same to both are counted \
      and not listed.

      --left-out lists what belongs to the row and is not counted in the column, with the reason.

      --subscription tells what happened to one subscription: each charge and refund, what became \
      of each period, and the cells in which it counts. Name it by a subscriber id or by FILE:LINE \
      of one of its rows; with --source receipts by an original transaction id.

      --column chooses columns instead of TABLE.COLUMN: by name, or all that begin so, such as \
      --column control.

      Each column is of one kind; subreport metrics churn names those of churn. Examples:
      \(ColumnKind.legend)

      Tables of Subscriber reports: \(tables(of: .subscribers)).
      Of events: \(tables(of: .events)).
      Of sales: \(tables(of: .sales)).
      Of receipts: \(tables(of: .receipts)).

      Five more tables have rows of another form.
      \(ExplainedTable.priceImpact.name): the renewals at which subscriptions met a price \
      increase. --where product=, country= and effective= choose the increase; there is no --month.
      \(ExplainedTable.drivers.name): what a product, country, offer or start month adds to a \
      change. --where measure=, dimension= and value= choose the row.
      \(ExplainedTable.definitions.name): our number, and what each step to another tool's takes in \
      or out. --where measure=, tool=, axis= and currency= choose the row.
      \(ExplainedTable.reconcile.name): the rows of SALES, finance and payments files behind a \
      line of a settlement. --where region=, currency= and line= choose it.
      \(ExplainedTable.health.name): the rows of a file that were used, ignored or rejected. --where \
      path= names the file.
      """,
      HelpExample(
        "Who are the churned subscriptions of August?",
        "explain churn.churned reports --month 2026-08"),
      HelpExample(
        "What happened to the subscriptions of this customer?",
        "explain reports --subscription 193519231824594")))

  /// Returns the names of a source's tables that can be explained, such as `churn, renewals, movement`.
  private static func tables(of source: Source) -> String {
    ColumnMakeup.tables(from: source).map(\.rawValue).joined(separator: ", ")
  }

  /// All cells that can be explained, each once.
  private static var cells: [String] {
    (TableKind.allCases.map { ExplainedTable($0) } + ExplainedTable.others).flatMap(\.cells)
  }

  @Argument(
    help: ArgumentHelp(
      "The table, or the column of a table, such as churn.churned.", valueName: "table[.column]"),
    completion: .list(cells))
  var cell: String?

  @OptionGroup var inputs: InputOptions
  @OptionGroup(.rows) var asked: ExplainOptions
  @OptionGroup(.rows) var products: ProductOptions
  @OptionGroup(.rows) var apps: AppOptions
  @OptionGroup(.rows) var selection: ExplainSelectionOptions
  @OptionGroup(.rows) var vendors: VendorOptions
  @OptionGroup(.rows) var asOf: AsOfOptions
  @OptionGroup(.output) var naming: NamingOptions
  @OptionGroup(.output) var ledger: ExplainLedgerOptions
  @OptionGroup(.output) var output: OutputOptions
  @OptionGroup(.output) var shape: TableOptions
  @OptionGroup(.strictness) var strictness: StrictnessOptions
  @OptionGroup(.receipts) var receipts: ReceiptOptions
  @OptionGroup(.prices) var prices: KnownPriceOptions
  @OptionGroup(.finance) var finance: FinanceFileOptions
  @OptionGroup(.running) var running: RunOptions

  /// The settings in force; with `--subscription` the first word is an input too.
  func settings() throws(UsageError) -> Settings {
    var given = given
    if asked.subscription != nil, let cell { given[.inputs, default: []].insert(cell, at: 0) }
    return try Self.settings(given)
  }

  func run() throws {
    try withInputFailures {
      try refusePriceChanges()
      try refuseOtherOrders()
      if let subscription = asked.subscription { return try printStory(of: subscription) }
      let others: [(table: ExplainedTable, print: () throws -> Void)] = [
        (.priceImpact, printImpact), (.reconcile, printBridgeLine), (.health, printHealth),
        (.drivers, printDrivers), (.definitions, printDefinition),
      ]
      let other = others.first { other in cell.map(other.table.isAsked) == true }
      try (other?.print ?? printTable)()
    }
  }

  /// The order of contributions, of which `--limit` lists the first ones; `evidence` is no column.
  var order: ContributionOrder {
    if shape.sort == "evidence" { return .evidence }
    let isByValue = ["value", "value:desc"].contains(shape.sort)
    return isByValue && asked.limit != nil && !asked.leftOut ? .value : .subscription
  }

  /// Refuses `--limit` with an order in which it could not choose the rows that it lists.
  private func refuseOtherOrders() throws(UsageError) {
    guard asked.subscription == nil, asked.limit != nil, let sort = shape.sort,
      order == .subscription
    else { return }
    throw UsageError(
      "--limit lists the first rows of each column, with --sort value the largest, with --sort evidence the first in the files; with --sort \(sort) use --top"
    )
  }

  /// Reads the question; `table` is one whose rows have another form than those of facts.
  func question(
    about table: ExplainedTable? = nil, from sources: [Source] = [.subscribers]
  ) throws(UsageError) -> Question {
    guard let cell else {
      throw UsageError(
        "explain: name a table or a column, such as churn.churned, or a subscription with --subscription"
      )
    }
    let (columns, conditions) = (asked.columns, asked.allConditions)
    do throws(QuestionError) {
      guard let table else {
        return try Question(cell, columns: columns, where: conditions, from: sources)
      }
      return try Question(cell, about: table, columns: columns, where: conditions, from: sources)
    } catch {
      throw UsageError(error.message)
    }
  }

  /// Returns the sources that the number may be of: those of `--source` with explanations, else Subscriber reports.
  func sources(_ settings: Settings) throws(UsageError) -> [Source] {
    let asked = settings.list(.source)
    // An unknown word is refused with the other settings.
    guard let first = asked.first(where: { Source(rawValue: $0) != nil }) else {
      return [.subscribers]
    }
    let known = Question.sources.filter { asked.contains($0.rawValue) }
    guard known.isEmpty else { return known }
    throw UsageError(
      "\(settings.origin(.source)) \(first): explain cannot explain numbers of \(first) yet; \(Nearest.choice(Question.sources.map(\.rawValue)))"
    )
  }

  /// Prints which reports of a source are missing, and the option for those that were found; nothing without any input.
  func noteNeeded(_ source: Source, _ name: String, _ result: RunResult, _ command: RunCommand) {
    guard !result.opensNoInput else { return }
    let found = Question.sources.filter { other in
      other != source
        && result.files.contains { ($0.isReceiptDump ? .receipts : $0.kind.source) == other }
    }
    let options = found.map { "--source \($0.rawValue)" }.joined(separator: " or ")
    let hint = found.isEmpty ? "" : "; to explain others use \(options)"
    command.console.error("\(NeededInput([source]).sentence(name, result))\(hint) [no-input]")
  }

  func plan(_ views: [[Dimension]], _ source: Source, _ plan: RunPlan) -> RunPlan {
    var plan = plan
    plan.views = views
    plan.sources = [source]
    plan.readsFinance = false
    plan.keepsCharges = source == .subscribers
    plan.keepsReceipts = source == .receipts
    plan.keepsContext = source == .events || source == .sales
    return plan
  }

  /// How subscriptions are named; `nil` for the place of their first row.
  func names(_ settings: Settings) -> CustomerTable.Naming? {
    let key = settings.text(.anonymizeKey)
    return naming.noAnonymize ? .clear : key.map { .anonymous(key: $0) }
  }

  /// How contributions are listed.
  func listing(_ command: RunCommand) -> Listing {
    Listing(
      naming: names(command.settings), order: order, limit: asked.limit,
      leavingOut: asked.leftOut)
  }
}

/// `subreport explain --subscription`.
extension ExplainCommand {
  /// Prints the story of a subscription: as lines to read out, unless another format is chosen.
  func printStory(of subscription: String) throws {
    let settings = try settings()
    let asked = try sources(settings)
    guard let source = [Source.subscribers, .receipts].first(where: asked.contains) else {
      throw UsageError(
        "\(settings.origin(.source)): rows of events and sales name no subscription; a story needs subscribers or receipts"
      )
    }
    try answer(format: storyFormat) { plan, _ in
      plan = self.plan([[]], source, plan)
      // The story names the cells of price increases too.
      plan.prices = try settings.prices()
      plan.prices?.planned = []
    } missing: { result, command in
      guard result.charges == nil, result.receipts == nil else { return false }
      noteNeeded(source, "explain --subscription", result, command)
      return true
    } printing: { result, command, format in
      let naming = names(command.settings)
      let story = try command.making { try Story(of: subscription, result, naming: naming) }
      return try show(story, result, command, format)
    }
  }

  /// Returns the format of a story; `table` are the lines to read out.
  private func storyFormat(_ settings: Settings) throws -> OutputFormat {
    let isStated = try settings.statedFormat() != nil || output.output != nil
    let format = isStated ? try settings.format() : .table
    let given = [("--sort", shape.sort != nil), ("--top", shape.top != nil)]
    let shaping = (given + [("--columns", shape.columns != nil)]).first(where: \.1)
    if format == .table, let shaping {
      throw UsageError("\(shaping.0) needs a table: give a format too, such as -f csv")
    }
    return format
  }

  private func show(
    _ story: Story, _ result: RunResult, _ command: RunCommand, _ format: OutputFormat
  ) throws -> Set<ExitReason> {
    guard format == .table else {
      let out = TableOutput(command, format, shape, path: output.output)
      let page = TablePage(title: "What happened to a subscription", limits: result.limits())
      return try out.print([story.table], page: page)
    }
    let text = story.lines.map { $0 + "\n" }.joined()
    return try command.print(Array(text.utf8), to: output.output)
  }
}
