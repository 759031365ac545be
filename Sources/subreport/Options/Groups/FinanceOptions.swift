import ArgumentParser

/// The options for comparing finance files with sales.
struct FinanceOptions: SettingOptions {
  @Option(
    help: ArgumentHelp(
      "Regions of finance files: CSV region_code,payments_name,currency,valid_from,countries.",
      valueName: "file"))
  var regions: String?

  @Option(
    help: ArgumentHelp(
      "Shares that Apple pays: CSV countries,valid_from,standard,reduced,source.",
      valueName: "file"))
  var commissions: String?

  @Option(
    help: ArgumentHelp(
      "How large an unexplained amount of a settlement may be (default: 0).", valueName: "amount"))
  var tolerance: String?

  var own: [SettingKey: [String]] {
    .init(texts: [.regions: regions, .commissions: commissions, .tolerance: tolerance])
  }
}
