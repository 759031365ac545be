import AppStoreReports
package import Counting
package import Pipeline
import PriceImpact
import SubscriptionModel
import Threads

/// Folds the customers of receipts once more on one thread, and collects the renewals that a row of `price_impact.csv`
/// counts.
struct ReceiptImpactFold: ~Copyable {
  private static let partitionCount = 256

  private(set) var found: FoundRenewals<ReceiptRenewal>
  private let row: ExplainedImpact
  private let namesCustomers: Bool
  private var fold: ImpactFold
  private var history: ReceiptHistory
  private var terms: ReceiptTerms
  private var numbers: [Int] = []

  private init(
    _ row: ExplainedImpact, _ empty: FoundRenewals<ReceiptRenewal>, _ changes: [PriceChange],
    _ receipts: KeptReceipts, namesCustomers: Bool
  ) {
    (self.row, self.namesCustomers, found) = (row, namesCustomers, empty)
    fold = ImpactFold(changes: changes, completeness: receipts.completeness, lastDay: nil)
    history = ReceiptHistory(receipts.customers)
    terms = ReceiptTerms(of: receipts)
  }

  /// Returns the renewals that a row counts.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - empty: An empty list for each column.
  ///   - changes: The price changes of the run.
  ///   - receipts: The receipts of the run.
  ///   - namesCustomers: Whether subscriptions are named by their customers.
  ///   - jobs: The number of threads.
  ///   - leavingOut: Whether the renewals that the columns leave out are listed too.
  /// - Returns: The lists and the sums.
  static func found(
    _ row: ExplainedImpact, _ empty: [ReceiptRenewalList], _ changes: [PriceChange],
    _ receipts: KeptReceipts, namesCustomers: Bool, jobs: Int, leavingOut: Bool
  ) -> FoundRenewals<ReceiptRenewal> {
    let empty = FoundRenewals(empty, leavingOut: leavingOut)
    let parts = Workers.run(
      count: partitionCount, jobs: jobs,
      makeState: {
        ReceiptImpactFold(row, empty, changes, receipts, namesCustomers: namesCustomers)
      },
      work: { $0.add(receipts.customers.partition($1, of: partitionCount)) },
      finish: { $0.found })
    return parts.reduce(into: empty) { $0.merge($1) }
  }

  private mutating func add(_ customers: Range<Int>) {
    for customer in customers {
      history.build(customer)
      for index in history.chains.indices where history.chains[index].isInRates {
        add(history.chains[index])
      }
    }
  }

  private mutating func add(_ own: ReceiptChain) {
    terms.number(own, history.periods, into: &numbers)
    guard numbers.contains(where: { fold.concerns(terms.all[$0]) }) else { return }
    let (chain, periods) = history.explainedChain(own, terms: numbers)
    var additions: [ImpactAddition] = []
    for heard in fold.hear(chain, terms.all) { additions += row.additions(of: heard) }
    guard !additions.isEmpty else { return }
    let explained = ExplainedChain(
      own: own, chain: chain, periods: periods, places: history.placesOfPeriods(),
      placesOfConsents: history.placesOfConsents(of: own),
      customer: namesCustomers ? history.name() : nil)
    for addition in additions {
      let renewal = ReceiptRenewal(addition, explained, history, terms.all)
      found.add(renewal, isRenewed: renewal.charge.isContinued)
    }
  }
}

/// A chain of receipts, with the periods and the rows of its charges.
struct ExplainedChain {
  let own: ReceiptChain
  let chain: PricedChain
  /// The first and the last period of each charge.
  let periods: [ClosedRange<Int>]
  /// The rows of each period of the customer.
  let places: [PeriodPlaces]
  let placesOfConsents: [ReceiptPlace]
  /// The customer; `nil` where subscriptions are named by their first row.
  let customer: CustomerName?
}

extension ReceiptRenewal {
  /// Creates the renewal that the fold has counted.
  ///
  /// - Parameters:
  ///   - addition: Its counts and amounts in the row.
  ///   - explained: Its chain.
  ///   - history: A builder that has built the chain.
  ///   - terms: The terms that charges refer to by index.
  init(
    _ addition: ImpactAddition, _ explained: ExplainedChain, _ history: borrowing ReceiptHistory,
    _ terms: [ChargeTerms]
  ) {
    let index = addition.charge - explained.chain.charges.startIndex
    let (periods, places) = (explained.periods[index], explained.places)
    let charge = explained.chain.charges[addition.charge]
    let hasNext = index + 1 < explained.periods.count
    let next = hasNext ? explained.chain.charges[addition.charge + 1] : nil
    (self.addition, self.charge, self.next) = (addition, charge, next)
    (key, customer, asOf) = (explained.chain.key, explained.customer, explained.chain.asOf)
    own = terms[Int(charge.terms)]
    new = next.map { terms[Int($0.terms)] }
    start = history.periods[periods.lowerBound].start
    end = history.periods[periods.upperBound].end ?? start
    let purchase = places[periods.lowerBound].charge
    rows = Rows(
      first: places[explained.own.periods.lowerBound].charge.first ?? purchase[0], own: purchase)
    if periods.count > 1 { rows.last = places[periods.upperBound].charge }
    if hasNext { rows.next = places[explained.periods[index + 1].lowerBound].charge }
    if addition.has(.lapsedPriceReason) {
      rows.reason = history.placeOfReason(ofPeriod: periods.upperBound, in: explained.own)
    }
    if addition.has(.refunded) { addRefund(explained, after: index) }
    addConsent(explained)
  }

  /// Adds the full refund of the next charge, or of another unit of it.
  private mutating func addRefund(_ explained: ExplainedChain, after index: Int) {
    let charges = Array(explained.chain.charges)
    guard index + 1 < charges.count else { return }
    let next = charges[index + 1]
    let units = (index + 1..<charges.count).prefix {
      charges[$0].start == next.start && charges[$0].terms == next.terms
    }
    let refunded = units.filter { charges[$0].fullRefundDay != nil }
    let day = { (unit: Int) in charges[unit].fullRefundDay ?? .first }
    guard let first = refunded.min(by: { day($0) < day($1) }) else { return }
    refundDay = charges[first].fullRefundDay
    let (begin, last) = (explained.periods[first].lowerBound, explained.periods[first].upperBound)
    rows.refund = explained.places[begin].cancellation ?? explained.places[last].cancellation
  }

  /// Adds the first record that asks for consent, and the latest one.
  private mutating func addConsent(_ explained: ExplainedChain) {
    guard addition.has(.consentAsked) else { return }
    let records = addition.consents(of: explained.chain)
    let consents = explained.chain.consents
    guard let asked = records.first(where: { !consents[$0].isGiven }), let last = records.last
    else { return }
    consent = Consent(
      asked: consents[asked].madeAt.day, latest: consents[last].madeAt.day,
      isGiven: addition.has(.consentGiven))
    rows.consent = [explained.placesOfConsents[asked], explained.placesOfConsents[last]]
  }
}

extension ReceiptTerms {
  /// Creates the terms of a run's receipts, none so far.
  package init(of receipts: KeptReceipts) {
    let registries = receipts.registries
    self.init(
      symbols: receipts.customers.settings.symbols, contingent: receipts.contingent,
      symbol: { registries.symbol(of: $0) })
  }
}
