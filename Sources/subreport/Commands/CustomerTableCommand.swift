import ArgumentParser
import Files
import Pages
import Pipeline
import Rendering
import SubscriptionModel
import Tables

/// A command that prints a table of receipts with one row per customer, chain or period.
///
/// Its rows are personal, so the table is made only on request, and names customers only with `--no-anonymize`.
protocol CustomerTableCommand: ParsableCommand, CommandOptions {
  var customers: CustomerOptions { get }
  var shape: TableOptions { get }
  func kind() throws -> CustomerTable.Kind
}

extension CustomerTableCommand {
  private var name: String { Self._commandName }

  func run() throws { try withInputFailures(printTable) }

  private func printTable() throws {
    let kind = try kind()
    let command = try RunCommand(try settings(), defaultViews: [[]], alwaysWhole: false)
    let format = try command.settings.format()
    var plan = command.plan
    plan.sources = [.receipts]
    plan.readsFinance = false
    plan.receipts.customerTable = CustomerTable(kind, naming: try naming(command.settings))
    try command.refuseInput(as: customers.output.output)
    let result = try command.run(plan)
    var reasons = try command.reasons(result)
    guard var table = result.customerTable else {
      command.console.noInput(NeededInput([.receipts]), for: name, result)
      return try command.exit(reasons.union([.unusableInput]))
    }
    table = try filtered(table, command.settings, result.plan.filters)
    if table.rows.isEmpty { command.console.note("note: no rows for these filters") }
    try command.obeyStrict(name, reasons)
    let output = TableOutput(command, format, shape, path: customers.output.output)
    let page = TablePage(
      title: name.prefix(1).uppercased() + name.dropFirst(), limits: result.narrowing ?? "")
    reasons.formUnion(try output.print([table], page: page))
    try command.exit(reasons)
  }

  /// Keeps the rows that pass the filters; a filter on a column that the table lacks is an error.
  private func filtered(
    _ table: ReportTable, _ settings: Settings, _ filters: RunPlan.Filters
  ) throws(UsageError) -> ReportTable {
    var table = table
    let byColumn: [(SettingKey, [String])] = [
      (.app, filters.apps), (.group, filters.groups), (.product, filters.products),
      (.country, filters.countries.map { $0.uppercased() }),
    ]
    for (key, values) in byColumn where !values.isEmpty {
      guard let column = table.columns.firstIndex(where: { $0.name == key.rawValue }) else {
        throw UsageError("\(settings.origin(key)): \(name) has no column \(key.rawValue)")
      }
      let admitted = Set(values.map { ReportTable.Cell.text($0) })
      table.rows = table.rows.filter { admitted.contains($0[column]) }
    }
    return table
  }

  private func naming(_ settings: Settings) throws(UsageError) -> CustomerTable.Naming {
    if customers.naming.noAnonymize { return .clear }
    if let key = settings.text(.anonymizeKey) { return .anonymous(key: key) }
    throw UsageError(
      "\(name) has rows of single customers; give --no-anonymize, or a secret in SUBREPORT_ANONYMIZE_KEY or [anonymize] key of subreport.toml"
    )
  }
}

struct Timeline: CustomerTableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Every period of every customer, from receipts, with gap, fate and reason.",
    discussion: discussion(
      """
      One row per period: customer, app, group, ownership, product, start, end, expires, kind, \
      paid, cut, refunded, refund_date, gap_before_seconds, active_period, fate, reason, price, \
      currency. Name customers with --no-anonymize, or set a secret (anonymize_key) that makes \
      them anonymous.
      """,
      HelpExample(
        "What happened to each customer, by their own ids?",
        "timeline reports --no-anonymize"),
      HelpExample(
        "As CSV in a file:",
        "timeline reports --no-anonymize -o timeline.csv")))

  @OptionGroup(.rows) var apps: AppOptions
  @OptionGroup(.rows) var products: ProductOptions
  @OptionGroup var customers: CustomerOptions
  @OptionGroup(.output) var shape: TableOptions

  func kind() -> CustomerTable.Kind { .timeline }
}

struct Chains: CustomerTableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chains",
    abstract: "Every subscription of every customer, from receipts, with its state.",
    discussion: discussion(
      """
      One row per chain, which is what one customer did in one subscription group: customer, app, \
      group, ownership, type, state, reason, as_of, first_start, last_end, start_month, \
      active_periods, covered_seconds, charges, paid_charges, lapses, refunds.
      """,
      HelpExample(
        "Which subscriptions are there, and how are they?",
        "chains reports --no-anonymize"),
      HelpExample(
        "How were they at the end of June?",
        "chains reports --no-anonymize --as-of 2026-06-30")))

  @OptionGroup(.rows) var apps: AppOptions
  @OptionGroup var customers: CustomerOptions
  @OptionGroup(.output) var shape: TableOptions

  func kind() -> CustomerTable.Kind { .chains }
}

struct Eligibility: CustomerTableCommand {
  static let configuration = CommandConfiguration(
    commandName: "eligibility",
    abstract: "Which offers each customer may have, from receipts, with the reason.",
    discussion: discussion(
      """
      One row per customer and subscription group: introductory, promotional and win-back offers, \
      each yes, no or unknown with its reason. Win-back is Apple's own verdict, where the data \
      have it.
      """,
      HelpExample(
        "Which offers may each customer have?",
        "eligibility reports --no-anonymize"),
      HelpExample(
        "For a program, one object a line:",
        "eligibility reports --no-anonymize -f jsonl")))

  @OptionGroup(.rows) var apps: AppOptions
  @OptionGroup var customers: CustomerOptions
  @OptionGroup(.output) var shape: TableOptions

  func kind() -> CustomerTable.Kind { .eligibility }
}

struct Access: CustomerTableCommand {
  static let configuration = CommandConfiguration(
    commandName: "access",
    abstract: "Which content each customer may read, from receipts.",
    discussion: discussion(
      """
      A customer may read what was published while a subscription ran, and what was the newest \
      when it began. One row per customer and item: customer, content, published, reason, \
      period_start, period_end.
      """,
      HelpExample(
        "Which issues may each customer read?",
        "access reports --content issues.csv --no-anonymize"),
      HelpExample(
        "For a program:",
        "access reports --content issues.csv --no-anonymize -f json")))

  @OptionGroup(.rows) var published: ContentOptions

  @OptionGroup var customers: CustomerOptions
  @OptionGroup(.output) var shape: TableOptions

  func kind() throws -> CustomerTable.Kind {
    .access(try OptionFiles().table(published.content, columns: "id,published", ContentFile.read))
  }
}

/// The option for what customers may read.
struct ContentOptions: ParsableArguments {
  @Option(help: SettingKey.content.setting.help, completion: SettingKey.content.setting.completion)
  var content: String
}
