import ArgumentParser

/// The options for which receipts count, and which customer they belong to.
struct ReceiptOptions: SettingOptions {
  @Option(
    help: ArgumentHelp(
      "Receipts of production (the default), sandbox or all.", valueName: "which"))
  var environment: String?

  @Option(
    help: ArgumentHelp(
      "Which receipts are one customer's: CSV customer,original_transaction_id or customer,app_account_token.",
      valueName: "file"))
  var identities: String?

  @Flag(help: "Check the signatures of receipts; needs --root-certificate.")
  var verify = false

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A certificate that signatures must lead to (DER); repeat for more.", valueName: "file"))
  var rootCertificate: [String] = []

  var own: [SettingKey: [String]] {
    .init(
      texts: [.environment: environment, .identities: identities],
      lists: [.rootCertificate: rootCertificate], switches: [.verify: verify])
  }
}
