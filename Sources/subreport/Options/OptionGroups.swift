import ArgumentParser

// Groups are small and not nested: ArgumentParser takes three times as long for each level.

/// The inputs to read.
struct InputOptions: SettingOptions {
  @Argument(.inputs) var inputs: [String] = []
}

/// The option that splits tables that count.
struct ViewOptions: SettingOptions {
  @Option(.by) var by: [String] = []
}

/// The options that select rows, and the kind of months; only tables that count have them.
struct SelectionOptions: SettingOptions {
  @Option(.country) var country: [String] = []
  @Option(.source) var source: [String] = []
  @Option(.billingPlan) var billingPlan: [String] = []
  @Option(.contingent) var contingent: [String] = []
  @Flag(.fiscal) var fiscal = false
}

/// The options that select apps or subscription groups.
struct AppOptions: SettingOptions {
  @Option(.app) var app: [String] = []
  @Option(.group) var group: [String] = []
}

/// The option that selects products.
struct ProductOptions: SettingOptions {
  @Option(.product) var product: [String] = []
}

/// The option that selects the files of some vendors.
struct VendorOptions: SettingOptions {
  @Option(.vendor) var vendor: [String] = []
}

/// The option that shows the rows of all sources on a terminal.
struct SourceOptions: ParsableArguments {
  @Flag(.allSources) var allSources = false
}

/// The option that ignores data after a day.
struct AsOfOptions: SettingOptions {
  @Option(.asOf) var asOf: String?
}

/// The option that chooses the headline source.
struct PrimaryOptions: SettingOptions {
  @Option(.primary) var primary: String?
}

/// The options for which receipts count, and which customer they belong to.
struct ReceiptOptions: SettingOptions {
  @Option(.environment) var environment: String?
  @Option(.identities) var identities: String?
  @Flag(.verify) var verify = false
  @Option(.rootCertificate) var rootCertificate: [String] = []
}

/// The options for files of known price changes and planned prices.
struct PriceOptions: SettingOptions {
  @Option(.priceChanges) var priceChanges: String?
  @Option(.plan) var plan: String?
}

/// The option for a file of known price changes.
struct KnownPriceOptions: SettingOptions {
  @Option(.priceChanges) var priceChanges: String?
}

/// The options for comparing finance files with sales.
struct FinanceOptions: SettingOptions {
  @Option(.regions) var regions: String?
  @Option(.commissions) var commissions: String?
  @Option(.tolerance) var tolerance: String?
}

/// The options of commands that print a table with a row for each customer.
struct CustomerOptions: SettingOptions {
  @OptionGroup var inputs: InputOptions
  @OptionGroup(.rows) var asOf: AsOfOptions
  @OptionGroup(.output) var naming: NamingOptions
  @OptionGroup(.output) var output: OutputOptions
  @OptionGroup(.strictness) var strictness: StrictnessOptions
  @OptionGroup(.receipts) var receipts: ReceiptOptions
  @OptionGroup(.running) var running: RunOptions
}

/// The options for the names of customers.
struct NamingOptions: ParsableArguments {
  @Flag(.noAnonymize) var noAnonymize = false
}

/// The options for how and where to print a table.
struct OutputOptions: SettingOptions {
  @Option(.format) var format: String?
  @Option(.output) var output: String?
  @Option(.delimiter) var delimiter: String?
  @Option(.decimal) var decimal: String?
}

/// The options for the folder of `report`.
struct ReportOutputOptions: SettingOptions {
  @Option(.output) var output: String?
  @Flag(.force) var force = false
  @Flag(.brief) var brief = false
}

/// The options for the page and for further files of `report`.
struct ChangesOptions: SettingOptions {
  @Option(.title) var title: String?
  @Option(.changes) var changes: String?
  @Option(.ledger) var ledger: String?
  @Option(.sqlite) var sqlite: String?
  @Option(.xlsx) var xlsx: String?
  @Flag(.evidence) var evidence = false
  @Option(.openmetrics) var openmetrics: String?
}

/// The option for a ledger.
struct LedgerOptions: SettingOptions {
  @Option(.ledger) var ledger: String?
}

/// The options for converting money to one currency.
struct CurrencyOptions: SettingOptions {
  @Option(.currency) var currency: String?
  @Option(.rates) var rates: String?
}

/// The options for the use of the machine, and for messages during a run.
struct RunOptions: SettingOptions {
  @Option(.config) var config: String?
  @Option(.jobs) var jobs: Int?
  @Option(.cache) var cache: String?
  @Option(.memory) var memory: String?
  @Flag(.quiet) var quiet = false
  @Flag(.verbose) var verbose = false
  @Flag(.progress) var noProgress = false
  @Option(.color) var color: String?
  @Option(.logFormat) var logFormat: String?
}

/// The options for how many faults in the inputs are tolerated, and up to which day there must be reports.
struct StrictnessOptions: SettingOptions {
  @Option(.through) var through: String?
  @Option(.maxRejects) var maxRejects: Int?
  @Flag(.strict) var strict = false
}

/// The option that makes numbers end a run with exit code 1.
struct ConditionOptions: SettingOptions {
  @Option(.failIf) var failIf: [String] = []
}
