import ArgumentParser

/// The options for which receipts count, and which customer they belong to.
struct ReceiptOptions: SettingOptions {
  @Option(.environment) var environment: String?
  @Option(.identities) var identities: String?
  @Flag(.verify) var verify = false
  @Option(.rootCertificate) var rootCertificate: [String] = []
}
