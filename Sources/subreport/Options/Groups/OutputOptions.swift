import ArgumentParser

/// The options for how and where to print a table.
struct OutputOptions: SettingOptions {
  @Option(.format) var format: String?
  @Option(.output) var output: String?
  @Option(.delimiter) var delimiter: String?
  @Option(.decimal) var decimal: String?
}

/// The options for the output of `report`.
struct ReportOutputOptions: SettingOptions {
  @Option(.output) var output: String?
  @Flag(.force) var force = false
  @Flag(.brief) var brief = false
  @Option(.title) var title: String?
  @Option(.changes) var changes: String?
  @Option(.ledger) var ledger: String?
  @Option(.sqlite) var sqlite: String?
  @Option(.xlsx) var xlsx: String?
  @Flag(.evidence) var evidence = false
  @Option(.openmetrics) var openmetrics: String?
}

/// The options for further files of `report`.
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
