import ArgumentParser

/// The options for files of known price changes and planned prices.
struct PriceOptions: SettingOptions {
  @Option(.priceChanges) var priceChanges: String?
  @Option(.plan) var plan: String?
}

/// The option for a file of known price changes.
struct KnownPriceOptions: SettingOptions {
  @Option(.priceChanges) var priceChanges: String?
}
