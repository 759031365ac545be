import ArgumentParser
import Pipeline
import Receipts
import Scanning
import Settlement
import Storage
import SubscriptionModel

extension Settings {
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

extension Settings {
  /// Returns the largest amount, in milliunits of each currency, that a line may have that should be 0.
  func tolerance() throws(UsageError) -> Int128 {
    let text = text(.tolerance) ?? SettingKey.tolerance.setting.unset
    guard !UsageMessage.isNegative(text) else {
      throw UsageError("\(origin(.tolerance)) \(text): it cannot be negative")
    }
    guard let milliunits = milliunits(of: text), milliunits < 1_000_000_000_000_000_000 else {
      throw UsageError("\(origin(.tolerance)) \(text): use an amount such as 0.05")
    }
    return milliunits
  }

  /// Returns the accounts of a journal, from `[accounts]` of the config file, by the names of lines.
  func journalAccounts() throws(UsageError) -> JournalAccounts {
    var names: [Bridge.Line: String] = [:]
    for (name, account) in entries(.accounts) {
      guard let line = Bridge.Line.allCases.first(where: { $0.name == name }) else {
        let known = Bridge.Line.allCases.map(\.name)
        let advice = Nearest.advice(name, among: known)
        throw UsageError("\(account.place): [accounts]: no line \"\(name)\"; \(advice)")
      }
      guard Self.isAccount(account.text) else {
        throw UsageError(
          "\(account.place): [accounts] \(name): \"\(account.text)\" is no account; use one such as assets:bank"
        )
      }
      names[line] = account.text
    }
    return JournalAccounts(names)
  }

  /// Returns whether hledger reads a text as an account name.
  ///
  /// Two blanks end a name, a semicolon begins a comment, `*` and `!` are status marks, and parentheses and
  /// brackets make postings that need not balance.
  private static func isAccount(_ text: String) -> Bool {
    guard let first = text.first, let last = text.last, first != " ", last != " " else {
      return false
    }
    let isPlain = !["  ", ";", "\t", "\n", "\r"].contains { text.contains($0) }
    return isPlain && !"([*!".contains(first)
  }
}
