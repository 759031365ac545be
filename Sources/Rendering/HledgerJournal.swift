package import Counting
package import Settlement

/// Prints journal entries in hledger's plain text format.
///
/// Accounts and commodities are declared, so that `hledger check --strict` passes.
package enum HledgerJournal {
  /// Returns a journal; notes at its beginning name missing entries.
  package static func text(
    _ transactions: [JournalTransaction], _ names: Names, notes: [String] = []
  ) -> String {
    let postings = transactions.flatMap(\.postings)
    let currencies = postings.map(\.currency) + postings.compactMap(\.cost?.currency)
    let commodities = Set(currencies.map(names.text)).sorted().map { "commodity 1000.000 \($0)\n" }
    let accounts = Set(postings.map(\.account)).sorted().map { "account \($0)\n" }
    return (notes.map { "; \($0)\n" } + commodities + accounts).joined()
      + transactions.map { transaction in
        "\n\(transaction.day) \(transaction.title)\n"
          + transaction.postings.map { line($0, names) }.joined()
      }.joined()
  }

  private static func line(_ posting: JournalTransaction.Posting, _ names: Names) -> String {
    let amount = { (milliunits: Int128, currency: String) in
      "\(NumberStyle.money(milliunits: milliunits)) \(currency)"
    }
    let cost = posting.cost.map { " @@ \(amount($0.milliunits, names.text($0.currency)))" } ?? ""
    return """
          \(posting.account)  \(amount(posting.milliunits, names.text(posting.currency)))\(cost)  \
      ; step: \(posting.step)

      """
  }
}
