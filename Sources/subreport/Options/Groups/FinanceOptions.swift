import ArgumentParser

/// The options for comparing finance files with sales.
struct FinanceOptions: SettingOptions {
  @Option(.regions) var regions: String?
  @Option(.commissions) var commissions: String?
  @Option(.tolerance) var tolerance: String?
}
