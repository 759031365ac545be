import ArgumentParser

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
