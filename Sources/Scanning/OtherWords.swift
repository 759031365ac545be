/// Words of other tools, of Apple and of accountants for a command or table of subreport.
package enum OtherWords {
  /// Returns the word that subreport has for the same, if it is one of those that fit.
  ///
  /// - Parameters:
  ///   - word: Such as `MRR`.
  ///   - words: The words that may be used there, such as the names of commands.
  /// - Returns: Such as `proceeds`; `nil` if none of them means the same.
  package static func meaning(_ word: String, among words: [String]) -> String? {
    meanings[word.lowercased()].flatMap { words.contains($0) ? $0 : nil }
  }

  /// Returns the nearest tables for a number that subreport does not have.
  ///
  /// - Parameter word: Such as `MRR`.
  /// - Returns: The end of a message; `nil` for any other word.
  package static func answer(_ word: String) -> String? { answers[word.lowercased()] }

  private static let tax =
    "no report states VAT: prices include it, proceeds do not; reconcile has the taxes of Apple's payments"
  private static let answers = [
    "vat": tax,
    "deferred":
      "there is no deferred revenue; timeline has the days of each paid period (from receipts), commitments the instalments still to come",
  ]

  private static let meanings = [
    "active": "movement", "arpu": "recurring", "arr": "recurring", "attrition": "churn",
    "bank": "reconcile",
    "bridge": "reconcile", "cancellations": "churn", "clv": "lifetime", "cltv": "lifetime",
    "cohort": "retention",
    "cohorts": "retention", "compare": "drivers", "dashboard": "report",
    "due": "payments_due", "expansion": "recurring",
    "payments_due": "reconcile", "files": "health",
    "grace": "status", "income": "proceeds", "ltv": "lifetime", "mrr": "recurring",
    "invoice": "reconcile", "invoices": "reconcile",
    "grr": "recurring", "nrr": "recurring",
    "owed": "payments_due", "payments": "reconcile", "payout": "reconcile",
    "payouts": "reconcile", "reconciliation": "reconcile", "retry": "status", "revenue": "proceeds",
    "settings": "config", "stats": "report", "summary": "report", "settlement": "reconcile",
    "settlements": "reconcile",
    "subscribers": "movement", "subscription": "explain", "tax": "reconcile",
    "taxes": "reconcile", "validate": "check", "verdict": "verdicts", "verdicts": "reconcile",
    "version": "--version", "why": "drivers",
  ]
}
