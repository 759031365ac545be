import Counting
import SubscriptionModel

/// The renewal at which a chain meets a higher price: METRICS.md section 6, "Who met it" and "Money".
struct ExposedRenewal {
  let chain: PricedChain
  /// The index of the chain's last charge at the old price.
  let index: Int
  /// The terms that charges refer to by index.
  let terms: [ChargeTerms]
  /// The increase that the chain meets.
  let change: PriceChange

  /// Refunds count up to this number of days after the charge.
  private static let refundDays = 60
  /// Records of consent count from this number of days before E on.
  ///
  /// Apple asks for consent at the earliest 60 days before a renewal; 2 more days allow for different time zones.
  private static let consentDays = 62

  private var charge: PricedCharge { chain.charges[index] }
  private var next: PricedCharge? {
    index + 1 < chain.charges.endIndex ? chain.charges[index + 1] : nil
  }

  /// The days on which the exposure can change.
  ///
  /// The first is the day on which it is decided whether a charge continued the chain. The second is the last day for
  /// a refund of that charge or, if there is no charge, the day from which the lapse is final. A running term has only
  /// the day on which it defaults.
  var laterDays: [Day] {
    guard let decision = charge.decisionDay else { return [charge.dayOfDefault] }
    return [decision, next.map { $0.start + Self.refundDays } ?? dayOfLapse]
  }

  /// The day from which the lapse is final, if no charge follows.
  private var dayOfLapse: Day { charge.end + terms[Int(charge.terms)].retryDays }

  /// Returns the chain's contribution to its cohort on as-of; empty for a running term that has defaulted by then.
  ///
  /// `isPreserved`: the next charge keeps the old price by the developer's choice.
  func exposure(isPreserved: Bool, on asOf: Day) -> ChainExposure {
    var exposure = ChainExposure()
    // At the chain's own as-of the term is still running.
    if charge.isRunningTerm, asOf > chain.asOf, asOf >= charge.dayOfDefault { return exposure }
    guard !isPreserved else {
      exposure.insert(.preserved)
      return exposure
    }
    addConsent(to: &exposure)
    guard charge.isDecided(on: asOf) else {
      exposure.insert(.notReached)
      return exposure
    }
    let outcome = outcome(on: asOf)
    exposure.insert(outcome)
    exposure.reachedEnd = charge.end
    if outcome == .lapsed, charge.isLapseForPrice { exposure.insert(.lapsedPriceReason) }
    if outcome == .changedProduct, isCheaper { exposure.insert(.changedToCheaper) }
    if outcome == .renewedNewPrice { addRefund(to: &exposure, asOf) }
    addMoney(of: outcome, to: &exposure)
    return exposure
  }

  private func outcome(on asOf: Day) -> ExposureFact {
    switch charge.fate {
    case .recovered: return .recovered
    case .reactivated, .openFinal: return .lapsed
    case .openProvisional, .running:
      // At the chain's own as-of use the fate: receipts compare seconds, not days.
      let isLater = asOf > chain.asOf
      return isLater && dayOfLapse <= asOf ? .lapsed : .pending
    case .continued: break
    }
    // Without a next charge, an overlapping longer period of another product continued it.
    guard let next,
      PriceKey(terms[Int(next.terms)]).productPlan == change.key.productPlan
    else { return .changedProduct }
    let price = terms[Int(next.terms)].price
    guard price.currency == change.key.currency, !terms[Int(next.terms)].isContingent else {
      return .renewedOtherPrice
    }
    switch price.milliunits {
    case change.newPrice: return .renewedNewPrice
    case change.oldPrice: return .renewedOldPrice
    default: return .renewedOtherPrice
    }
  }

  // MARK: Properties of the outcome

  /// Whether the next charge costs less per day; durations have their average length.
  private var isCheaper: Bool {
    guard let next, terms[Int(next.terms)].price.currency == change.key.currency else {
      return false
    }
    let old = terms[Int(charge.terms)]
    let new = terms[Int(next.terms)]
    return Int128(new.price.milliunits) * charge.termOfPrice(old).averageDays
      < Int128(old.price.milliunits) * next.termOfPrice(new).averageDays
  }

  private func addRefund(to exposure: inout ChainExposure, _ asOf: Day) {
    guard let next else { return }
    let last = next.start + Self.refundDays
    let isRefunded = units(from: index + 1).contains { $0.fullRefundDay.map { $0 <= last } == true }
    if isRefunded { exposure.insert(.refunded) }
    if asOf < last { exposure.insert(.refundUndecided) }
  }

  /// Adds the consent for this renewal; earlier records may be of another increase and do not count.
  private func addConsent(to exposure: inout ChainExposure) {
    let statements = Self.consents(of: chain, at: charge, change)
    guard statements.contains(where: { !chain.consents[$0].isGiven }), let last = statements.last
    else {
      exposure.insert(.notified)
      return
    }
    exposure.insert(.consentAsked)
    exposure.insert(chain.consents[last].isGiven ? .consentGiven : .consentPending)
  }

  /// Returns the indices in ``PricedChain/consents`` of the records about a renewal, oldest first, given the last
  /// charge at the old price.
  static func consents(
    of chain: PricedChain, at charge: PricedCharge, _ change: PriceChange
  ) -> [Int] {
    let first = change.date - consentDays
    let last = charge.end + ChainBuilder.retryDays
    return chain.consents.indices.filter { (first...last).contains(chain.consents[$0].madeAt.day) }
  }

  // MARK: Money

  /// Returns a charge and the following ones with the same start and terms: the units of one row.
  private func units(from first: Int) -> ArraySlice<PricedCharge> {
    chain.charges[first...].prefix { isUnit($0, with: chain.charges[first]) }
  }

  /// Returns the number of charges up to a charge that have the same start and terms as it.
  private func unitCount(to last: Int) -> Int {
    chain.charges[...last].reversed().prefix { isUnit($0, with: chain.charges[last]) }.count
  }

  private func isUnit(_ charge: PricedCharge, with other: PricedCharge) -> Bool {
    charge.start == other.start && charge.terms == other.terms && !charge.hasNoPlaceInTerm
  }

  /// Returns the number of charges of one purchase: 12 for a term of instalments, otherwise 1.
  private static func charges(of terms: ChargeTerms) -> Int128 {
    terms.isInstalment ? Int128(InstalmentPosition.usualTotal) : 1
  }

  private func addMoney(of outcome: ExposureFact, to exposure: inout ChainExposure) {
    let oldTerms = terms[Int(charge.terms)]
    let oldUnits = Int128(unitCount(to: index)) * Self.charges(of: oldTerms)
    let old = Int128(oldTerms.proceeds.milliunits) * oldUnits
    exposure.money.old = old
    if old != 0 { exposure.oldCurrency = oldTerms.proceeds.currency }
    guard ExposureFact.continued.contains(outcome), let next else { return }
    let newTerms = terms[Int(next.terms)]
    let newUnits = Int128(units(from: index + 1).count) * Self.charges(of: newTerms)
    let new = Int128(newTerms.proceeds.milliunits) * newUnits
    exposure.money.actual = new
    if new != 0 { exposure.newCurrency = newTerms.proceeds.currency }
    if outcome == .changedProduct {
      exposure.money.changed = new - old
      return
    }
    exposure.money.renewed = new - old
    if newTerms.price.currency == oldTerms.price.currency {
      exposure.money.shareTimesOldPrice = Self.shareEffect(from: oldTerms, to: newTerms) * newUnits
    }
  }

  /// Returns for one unit `(new proceeds - new price × old share) × old price`.
  ///
  /// Apple rounds proceeds to a cent, or to a whole unit in currencies without decimals. A difference that this
  /// rounding can cause counts as 0.
  private static func shareEffect(from old: ChargeTerms, to new: ChargeTerms) -> Int128 {
    let (oldPrice, newPrice) = (Int128(old.price.milliunits), Int128(new.price.milliunits))
    let difference =
      Int128(new.proceeds.milliunits) * oldPrice - newPrice * Int128(old.proceeds.milliunits)
    let isWhole = old.proceeds.milliunits % 1_000 == 0 && new.proceeds.milliunits % 1_000 == 0
    let half: Int128 = isWhole ? 500 : 5
    return difference.magnitude <= (half * (oldPrice + newPrice)).magnitude ? 0 : difference
  }
}

extension Term {
  /// The length in millionths of a day, at the average length of a month of the calendar.
  fileprivate var averageDays: Int128 { Int128(days) * 1_000_000 + Int128(months) * 30_436_875 }
}
