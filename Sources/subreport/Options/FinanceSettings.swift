import ArgumentParser
import Pipeline
import Scanning
import Settlement

extension Settings {
  /// Returns the largest amount, in milliunits of each currency, that a line may have that should be 0.
  func tolerance() throws(UsageError) -> Int128 {
    let text = text(.tolerance) ?? SettingKey.tolerance.setting.unset
    guard !UsageMessage.isNegative(text) else {
      throw UsageError("\(origin(.tolerance)) \(text): it cannot be negative")
    }
    guard let milliunits = milliunits(of: text), milliunits < 1_000_000_000_000_000_000 else {
      throw UsageError(
        "\(origin(.tolerance)) \(text): use an amount such as 0.05")
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
