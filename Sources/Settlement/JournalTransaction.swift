package import Storage
package import SubscriptionModel

/// A balanced entry of a bridge in a double-entry journal.
///
/// A bridge has up to three: sales to settlement, settlement to the amount owed, and either the payment or the
/// balance carried over. Each posting has the amount of its line, with the accounting sign: income and decreases
/// of assets are negative.
package struct JournalTransaction: Sendable {
  /// The amount posted to one account.
  package struct Posting: Sendable {
    package let account: String
    /// The amount in milliunits.
    package let milliunits: Int128
    package let currency: Symbol
    /// The step of the bridge; `not known` for the amount that balances unknown lines.
    package let step: String
    /// The value of the amount in another currency, without a sign.
    package var cost: (milliunits: Int128, currency: Symbol)?

    /// The amount for balancing the entry: the cost, if any, with the sign of the amount.
    var value: Int128 { cost.map { milliunits < 0 ? -$0.milliunits : $0.milliunits } ?? milliunits }
  }

  /// The period's last day; for a payment or a carried balance, the expected payment day.
  package let day: Day
  /// The title, such as `Apple FY2026-P03 US USD settlement`.
  package let title: String
  /// The postings; they add up to 0.
  package let postings: [Posting]
}

/// The accounts to which the lines of a bridge are posted.
package struct JournalAccounts: Sendable {
  private var names: [Bridge.Line: String]

  /// Creates accounts; a line without a name keeps its default.
  package init(_ names: [Bridge.Line: String] = [:]) {
    self.names = Self.defaults.merging(names) { $1 }
  }

  subscript(_ line: Bridge.Line) -> String { names[line, default: line.name] }

  /// The default accounts.
  package static let defaults: [Bridge.Line: String] = [
    .salesGross: "income:apple:sales", .salesRefunds: "income:apple:refunds",
    .missingDays: "income:apple:missing days", .cutoffIn: "assets:apple:cut-off",
    .cutoffOut: "assets:apple:cut-off", .refundTiming: "assets:apple:cut-off",
    .notCollected: "expenses:apple:not collected",
    .shareDifference: "income:apple:share difference",
    .otherRegion: "assets:apple:other region", .unexplainedSales: "expenses:apple:unexplained",
    .financeShare: "assets:apple:settled", .inputTax: "liabilities:apple:input tax",
    .adjustments: "income:apple:adjustments",
    .withholdingTax: "expenses:apple:withholding tax",
    .carriedBalance: "assets:apple:carried balance",
    .unexplainedPayment: "expenses:apple:unexplained", .totalOwed: "assets:apple:owed",
    .payment: "assets:bank",
  ]
}

extension Bridge {
  /// Returns the journal entries of the bridge that have an amount.
  ///
  /// The currency's code is for the titles; `others` are all bridges with their names, such as `BR BRL`, for postings
  /// between bridges.
  package func transactions(
    _ accounts: JournalAccounts, currency: String, others: [(name: String, bridge: Bridge)] = []
  ) -> [JournalTransaction] {
    let title = "Apple \(period) \(region) \(currency)"
    let received = received(accounts, "\(region) \(currency)", others)
    let (end, payment) = (period.lastDay, period.expectedPaymentDay)
    let all = [
      (end, "settlement", closing(accounts, from: 10, to: .financeShare, received)),
      (end, "owed", closing(accounts, from: 30, to: .totalOwed)),
      (payment, "payment", paying(accounts)), (payment, "carried over", carrying(accounts)),
    ]
    return all.filter { !$2.isEmpty }.map {
      JournalTransaction(day: $0, title: "\(title) \($1)", postings: $2)
    }
  }

  /// Returns the postings of the lines from a step up to their subtotal, which is posted too; none if it is unknown.
  ///
  /// If `received` is given, it replaces the posting of line 25.
  private func closing(
    _ accounts: JournalAccounts, from step: Int, to subtotal: Line,
    _ received: [JournalTransaction.Posting]? = nil
  ) -> [JournalTransaction.Posting] {
    guard let total = amount(of: subtotal) else { return [] }
    var postings = entries.filter { (step..<subtotal.rawValue).contains($0.line.rawValue) }
      .filter { received == nil || $0.line != .otherRegion }
      .map { posting(accounts, $0.line, -($0.amount ?? 0)) }
    postings += received ?? []
    postings.append(posting(accounts, subtotal, total))
    postings.append(rest(accounts, postings))
    return postings.filter { $0.milliunits != 0 }
  }

  /// Returns the postings of line 25, money settled in another region.
  ///
  /// Money that came from another bridge is posted in that bridge's currency, at the cost in this bridge's currency, so
  /// that the account ends at 0 in both currencies.
  private func received(
    _ accounts: JournalAccounts, _ name: String, _ others: [(name: String, bridge: Bridge)]
  ) -> [JournalTransaction.Posting] {
    entries(of: .otherRegion).map { entry in
      let arrived = entry.amount ?? 0
      let other = others.first { $0.bridge.period == period && $0.name == entry.cause }?.bridge
      let left = other?.entries(of: .otherRegion).first { $0.cause == name }?.amount ?? 0
      guard let other, other.currency != currency, arrived > 0, left < 0 else {
        return posting(accounts, .otherRegion, -arrived)
      }
      return JournalTransaction.Posting(
        account: accounts[.otherRegion], milliunits: left, currency: other.currency,
        step: String(Line.otherRegion.rawValue), cost: (arrived, currency))
    }
  }

  /// Returns the postings that move unpaid amounts owed to the carried balance, which a later period pays.
  private func carrying(_ accounts: JournalAccounts) -> [JournalTransaction.Posting] {
    owedParts.filter { $0.entry.amount == nil && $0.entry.isCarriedOver }.flatMap { part in
      [posting(accounts, .carriedBalance, part.owed), posting(accounts, .totalOwed, -part.owed)]
    }
  }

  /// Returns the postings that move the amounts owed to the bank account; none for Apple's estimate.
  private func paying(_ accounts: JournalAccounts) -> [JournalTransaction.Posting] {
    owedParts.filter(\.entry.isPaid).flatMap { entry, owed in
      paying(accounts, entry.amount ?? 0, entry.bankCurrency, owed)
    }
  }

  private func paying(
    _ accounts: JournalAccounts, _ paid: Int128, _ bankCurrency: Symbol?, _ owed: Int128
  ) -> [JournalTransaction.Posting] {
    var credit = posting(accounts, .totalOwed, -owed)
    guard let bank = bankCurrency, bank != currency else {
      let postings = [posting(accounts, .payment, paid), credit]
      return (postings + [rest(accounts, postings)]).filter { $0.milliunits != 0 }
    }
    credit.cost = (abs(paid), bank)
    let payment = JournalTransaction.Posting(
      account: accounts[.payment], milliunits: paid, currency: bank, step: "60")
    return [payment, credit].filter { $0.milliunits != 0 }
  }

  /// The payments, each with the part of the amount owed that it is of.
  private var owedParts: [(entry: Entry, owed: Int128)] {
    guard let total = amount(of: .totalOwed), total != 0 else { return [] }
    return entries(of: .payment).map { ($0, $0.owed ?? total) }
  }

  private func posting(
    _ accounts: JournalAccounts, _ line: Line, _ milliunits: Int128
  ) -> JournalTransaction.Posting {
    JournalTransaction.Posting(
      account: accounts[line], milliunits: milliunits, currency: currency,
      step: String(line.rawValue))
  }

  /// Returns the posting that balances an entry: the amount that its unknown lines must have together.
  private func rest(
    _ accounts: JournalAccounts, _ postings: [JournalTransaction.Posting]
  ) -> JournalTransaction.Posting {
    JournalTransaction.Posting(
      account: accounts[.unexplainedSales],
      milliunits: -postings.map(\.value).reduce(0, +), currency: currency, step: "not known")
  }
}
