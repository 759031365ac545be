import Counting
import Settlement
import Storage
import SubscriptionModel
import Tables

/// The amount that Apple owes for one period, region and currency, and what became of it; of several vendors, a part of
/// it for each state.
///
/// An amount below Apple's threshold is not paid: it is a part of what Apple owes for the next period. So one sum of money
/// may be in the amounts owed of several periods.
struct AmountOwed {
  /// What became of the amount.
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
  /// The line about its payment.
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

  /// Creates an amount of a bridge.
  ///
  /// - Parameters:
  ///   - bridge: The bridge.
  ///   - payment: The line about its payment.
  ///   - next: The next bridge of the region and currency that a payments CSV lists; `nil` without one.
  init(_ bridge: Bridge, _ payment: Bridge.Entry, next: Bridge?) {
    (self.bridge, self.payment) = (bridge, payment)
    let owed = bridge.amount(of: .totalOwed).map { payment.owed ?? $0 }
    self.owed = owed
    let carried = next?.amount(of: .carriedBalance)
    var state = State.unknown
    if let owed {
      let isUnpaid = !payment.isPaid
      state = owed == 0 ? .nothingOwed : isUnpaid ? .due : .paid
      // A later payments CSV may say that an amount was not paid after all.
      let isMoved = isUnpaid && (carried ?? 0) != 0
      if owed != 0, payment.isCarriedOver || isMoved { state = .carriedOver }
    }
    self.state = state
    let isCarried = state == .carriedOver && (carried ?? 0) != 0
    carriedTo = isCarried ? next?.period : nil
    self.carried = isCarried ? carried : nil
    isMoved = isCarried && !payment.isCarriedOver
    isLost = state == .carriedOver && carried == 0
    isOutdated = state == .due && next?.entries(of: .payment).contains(where: \.isPaid) == true
  }
}

extension FinanceReport {
  /// Returns the cause of a line for readers: of an amount that Apple does not pay, also what becomes of it.
  ///
  /// Such as `carried over: below threshold`.
  func causeText(_ entry: Bridge.Entry, _ bridge: Bridge) -> String {
    let isOwed = bridge.amount(of: .totalOwed).map { $0 != 0 } == true
    if entry.status == .estimate, entry.cause == Bridge.notPaidYet {
      return "\(entry.cause): Apple's estimate"
    }
    guard entry.isCarriedOver, isOwed else { return entry.cause }
    let isLost = amountsOwed.first { $0.bridge == bridge }?.isLost == true
    return "\(isLost ? "not paid" : "carried over"): \(entry.cause)"
  }

  /// The amounts owed of all bridges, in their order.
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
