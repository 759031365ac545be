import AppStoreReports
import Counting
import Pipeline
import PriceImpact
import Storage
import SubscriptionModel
import Tables

/// A source whose renewals at an increased price are explained.
protocol RenewalSource: StorySource, EvidenceSource where Customers: RenewalCustomers {
  /// Returns the rows from which the name of a customer is made.
  func rows(naming customer: Customers.Customer) -> [Customers.Found.Row]

  /// Returns the name of a customer, or the place of the first row of a subscription.
  func name(
    of customer: Customers.Customer, first: Customers.Found.Row, _ lines: Lines,
    _ naming: CustomerTable.Naming?
  ) -> String
}

/// The customers of a source, with the prices of their charges.
protocol RenewalCustomers: StoryCustomers where Found.Row: Sendable {
  /// What names a customer.
  associatedtype Customer: Sendable
  associatedtype Source: RenewalSource where Source.Customers == Self

  /// Passes over customers without a charge that a price change concerns.
  func skip(notConcernedBy fold: ImpactFold)

  /// Returns the renewal of a charge at whose end a row counts the subscription.
  func renewal(_ addition: ImpactAddition, _ own: PricedSubscription) -> Renewal<Source>
}

/// A chain with the prices of its charges.
struct PricedSubscription {
  /// The index of the chain in the history.
  let number: Int
  let chain: PricedChain
  /// The terms that charges refer to by index.
  let terms: [ChargeTerms]
  /// The periods of each charge: in receipts all of a term of instalments, in reports the first.
  let periods: [ClosedRange<Int>]

  /// The index of a charge in the chain, and the charge after it.
  func place(_ addition: ImpactAddition) -> (index: Int, next: PricedCharge?) {
    let index = addition.charge - chain.charges.startIndex
    return (index, index + 1 < periods.count ? chain.charges[addition.charge + 1] : nil)
  }
}

extension RenewalSource where Customers.Source == Self {
  /// Returns the renewals that a row of price increases counts.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - empty: An empty list for each column.
  ///   - changes: The price changes of the run.
  ///   - named: Whether renewals keep the name of their customer.
  ///   - leavingOut: Whether the renewals that the columns leave out are listed too.
  ///   - jobs: The number of threads.
  /// - Returns: The lists and the sums.
  func renewals(
    _ row: ExplainedImpact, _ empty: [RenewalList<Self>], _ changes: [PriceChange], named: Bool,
    leavingOut: Bool, jobs: Int
  ) -> FoundRenewals<Self> {
    let empty = FoundRenewals(empty, leavingOut: leavingOut)
    let parts = Workers.run(
      count: partCount, jobs: jobs,
      makeState: {
        let fold = ImpactFold(changes: changes, completeness: completeness, lastDay: nil)
        let months = completeness.firstMonth...completeness.firstMonth
        let customers = customers(storyRow(months), [], named: named)
        customers.skip(notConcernedBy: fold)
        return (customers: customers, fold: fold, found: empty)
      },
      work: { state, part in
        state.customers.load(part: part)
        while state.customers.next() {
          for own in state.customers.pricedSubscriptions {
            for heard in state.fold.hear(own.chain, own.terms) {
              for addition in row.additions(of: heard) {
                state.found.add(state.customers.renewal(addition, own))
              }
            }
          }
        }
      }, finish: { $0.found })
    return parts.reduce(into: empty) { $0.merge($1) }
  }
}

// MARK: - Reports

extension KeptCharges: RenewalSource {
  func rows(naming customer: UInt64) -> [UInt64] { [] }
}

extension ExplainedSubscribers: RenewalCustomers {
  typealias Source = KeptCharges
  typealias Customer = UInt64

  func skip(notConcernedBy fold: ImpactFold) { isConcerned = charges.terms.map(fold.concerns) }

  var pricedSubscriptions: [PricedSubscription] {
    var priced = PricedChains(charges.completeness, capacity: history.periods.count)
    priced.append(history, charges.terms)
    var chains: [PricedChain] = []
    priced.forEach { chains.append($0) }
    return chains.enumerated().map { number, chain in
      PricedSubscription(
        number: number, chain: chain, terms: charges.terms,
        periods: chain.periods(ofChain: number, history).map { $0...$0 })
    }
  }

  func renewal(_ addition: ImpactAddition, _ own: PricedSubscription) -> Renewal<KeptCharges> {
    let periods = history.chains[own.number].periods
    let charge = own.chain.charges[addition.charge]
    let (index, next) = own.place(addition)
    let first = own.periods[index].lowerBound
    let nextPeriod = next.map { _ in own.periods[index + 1].lowerBound }
    let terms = charges.terms[Int(charge.terms)]
    var renewal = Renewal<KeptCharges>(
      addition: addition, key: own.chain.key, customer: subscriber, charge: charge, next: next,
      own: terms, new: next.map { charges.terms[Int($0.terms)] },
      start: Instant(startOf: charge.start) ?? Instant(seconds: 0),
      end: Instant(startOf: charge.end) ?? Instant(seconds: 0), asOf: charges.completeness.asOf,
      rows: .init(
        first: history.row(ofPeriod: periods.lowerBound), own: [history.row(ofPeriod: first)]))
    if terms.isInstalment {
      let last = (first..<(nextPeriod ?? periods.upperBound)).last {
        history.periods[$0].start < charge.paidEnd
      }
      renewal.rows.last = last.map { [history.row(ofPeriod: $0)] } ?? []
    }
    guard let nextPeriod else { return renewal }
    renewal.rows.next = [history.row(ofPeriod: nextPeriod)]
    if addition.has(.refunded), let refund = refund(nextPeriod..<periods.upperBound) {
      renewal.refundDay = history.refunds[refund].day
      renewal.rows.refund = history.row(ofRefund: refund)
    }
    return renewal
  }

  /// Returns the full refund of the first of some periods, or of a following one with the same start and terms.
  private func refund(_ periods: Range<Int>) -> Int? {
    let first = history.periods[periods.lowerBound]
    for place in periods {
      let period = history.periods[place]
      guard period.start == first.start, period.terms == first.terms else { return nil }
      let refund = history.refunds.firstIndex { $0.isFull && $0.charge?.period == place }
      if let refund { return refund }
    }
    return nil
  }
}

// MARK: - Receipts

extension KeptReceipts: RenewalSource {
  func rows(naming customer: CustomerName?) -> [ReceiptPlace] {
    guard case .row(let file, let row, let number)? = customer else { return [] }
    return [ReceiptPlace(file: file, row: row, number: number)]
  }

  func name(
    of customer: CustomerName?, first: ReceiptPlace, _ lines: [ReceiptPlace: FoundPlace],
    _ naming: CustomerTable.Naming?
  ) -> String {
    guard let naming, let customer else { return text(of: first, lines) }
    return text(of: customer, naming, lines)
  }
}

extension ExplainedReceipts: RenewalCustomers {
  typealias Source = KeptReceipts
  typealias Customer = CustomerName?

  func skip(notConcernedBy fold: ImpactFold) { isConcerned = fold.concerns }

  var pricedSubscriptions: [PricedSubscription] {
    var terms = priceTerms ?? ReceiptTerms(of: receipts)
    defer { priceTerms = terms }
    var numbers: [Int] = []
    var found: [PricedSubscription] = []
    for (number, own) in history.chains.enumerated() where own.isInRates {
      terms.number(own, history.periods, into: &numbers)
      if let isConcerned, !numbers.contains(where: { isConcerned(terms.all[$0]) }) { continue }
      let (chain, periods) = history.explainedChain(own, terms: numbers)
      found.append(
        PricedSubscription(number: number, chain: chain, terms: terms.all, periods: periods))
    }
    return found
  }

  func renewal(_ addition: ImpactAddition, _ own: PricedSubscription) -> Renewal<KeptReceipts> {
    let chain = history.chains[own.number]
    let charge = own.chain.charges[addition.charge]
    let (index, next) = own.place(addition)
    let periods = own.periods[index]
    let places = placesOfPeriods
    let start = history.periods[periods.lowerBound].start
    let purchase = places[periods.lowerBound].charge
    var renewal = Renewal<KeptReceipts>(
      addition: addition, key: own.chain.key, customer: named ? history.name() : nil,
      charge: charge, next: next, own: own.terms[Int(charge.terms)],
      new: next.map { own.terms[Int($0.terms)] }, start: start,
      end: history.periods[periods.upperBound].end ?? start, asOf: own.chain.asOf,
      consent: Consent(),
      rows: .init(
        first: places[chain.periods.lowerBound].charge.first ?? purchase[0], own: purchase))
    if periods.count > 1 { renewal.rows.last = places[periods.upperBound].charge }
    if next != nil { renewal.rows.next = places[own.periods[index + 1].lowerBound].charge }
    if addition.has(.lapsedPriceReason) {
      renewal.rows.reason = history.placeOfReason(ofPeriod: periods.upperBound, in: chain)
    }
    if addition.has(.refunded) { addRefund(own, after: index, to: &renewal) }
    if addition.has(.consentAsked) { addConsent(own, to: &renewal) }
    return renewal
  }

  /// Adds the full refund of the next charge, or of another unit of it.
  private func addRefund(
    _ own: PricedSubscription, after index: Int, to renewal: inout Renewal<KeptReceipts>
  ) {
    let charges = Array(own.chain.charges)
    guard index + 1 < charges.count else { return }
    let next = charges[index + 1]
    let units = (index + 1..<charges.count).prefix {
      charges[$0].start == next.start && charges[$0].terms == next.terms
    }
    let refunded = units.filter { charges[$0].fullRefundDay != nil }
    let day = { (unit: Int) in charges[unit].fullRefundDay ?? .first }
    guard let first = refunded.min(by: { day($0) < day($1) }) else { return }
    renewal.refundDay = charges[first].fullRefundDay
    let (begin, last) = (own.periods[first].lowerBound, own.periods[first].upperBound)
    renewal.rows.refund =
      placesOfPeriods[begin].cancellation ?? placesOfPeriods[last].cancellation
  }

  /// Adds the first record that asks for consent, and the latest one.
  private func addConsent(_ own: PricedSubscription, to renewal: inout Renewal<KeptReceipts>) {
    let records = renewal.addition.consents(of: own.chain)
    let consents = own.chain.consents
    guard let asked = records.first(where: { !consents[$0].isGiven }), let last = records.last
    else { return }
    renewal.consent = Consent(
      asked: consents[asked].madeAt.day, latest: consents[last].madeAt.day,
      isGiven: renewal.addition.has(.consentGiven))
    let places = history.placesOfConsents(of: history.chains[own.number])
    renewal.rows.consent = [places[asked], places[last]]
  }
}

extension ReceiptTerms {
  /// Creates the terms of a run's receipts, none so far.
  init(of receipts: KeptReceipts) {
    let registries = receipts.registries
    self.init(
      symbols: receipts.customers.settings.symbols, contingent: receipts.contingent,
      symbol: { registries.symbol(of: $0) })
  }
}
