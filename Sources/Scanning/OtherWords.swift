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

  private static let meanings = [
    "active": "movement", "arr": "proceeds", "attrition": "churn", "bank": "reconcile",
    "bridge": "reconcile", "cancellations": "churn", "cohort": "retention",
    "cohorts": "retention", "compare": "drivers", "dashboard": "report",
    "definitions": "metrics", "due": "payments_due", "payments_due": "reconcile", "files": "health",
    "income": "proceeds",
    "invoice": "reconcile", "invoices": "reconcile", "ltv": "retention", "mrr": "proceeds",
    "owed": "payments_due", "payments": "reconcile", "payout": "reconcile",
    "payouts": "reconcile", "reconciliation": "reconcile", "revenue": "proceeds",
    "settings": "config", "stats": "report", "summary": "report", "settlement": "reconcile",
    "settlements": "reconcile",
    "subscribers": "movement", "subscription": "explain", "tax": "reconcile",
    "taxes": "reconcile", "validate": "check", "verdict": "verdicts", "verdicts": "reconcile",
    "version": "--version", "why": "drivers",
  ]
}
