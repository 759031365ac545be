import ArgumentParser

/// The options for files of known price changes and planned prices.
struct PriceOptions: SettingOptions {
  @Option(
    help: ArgumentHelp(
      "Price increases that are known: CSV product,country,effective,old_price,new_price,currency.",
      valueName: "file"))
  var priceChanges: String?

  @Option(
    help: ArgumentHelp(
      "Prices that are planned: CSV product,country,date,new_price,currency.", valueName: "file"))
  var plan: String?

  var own: [SettingKey: [String]] { .init(texts: [.priceChanges: priceChanges, .plan: plan]) }
}
