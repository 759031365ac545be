import ArgumentParser

/// The options for converting money to one currency.
struct CurrencyOptions: SettingOptions {
  @Option(
    help: ArgumentHelp("Add columns converted to this currency; needs --rates.", valueName: "code"))
  var currency: String?

  @Option(help: ArgumentHelp("Exchange rates: CSV date,from,to,rate.", valueName: "file"))
  var rates: String?

  var own: [SettingKey: [String]] { .init(texts: [.currency: currency, .rates: rates]) }
}
