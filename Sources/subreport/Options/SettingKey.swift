/// A setting and its name in the config file.
///
/// Environment variables, keys of the config file, `subreport config` and messages about options that a command
/// does not accept come from this list; a test compares it with the help of every command.
enum SettingKey: String, CaseIterable {
  case inputs
  case output
  case by
  case source, primary
  case app, group, product, country, vendor
  case billingPlan = "billing_plan"
  case contingent
  case asOf = "as_of"
  case fiscal
  case regions, commissions
  case currency, rates
  case priceChanges = "price_changes"
  case plan
  case tolerance
  case environment, identities
  case verify
  case rootCertificate = "root_certificate"
  case anonymizeKey = "anonymize_key"
  case format
  case maxRejects = "max_rejects"
  case strict
  case failIf = "fail_if"
  case jobs
  case cache, memory
  case changes
  case quiet, verbose
  case progress
  case color

  /// How the value is written in the config file.
  enum Shape {
    case text, list, whole, flag
  }

  var shape: Shape {
    switch self {
    case .inputs, .by, .source, .app, .group, .product, .country, .vendor, .billingPlan,
      .contingent, .failIf, .rootCertificate:
      .list
    case .maxRejects, .jobs: .whole
    case .strict, .quiet, .verbose, .progress, .verify, .fiscal: .flag
    default: .text
    }
  }

  /// The option's name on the command line.
  var optionName: String {
    self == .progress ? "--no-progress" : "--" + rawValue.replacing("_", with: "-")
  }

  /// Whether the setting is an option: inputs are arguments, and a secret has no place on a command line.
  var isOption: Bool { self != .inputs && self != .anonymizeKey }

  /// The environment variable.
  var variable: String { "SUBREPORT_" + rawValue.uppercased() }

  /// The value of a setting that is not set.
  var defaultText: String {
    switch self {
    case .maxRejects, .tolerance: "0"
    case .strict, .quiet, .verbose, .verify, .fiscal: "false"
    case .environment: "production"
    case .progress: "true"
    case .color: "auto"
    case .jobs: "cores"
    case .format: "table on a terminal, else csv"
    case .by: "report: start_month, product, country, offer; single tables: none"
    case .source: "all that the inputs allow"
    case .primary: "the first whose month is not partial"
    default: ""
    }
  }

  /// The commands that print a table.
  private static let printing = CommandName.tables.union(CommandName.customers)
    .union([.drivers, .priceImpact, .reconcile, .config])

  /// The commands that use the setting; each has its option, and others refuse it.
  var commands: Set<CommandName> {
    switch self {
    case .inputs, .asOf, .maxRejects, .strict, .jobs, .cache, .memory, .quiet, .verbose, .progress,
      .color:
      Set(CommandName.allCases)
    case .by: CommandName.counting.union([.reconcile])
    case .source, .country, .billingPlan, .contingent, .fiscal: CommandName.counting
    case .app, .group: CommandName.counting.union([.timeline, .chains, .eligibility])
    case .product: CommandName.counting.union([.timeline])
    case .vendor: CommandName.counting.union([.reconcile])
    case .currency, .rates, .failIf: CommandName.tables.union([.report, .config])
    case .regions, .commissions, .tolerance: [.report, .reconcile, .check, .config]
    case .priceChanges, .plan: [.report, .priceImpact, .config]
    case .environment, .identities, .verify, .rootCertificate:
      CommandName.counting.union(CommandName.customers)
    case .anonymizeKey: CommandName.customers
    case .format: Self.printing
    case .output: Self.printing.union([.report])
    case .changes: [.report, .config]
    case .primary: [.report, .drivers, .config]
    }
  }

  /// One sentence for README and `subreport config -v`.
  var meaning: String {
    switch self {
    case .inputs: "Files and folders to read when the command line names none."
    case .output: "Where to write: a folder for report, a file for single tables."
    case .by: "Views: each item is one view of one or more dimensions, joined by commas."
    case .source: "Only these sources: events, receipts, sales, subscribers."
    case .primary: "The source of active subscriptions and churn in headlines, such as subscribers."
    case .app: "Only these apps, by Apple ID or name."
    case .group: "Only these subscription groups, by id."
    case .product: "Only these products, by Apple ID or name."
    case .country: "Only these storefronts, by 2-letter code."
    case .billingPlan: "Only this billing plan: upfront, commitment or unknown."
    case .contingent:
      "Only prices that another subscription makes cheaper (yes), or others (no, unknown)."
    case .vendor: "Only files of these vendor numbers."
    case .asOf: "Ignore everything after this day, such as 2026-09-30."
    case .fiscal: "Months are the periods of Apple's fiscal calendar, such as FY2026-P03."
    case .regions:
      "A CSV file region_code,payments_name,currency,valid_from,countries instead of Apple's regions."
    case .commissions:
      "A CSV file countries,valid_from,standard,reduced,source of shares that Apple pays, before the shipped ones."
    case .currency: "Add columns converted to this currency; needs rates."
    case .rates: "A CSV file date,from,to,rate of exchange rates."
    case .priceChanges:
      "A CSV file product,country,effective,old_price,new_price,currency of price increases that are known."
    case .plan: "A CSV file product,country,date,new_price,currency of prices that are planned."
    case .tolerance: "What an unexplained amount may be before reconciling ends with 6."
    case .environment: "Receipts of production, sandbox or all."
    case .identities:
      "A CSV file customer,original_transaction_id or customer,app_account_token that joins customers."
    case .verify: "Check the signatures of receipts; needs root_certificate."
    case .rootCertificate: "Certificates that signatures must lead to, DER files."
    case .anonymizeKey:
      "The secret that customers are made anonymous with; in the file key under [anonymize]."
    case .format: "table, csv, tsv, md, json or jsonl."
    case .maxRejects: "How many rejected rows are put up with before the exit code is 1."
    case .strict: "Write nothing when a file or row is bad or a day is missing."
    case .failIf: "Conditions on the last complete month, such as churn_rate>0.08."
    case .jobs: "How many threads."
    case .cache: "A folder that keeps what files say, so that the next run reads only new ones."
    case .changes:
      "A file for what the last run of report said and this one says otherwise; needs cache."
    case .memory:
      "How much memory charges of Subscriber reports may take, such as 2G; what is more goes to a temporary file."
    case .quiet: "No notes on standard error, only errors."
    case .verbose: "More notes on standard error."
    case .progress: "A progress bar on a terminal when a run takes long."
    case .color: "auto, always or never."
    }
  }
}
