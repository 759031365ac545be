import ArgumentParser

/// The options of commands that print a table with a row for each customer.
struct CustomerOptions: SettingOptions {
  @OptionGroup var inputs: InputOptions
  @OptionGroup(title: "Receipts") var asOf: AsOfOptions
  @OptionGroup(title: "Receipts") var receipts: ReceiptOptions

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var naming: NamingOptions
  @OptionGroup(title: "Strictness") var strictness: StrictnessOptions
  @OptionGroup(title: "Running") var running: RunOptions

  var groups: [any SettingOptions] { [inputs, asOf, receipts, output, strictness, running] }
}

/// The options for the names of customers.
struct NamingOptions: ParsableArguments {
  @Flag(help: "Name customers by their own ids.")
  var noAnonymize = false
}
