import Counting
import Pipeline
import Rendering
import Settlement
import Storage
import SubscriptionModel
package import Tables

/// The amount that Apple owes for one period, region and currency, and what became of it; of several vendors, a part of
/// it for each state.
///
/// An amount below Apple's threshold is not paid: it is a part of what Apple owes for the next period. So one sum of money
/// may be in the amounts owed of several periods.
struct AmountOwed {
  enum State: String {
    case paid
    /// Apple has not paid it yet, by the payments CSV.
    case due
    /// Apple does not pay it for this period.
    case carriedOver = "carried over"
    case nothingOwed = "nothing owed"
    /// There is no payments CSV, or a row of it was rejected.
    case unknown
  }

  let bridge: Bridge
  let payment: Bridge.Entry
  /// The amount in milliunits; `nil` if it is not known.
  let owed: Int128?
  let state: State
  /// The later period whose amount owed contains this one; `nil` if none is known.
  let carriedTo: FiscalPeriod?
  /// The balance that ``carriedTo`` has, in milliunits; `nil` if none is known.
  let carried: Int128?
  /// Whether only a later payments CSV says that the amount is carried over: the period's own is older than its payment.
  let isMoved: Bool
  /// Whether a later payments CSV lists the region and currency without this amount, although it was not paid.
  let isLost: Bool
  /// Whether a later period is paid already, so that the payments CSV of this one is older than its payment.
  let isOutdated: Bool

  /// The part of the amount that is paid, in milliunits of the same currency; `nil` if it is not known.
  var paid: Int128? {
    switch state {
    case .paid: owed
    case .carriedOver, .nothingOwed: 0
    case .due, .unknown: nil
    }
  }

  /// Whether Apple still has to pay the amount, as far as the files say; each sum of money is in one such amount.
  var isToCome: Bool {
    (state == .due || state == .carriedOver) && carriedTo == nil && !isLost
  }

  /// Creates an amount from the line about its payment and the next bridge of its place in a payments CSV.
  init(_ bridge: Bridge, _ payment: Bridge.Entry, next: Bridge?) {
    (self.bridge, self.payment) = (bridge, payment)
    let owed = bridge.amount(of: .totalOwed).map { payment.owed ?? $0 }
    self.owed = owed
    let carried = next?.amount(of: .carriedBalance)
    // A later payments CSV may say that an amount was not paid after all.
    let isMoved = !payment.isPaid && (carried ?? 0) != 0
    let state: State =
      owed == nil
      ? .unknown
      : owed == 0
        ? .nothingOwed
        : payment.isCarriedOver || isMoved ? .carriedOver : payment.isPaid ? .paid : .due
    self.state = state
    let isCarried = state == .carriedOver && (carried ?? 0) != 0
    carriedTo = isCarried ? next?.period : nil
    self.carried = isCarried ? carried : nil
    self.isMoved = isCarried && !payment.isCarriedOver
    isLost = state == .carriedOver && carried == 0
    isOutdated = state == .due && next?.entries(of: .payment).contains(where: \.isPaid) == true
  }
}

extension FinanceReport {
  /// Returns the cause of a line for readers, with what becomes of an unpaid amount: `carried over: below threshold`.
  func causeText(_ entry: Bridge.Entry, _ bridge: Bridge) -> String {
    let isOwed = bridge.amount(of: .totalOwed).map { $0 != 0 } == true
    if entry.status == .estimate, entry.cause == Bridge.notPaidYet {
      return "\(entry.cause): Apple's estimate"
    }
    guard entry.isCarriedOver, isOwed else { return entry.cause }
    let isLost = amountsOwed.first { $0.bridge == bridge }?.isLost == true
    return "\(isLost ? "not paid" : "carried over"): \(entry.cause)"
  }

  var amountsOwed: [AmountOwed] {
    let places = Dictionary(grouping: reconciliation.bridges, by: name)
    return reconciliation.bridges.flatMap { bridge in
      let next = places[name(bridge)]?.filter { $0.period > bridge.period && $0.isListed }
        .min { $0.period < $1.period }
      return bridge.entries(of: .payment).map { AmountOwed(bridge, $0, next: next) }
    }
  }
}

extension Bridge {
  /// Tax, adjustments and the balance of earlier periods, which lead from the settlement to the amount owed; `nil` if not
  /// known.
  var balanceAndTax: Int128? {
    let lines: [Line] = [.inputTax, .adjustments, .withholdingTax, .carriedBalance]
    let amounts = lines.map { amount(of: $0) }
    return amounts.contains(nil) ? nil : amounts.compactMap(\.self).reduce(0, +)
  }

  /// Whether the period's payments CSV has a row of the region and currency.
  fileprivate var isListed: Bool {
    entries(of: .totalOwed).contains { $0.amount != nil && $0.cause != Self.notInPayments }
  }
}

/// What Apple owes, has paid and still has to pay.
extension FinanceReport {
  /// Returns `payments_due.csv`: the amount that Apple owes for each period, region and currency, its day, and the amount
  /// paid.
  ///
  /// `paid` is in the currency of the region, like `owed`: Apple pays the whole amount or carries it over. Example:
  /// 66.21 USD below the threshold are owed, with 0.00 paid and the state `carried over`.
  package func dueTable() -> ReportTable {
    ReportTable(
      name: "payments_due", dimensions: [],
      columns: ["period", "region", "currency", "expected_date"].map { .init($0, .key) }
        + [.init("owed", .money), .init("paid", .money), .init("state", .text)],
      rows: amountsOwed.map { amount in
        let bridge = amount.bridge
        return [
          .text(bridge.period.description), .text(bridge.region),
          .text(names.text(bridge.currency)),
          .text(bridge.period.expectedPaymentDay.description), .amount(amount.owed),
          .amount(amount.paid), .text(amount.state.rawValue),
        ]
      })
  }

  // MARK: Amounts to come

  private var amountsToCome: [AmountOwed] {
    let code = { (amount: AmountOwed) in self.names.text(amount.bridge.currency) }
    return amountsOwed.filter(\.isToCome).sorted { left, right in
      (code(left), left.bridge.period, left.bridge.region)
        < (code(right), right.bridge.period, right.bridge.region)
    }
  }

  /// The balances carried over, compared with the unpaid amounts before.
  var carriedBalances: [CarriedBalance] { reconciliation.carriedBalances(tolerance: tolerance) }

  /// Returns the sum of each bank currency in Markdown, such as `13.45 USD`.
  func bankAmounts(_ payments: [Bridge.Entry]) -> [String] {
    sums(
      payments.compactMap { entry in
        entry.amount.flatMap { amount in entry.bankCurrency.map { ($0, amount) } }
      })
  }

  private func sums(_ amounts: [(currency: Symbol, milliunits: Int128)]) -> [String] {
    let own = amounts.map { (names.text($0.currency), $0.milliunits) }
    return Dictionary(own, uniquingKeysWith: +).sorted { $0.key.precedes($1.key) }.map {
      "\(NumberStyle.amount(milliunits: $1, currency: $0)) \(MarkdownText.escaped($0))"
    }
  }

  /// Apple's estimate of the payments to the bank among some amounts, such as `13.45 USD`; `nil` without any.
  private func estimate(_ amounts: [AmountOwed]) -> String? {
    let texts = bankAmounts(
      amounts.filter { $0.state == .due }.map(\.payment).filter { $0.status == .estimate })
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }

  // MARK: Sentences

  /// The last period up to which all that was owed is paid or carried over, by the payments CSVs; `nil` if there is none.
  private var paidUntil: FiscalPeriod? {
    let all = Dictionary(grouping: amountsOwed, by: \.bridge.period)
    let failed = carriedBalances.filter { $0.state == .failed }
    let paid = periods.prefix { period in
      let isSettled = all[period, default: []].allSatisfy {
        $0.state != .due && $0.state != .unknown && !$0.isLost
      }
      return isSettled && wrongPayouts(period).isEmpty
        && !failed.contains { $0.period == period + 1 }
    }
    return paid.last
  }

  /// Up to which period everything that was owed is paid or carried over; `nil` if there is none.
  var paidSentence: String? {
    paidUntil.map { "Everything owed up to \($0) was paid or carried over, by the payments CSVs." }
  }

  /// The period of the newest payment in the files, and what the later dates are; `nil` without an amount to come.
  ///
  /// No day of a run is known, so nothing is called overdue.
  private var asOf: String? {
    guard amountsToCome.contains(where: { $0.state == .due }) else { return nil }
    let paid = records.payments.filter { !$0.isPending }.map(\.period).max()
    let plan = "are Apple's plan, and the files do not say what came since"
    guard let paid else { return "No payments CSV has a payment yet; the dates \(plan)." }
    return
      "The payments CSVs have payments up to that of \(paid), planned for \(PageText.day(paid.expectedPaymentDay)); later dates \(plan)."
  }

  /// The number of currencies with their sum in a sentence.
  private static let shownSums = 10

  /// Returns the amounts to come of each currency, the periods without a payments CSV, and how to read the amounts owed,
  /// in Markdown.
  package func dueSentences() -> [String] {
    let all = amountsOwed
    let sums = [sum(amountsToCome), asOf, reading(all)].compactMap(\.self)
    return sums + unknown(all) + lost(all)
  }

  /// Returns the sums of the amounts to come; `nil` without a payments CSV.
  private func sum(_ amounts: [AmountOwed]) -> String? {
    guard !amounts.isEmpty else {
      let isKnown = amountsOwed.contains { $0.owed != nil }
      return isKnown ? "**Still to come:** nothing of the periods with a payments CSV." : nil
    }
    let later = amounts.filter { $0.state == .carriedOver }
    var withoutDate = ""
    if later.count == amounts.count {
      withoutDate = " It has no date yet: Apple carries it over."
    } else if !later.isEmpty {
      withoutDate = " Of it without a date, because Apple carries it over: \(sums(later))."
    }
    let estimate = estimate(amounts).map {
      " By Apple's estimate the bank gets \($0) for what is due."
    }
    return
      "**Still to come**, by the payments CSVs: \(sums(amounts)).\(estimate ?? "")\(withoutDate)"
  }

  /// Returns the sum of each currency, such as `153.47 AUD, 28,710 JPY`.
  private func sums(_ amounts: [AmountOwed]) -> String {
    let texts = self.sums(amounts.map { ($0.bridge.currency, $0.owed ?? 0) })
    let more = texts.count - Self.shownSums
    return texts.prefix(Self.shownSums).joined(separator: ", ")
      + (more > 0 ? " and \(counted(more, "amount")) in other currencies" : "")
  }

  /// Returns how to read the amounts owed; `nil` where none is carried over.
  private func reading(_ amounts: [AmountOwed]) -> String? {
    guard amounts.contains(where: { $0.state == .carriedOver }) else { return nil }
    return
      "What Apple does not pay, such as an amount below its threshold, is carried over and is a part of `owed` of the next period too: do not add up `owed` of several periods."
  }

  private func unknown(_ amounts: [AmountOwed]) -> [String] {
    let unknown = amounts.filter { $0.state == .unknown }
    guard !unknown.isEmpty else { return [] }
    let causes = unknown.compactMap { $0.bridge.entries(of: .totalOwed).first?.cause }.unique
    let periods = unknown.map(\.bridge.period.description).unique.listed()
    return ["Not known for \(periods): \(MarkdownText.escaped(causes.listed()))."]
  }

  private func lost(_ amounts: [AmountOwed]) -> [String] {
    let lost = amounts.filter(\.isLost).map { amount in
      "\(sums([amount])) of \(amount.bridge.period) \(amount.bridge.region)"
    }
    guard !lost.isEmpty else { return [] }
    return [
      "Not known whether it is still to come, because the next payments CSV does not carry it over: \(lost.listed())."
    ]
  }
}
