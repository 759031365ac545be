import ArgumentParser

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
