import ArgumentParser

// Groups are small and not nested: ArgumentParser takes three times as long for each level.

/// The inputs to read.
struct InputOptions: SettingOptions {
  @Argument(.inputs) var inputs: [String] = []
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
