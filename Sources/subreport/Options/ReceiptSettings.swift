import ArgumentParser
import Pipeline
import Receipts
import Scanning
import Storage
import SubscriptionModel

extension Settings {
  /// Returns the settings for reading receipts.
  ///
  /// - Throws: `UsageError` for an invalid value, `InputFailure` or `InputError` for a file that cannot be used.
  func receiptPlan() throws -> ReceiptPlan {
    var plan = ReceiptPlan()
    plan.environment = try environment()
    plan.groups = Dictionary(
      uniqueKeysWithValues: entries(.groups).map { (ExactText($0.key), $0.value.text) })
    plan.durations = try terms()
    plan.columns = try columns()
    plan.asOf = try asOfInstant()
    if let path = text(.identities) {
      plan.identities = try optionFiles.table(
        path, columns: IdentitiesFile.forms, IdentitiesFile.read)
    }
    if try flag(.verify) { plan.roots = try roots() }
    return plan
  }

  /// Checks the values that can be checked without reading a file.
  func validateReceipts() throws(UsageError) {
    _ = try environment()
    _ = try terms()
    _ = try columns()
    if try flag(.verify), list(.rootCertificate).isEmpty {
      throw UsageError(
        "\(origin(.verify)) needs --root-certificate, the root that signatures lead to"
      )
    }
  }

  private func environment() throws(UsageError) -> ReceiptPlan.Environment {
    let text = text(.environment) ?? SettingKey.environment.setting.unset
    return try value("environment", text, .environment)
  }

  private func columns() throws(UsageError) -> ReceiptColumns? {
    let entries = entries(.receiptColumns)
    guard !entries.isEmpty else { return nil }
    var headers: [ReceiptColumns.Field: String] = [:]
    for (name, header) in entries {
      guard let field = ReceiptColumns.Field(rawValue: name) else {
        let known = ReceiptColumns.Field.allCases.map(\.rawValue)
        let advice = Nearest.advice(name, among: known)
        throw UsageError("\(header.place): [receipts.columns]: no column \"\(name)\"; \(advice)")
      }
      headers[field] = header.text
    }
    return ReceiptColumns(headers)
  }

  private func terms() throws(UsageError) -> [ExactText: Term] {
    try table(.durations, of: "duration", use: "one such as 7 Days or 1 Month") { Term($0) }
  }

  private func roots() throws -> RootCertificates {
    var roots = RootCertificates()
    for path in list(.rootCertificate) {
      let bytes = try optionFiles.bytes(path, expecting: "a DER certificate")
      do {
        try roots.add(bytes)
      } catch {
        throw InputFailure("\(path): error: \(error.message) [bad-certificate]")
      }
    }
    return roots
  }
}
