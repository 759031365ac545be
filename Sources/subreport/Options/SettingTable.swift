import Pipeline
import Rendering
import SubscriptionModel
import Tables

extension Setting {
  /// The table of settings.
  ///
  /// Flags, `config`, help, completions, messages, the manual page and docs/settings.md come from
  /// it.
  static let table: [SettingKey: Setting] = {
    let parts: KeyValuePairs<Heading, [SettingKey: Setting]> = [
      .rows: months, .rows: selection, .output: output, .output: shape,
      .strictness: strictness,
      .receipts: receipts, .prices: prices, .finance: finance, .running: running,
    ]
    var table: [SettingKey: Setting] = [:]
    for (heading, settings) in parts {
      for (key, var setting) in settings {
        setting.heading = heading
        table[key] = setting
      }
    }
    return table
  }()

  private static let counting = CommandName.counting
  private static let selecting = counting.union([.explain])
  private static let totals = CommandName.tables.union([.report, .config])
  private static let converting = totals.union(CommandName.answers)
  private static let withStarts: Set<CommandName> = [.retention, .lifetime]
  private static let withMonths = CommandName.tables.subtracting(withStarts).union([.reconcile])
  private static let withReceipts = selecting.union(CommandName.customers)
  private static let withGroups = selecting.union([.timeline, .chains, .eligibility])
  private static let settlement: Set<CommandName> = [
    .report, .digest, .mcp, .reconcile, .check, .config,
  ]
  private static let settlementFiles = settlement.union([.explain])
  private static let printed = CommandName.tables.union(CommandName.customers).union([
    .drivers, .explain, .priceImpact, .reconcile,
  ])
  private static let named = CommandName.customers.union([.explain])
  private static let increases: Set<CommandName> = [.report, .mcp, .priceImpact, .config]

  private static let months: [SettingKey: Setting] = [
    .month: Setting(
      says:
        "One month: 2026-10, a fiscal period such as FY2026-P05, or last, the last complete one.",
      commands: withMonths.union([.drivers, .explain]), place: .commandLine),
    .from: Setting(
      says: "The first month, or a day in it; for retention and lifetime of the start.",
      commands: withMonths.union(withStarts), value: "date",
      place: .commandLine),
    .to: Setting(
      says: "The last month, or a day in it; for retention and lifetime of the start.",
      commands: withMonths.union(withStarts), value: "date",
      place: .commandLine),
    .last: Setting(
      says:
        "This many months, up to the last complete one; of retention and lifetime those of the start, of price-impact of the increase.",
      commands: withMonths.union(withStarts).union([.priceImpact, .drivers]), shape: .whole,
      value: "n",
      place: .commandLine),
    .allMonths: Setting(
      says: "All months.", commands: CommandName.tables.union([.reconcile]), shape: .flag,
      place: .commandLine),
    .against: Setting(
      says:
        "Compare with the month before (previous) or the same month a year before (year); drivers take any other month too. Retention: start months; price-impact: the increase before.",
      commands: CommandName.tables.union([.drivers, .explain, .priceImpact, .reconcile]),
      value: "month",
      place: .commandLine),
    .asOf: Setting(
      says: "Ignore everything after this day, such as 2026-09-30.", value: "date",
      decidesNumbers: true),
    .fiscal: Setting(
      says: "Months are the periods of Apple's fiscal calendar, such as FY2026-P03.",
      commands: selecting, shape: .flag, unset: "false", decidesNumbers: true),
  ]

  private static let selection: [SettingKey: Setting] = [
    .inputs: Setting(
      says:
        "Files, folders and zip archives to read; - is standard input. Without any: those of subreport.toml.",
      shape: .list, value: "input"),
    .by: Setting(
      says: "Split into rows by one or more dimensions, joined by commas",
      commands: counting.union([.reconcile]).subtracting([.digest]), shape: .list,
      unset:
        "none; for report and mcp: start_month, product, country, offer and, of several apps, app",
      words: Dimension.allCases.map(\.rawValue), value: SettingKey.dimensions,
      decidesNumbers: true),
    .source: Setting(
      says: "Only these sources", commands: selecting, shape: .list,
      unset: "all that the inputs allow", words: Source.allCases.map(\.rawValue).sorted(),
      decidesNumbers: true),
    .allSources: Setting(
      says: "All sources; without it a terminal shows the one that answers best.",
      commands: CommandName.tables.union([.drivers, .priceImpact]), shape: .flag,
      place: .commandLine),
    .primary: Setting(
      says: "The source of active subscriptions and churn in headlines and drivers",
      commands: CommandName.answers.union([.report, .drivers, .config]),
      unset: "the one that the kinds of report decide",
      words: HeadlineMaker.possibleSources.map(\.rawValue), value: "source",
      decidesNumbers: true),
    .app: Setting(
      says: "Only these apps, by Apple ID or name.", commands: withGroups, shape: .list,
      decidesNumbers: true),
    .group: Setting(
      says: "Only these subscription groups, by id.", commands: withGroups, shape: .list,
      decidesNumbers: true),
    .product: Setting(
      says: "Only these products, by Apple ID or name.", commands: selecting.union([.timeline]),
      shape: .list, decidesNumbers: true),
    .country: Setting(
      says: "Only these storefronts, by 2-letter code.", commands: selecting, shape: .list,
      decidesNumbers: true),
    .vendor: Setting(
      says: "Only files of these vendor numbers.", commands: selecting.union([.reconcile]),
      shape: .list, value: "number", decidesNumbers: true),
    .billingPlan: Setting(
      says: "Only these billing plans of products of one year", commands: selecting, shape: .list,
      words: BillingPlan.allCases.map(\.name), value: "plan", decidesNumbers: true),
    .contingent: Setting(
      says: "Only prices that another subscription makes cheaper", commands: selecting,
      shape: .list, words: ["yes", "no", "unknown"], value: "answer", decidesNumbers: true),
    .content: Setting(
      says: "What was published: a CSV file id,published with optional app,group,product.",
      commands: [.access], value: "file", place: .commandLine),
  ]

  private static let output: [SettingKey: Setting] = [
    .title: Setting(
      says: "The title of the page", commands: [.report, .digest, .config],
      unset: "the names of the apps", value: "text"),
    .format: Setting(
      says: "How to print (-f json is also --json)",
      commands: CommandName.printing.union([.digest]),
      unset: "table on a terminal, else csv",
      words: OutputFormat.allCases.map(\.rawValue), letter: "f"),
    .delimiter: Setting(
      says: "The mark between the cells of CSV, such as ';', or the word tab.",
      commands: CommandName.printing, unset: ",", value: "character"),
    .decimal: Setting(
      says: "The mark before the decimals of CSV", commands: CommandName.printing, unset: ".",
      words: [".", ","], value: "mark"),
    .output: Setting(
      says: "The file to write; for report the folder, which is replaced as a whole.",
      commands: CommandName.printing.union([.report]), value: "path", letter: "o"),
    .export: Setting(
      says: "Print journal entries: for hledger, or as CSV.", commands: [.reconcile], value: "form",
      place: .commandLine),
    .force: Setting(
      says:
        "Replace an output folder that holds other files, which are removed, and a file of --sqlite, --xlsx or --openmetrics that another program wrote.",
      commands: [.report], shape: .flag, place: .commandLine),
    .brief: Setting(
      says: "Print the answer in a few lines on standard output, for a mail or a chat message.",
      commands: [.report], shape: .flag, place: .commandLine),
    .changes: Setting(
      says: "The file for differences from the last run of report",
      commands: [.report, .config], value: "file", needs: .cache),
    .ledger: Setting(
      says:
        "The file that keeps what each run of report said, one line a run; changes.csv then lists the changes.",
      commands: [.report, .digest, .explain, .config], value: "file"),
    .evidence: Setting(
      says:
        "Also write evidence/TABLE.csv.gz: what the numbers of the headline month are made of, with lines of your files, which hold ids.",
      commands: [.report, .config], shape: .flag, unset: "false", decidesNumbers: true),
    .sqlite: Setting(
      says: "Also write all tables into this SQLite database, which is replaced as a whole.",
      commands: [.report, .config], value: "file"),
    .xlsx: Setting(
      says: "Also write all tables into this workbook, a sheet for each.",
      commands: [.report, .config], value: "file"),
    .openmetrics: Setting(
      says:
        "A file for monitoring with the headline numbers, missing days, age, duration and exit code, such as subreport.prom.",
      commands: [.report, .config], value: "file"),
    .noAnonymize: Setting(
      says: "Name customers by their own ids.", commands: named, shape: .flag,
      place: .commandLine),
    .anonymizeKey: Setting(
      says: "The secret for the hash that replaces customer ids; also key under [anonymize].",
      commands: named.union([.report, .mcp]), place: .stored),
    .currency: Setting(
      says: "Add columns converted to this currency, such as EUR",
      commands: converting, value: "code", needs: .rates, decidesNumbers: true),
    .rates: Setting(
      says: "Exchange rates: a CSV file date,from,to,rate.", commands: converting, value: "file"),
  ]

  private static let shape: [SettingKey: Setting] = [
    .sort: Setting(
      says:
        "Sort by a column: numbers the largest first, words from A; COLUMN:asc and COLUMN:desc choose.",
      commands: printed, value: "column", place: .commandLine),
    .top: Setting(
      says:
        "Only so many rows: the first of --sort, else those with the most subscriptions, charges or trials.",
      commands: printed, shape: .whole, value: "n", place: .commandLine),
    .columns: Setting(
      says: "Only these columns, in this order, joined by commas.", commands: printed,
      value: "column[,column]", place: .commandLine),
    .noPager: Setting(
      says: "Print a long table on a terminal at once, without PAGER.", commands: printed,
      shape: .flag, place: .commandLine),
  ]

  private static let strictness: [SettingKey: Setting] = [
    .through: Setting(
      says:
        "The day that every daily kind of report must reach, or yesterday, in Pacific Time; else the exit code is 3.",
      value: "date", decidesNumbers: true),
    .maxRejects: Setting(
      says: "How many rows may be rejected before the exit code is 1.", shape: .whole,
      unset: "0", value: "n"),
    .strict: Setting(
      says: "Write nothing when a file or row is bad or a day is missing.", shape: .flag,
      unset: "false"),
    .failIf: Setting(
      says: "Exit with 1 when this holds in the last complete month, such as 'churn_rate>0.08'.",
      commands: totals, shape: .list, value: "condition"),
  ]

  private static let receipts: [SettingKey: Setting] = [
    .environment: Setting(
      says: "The environment of the receipts that count", commands: withReceipts,
      unset: "production",
      words: ReceiptPlan.Environment.allCases.map(\.rawValue), value: "which",
      decidesNumbers: true),
    .identities: Setting(
      says: "Which receipts belong to one customer: a CSV file \(IdentitiesFile.forms).",
      commands: withReceipts, value: "file"),
    .verify: Setting(
      says: "Check the signatures of receipts", commands: withReceipts,
      shape: .flag, unset: "false", needs: .rootCertificate, decidesNumbers: true),
    .rootCertificate: Setting(
      says: "A certificate that signatures must lead to, a DER file.", commands: withReceipts,
      shape: .list, value: "file"),
  ]

  private static let prices: [SettingKey: Setting] = [
    .priceChanges: file(
      "Known price increases", PriceFile.changes.columns, increases.union([.explain])),
    .plan: file("Planned prices", PriceFile.plan.columns, increases),
  ]

  private static let finance: [SettingKey: Setting] = [
    .regions: file(
      "Regions of finance files, in place of Apple's", RegionsFile.columns, settlementFiles),
    .commissions: file(
      "Shares of a price that Apple pays, besides the known ones", CommissionsFile.columns,
      settlementFiles),
    .tolerance: Setting(
      says: "The largest accepted unexplained amount of a settlement, in each currency.",
      commands: settlement, unset: "0", value: "amount", decidesNumbers: true),
  ]

  private static let running: [SettingKey: Setting] = [
    .config: Setting(
      says: "A config file instead of the usual ones.", value: "file", place: .commandLine),
    .jobs: Setting(
      says: "Number of threads; each takes about 4 MiB.", shape: .whole, unset: "cores", value: "n",
      letter: "j"),
    .cache: Setting(
      says: "A folder that stores the content of files, so that the next run reads only new ones.",
      value: "dir"),
    .memory: Setting(
      says: "Memory for charges of Subscriber reports, such as 2G; the rest goes to a file.",
      unset: "no limit", value: "size"),
    .quiet: Setting(
      says: "No notes on standard error, only errors.", shape: .flag, unset: "false", letter: "q"),
    .verbose: Setting(
      says: "More notes on standard error.", shape: .flag, unset: "false", letter: "v"),
    .progress: Setting(
      says: "A progress bar on a terminal when a run takes long.", shape: .flag, unset: "true",
      negation: "No progress bar."),
    .color: Setting(
      says: "When to print in colour", unset: "auto", words: ["auto", "always", "never"],
      value: "when"),
    .logFormat: Setting(
      says: "How messages on standard error are written: json is one object a line",
      unset: "text", words: LogFormat.allCases.map(\.rawValue), value: "form"),
  ]

  /// A setting that names a CSV file.
  private static func file(
    _ what: String, _ columns: [String], _ commands: Set<CommandName>
  ) -> Setting {
    Setting(
      says: "\(what): a CSV file \(columns.joined(separator: ",")).", commands: commands,
      value: "file")
  }
}
