import Counting
import Pipeline
import Storage
import SubscriptionModel

/// A source whose subscriptions have stories.
protocol StorySource: ExplainedSource where Customers: StoryCustomers {
  /// What a free period is called that is no trial.
  static var freePeriod: String { get }
  /// The words before the price of a refund, which in receipts is that of the charge.
  static var refundOf: String { get }
  /// Whether the cells of a charge come before those of the facts about it.
  static var listsChargesFirst: Bool { get }

  var completeness: Completeness { get }

  /// Returns a time as tables print it: a day, or an instant.
  func text(of instant: Instant) -> String
}

/// The customers of a source, with the parts of a story that the facts do not have.
protocol StoryCustomers: ExplainedCustomers where Found.Row: Comparable {
  /// The periods of each chain of the current customer.
  var periodsOfChains: [Range<Int>] { get }
  /// The refunds of the current customer.
  var refunds: [CountedPeriod] { get }

  /// Returns how a chain begins; `nil` if it may have begun before the data.
  func beginning(ofChain chain: Int) -> String?

  /// Returns a period of a chain.
  func period(_ index: Int, ofChain chain: Int) -> StoryPeriod

  /// Returns the purchase of a period, or the refund.
  func charge(of item: CountedPeriod) -> StoryCharge

  /// Returns when a charge was refunded, and the rows that say so.
  func refund(_ item: CountedPeriod) -> (instant: Instant?, rows: [Found.Row])

  /// The chains of the current customer that price increases can concern.
  var pricedSubscriptions: [PricedSubscription] { get }
}

extension StoryCustomers {
  /// Returns the cells of price increases, by the period at whose end the subscription counts there.
  func cells(_ increases: ImpactCells) -> [Int: [TableCell]] {
    var cells: [Int: [TableCell]] = [:]
    for own in pricedSubscriptions {
      for one in increases.counted(own.chain, own.terms) {
        cells[own.periods[one.charge].upperBound, default: []] += one.cells
      }
    }
    return cells
  }
}

extension StorySource {
  /// All rows of the tables of the whole population, in some months.
  func storyRow(_ months: ClosedRange<Month>) -> CountedRow {
    var row = CountedRow(month: months.lowerBound, dimensions: [], filter: filter) { _ in true }
    row.lastMonth = months.upperBound
    row.isOfBothDatings = true
    (row.k, row.lastK) = (1, .max)
    return row
  }
}

// MARK: - Reports

extension KeptCharges: StorySource {
  static var freePeriod: String { "offer" }
  static var refundOf: String { "Refund of" }
  static var listsChargesFirst: Bool { false }

  func text(of instant: Instant) -> String { instant.day.description }

  /// Returns the charges and refunds of a subscriber.
  func records(of subscriber: UInt64) -> [ChargeRecord] {
    var found: [ChargeRecord] = []
    for partition in 0..<ChargeStore.partitionCount {
      for chunk in bins.parts(of: partition).lazy.flatMap(\.chunks) {
        for record in chunk where record.subscriber == subscriber {
          if isUsable[Int(record.order >> 32)] { found.append(record) }
        }
      }
    }
    return found
  }
}

extension ExplainedSubscribers: StoryCustomers {
  var periodsOfChains: [Range<Int>] { history.chains.map(\.periods) }

  var refunds: [CountedPeriod] {
    history.refunds.indices.map { index in
      let refund = history.refunds[index]
      var item = CountedPeriod(
        counted: .refund(isFull: refund.isFull), chain: refund.charge?.chain,
        period: refund.charge?.period)
      item.refund = index
      return item
    }
  }

  func beginning(ofChain chain: Int) -> String? {
    switch history.chains[chain].start {
    case .known: "the subscription begins here"
    case .before: nil
    case .idReset:
      "the first charge under a new subscriber id: the customer came back after 180 days or more"
    }
  }

  func period(_ index: Int, ofChain chain: Int) -> StoryPeriod {
    let period = history.periods[index]
    return StoryPeriod(
      index: index, explained: ExplainedPeriod(period, charges.terms[Int(period.terms)]),
      end: Instant(startOf: period.end), boughtEnd: Instant(startOf: period.fullEnd),
      isRunning: period.fate == .running && period.end > charges.completeness.asOf,
      isCutByUpgrade: false, backOn: period.isLapse ? period.nextStart : nil)
  }

  func charge(of item: CountedPeriod) -> StoryCharge {
    let number =
      item.refund.map { history.refunds[$0].terms } ?? history.periods[item.place.period].terms
    let terms = charges.terms[Int(number)]
    return StoryCharge(
      attributes: terms.attributes, kind: terms.kind, isPaid: terms.isPaid,
      price: terms.price.milliunits, currency: terms.price.currency)
  }

  func refund(_ item: CountedPeriod) -> (instant: Instant?, rows: [UInt64]) {
    guard let index = item.refund else { return (nil, []) }
    return (Instant(startOf: history.refunds[index].day), [history.row(ofRefund: index)])
  }
}

// MARK: - Receipts

extension KeptReceipts: StorySource {
  static var freePeriod: String { "period" }
  static var refundOf: String { "Refund of a charge of" }
  static var listsChargesFirst: Bool { true }

  func text(of instant: Instant) -> String { instant.description }
}

extension ExplainedReceipts: StoryCustomers {
  var periodsOfChains: [Range<Int>] { history.chains.map(\.periods) }

  var refunds: [CountedPeriod] {
    history.chains.enumerated().flatMap { chain, own in
      own.periods.filter {
        history.periods[$0].isRefunded && history.periods[$0].event.cancellation != nil
      }.map {
        let isFull = history.periods[$0].refund == .full
        return CountedPeriod(counted: .refund(isFull: isFull), chain: chain, period: $0)
      }
    }
  }

  func beginning(ofChain chain: Int) -> String? {
    history.chains[chain].isStartKnown
      ? "the subscription begins here"
      : "the first purchase in the receipts; the subscription may have begun before"
  }

  func period(_ index: Int, ofChain chain: Int) -> StoryPeriod {
    let period = history.periods[index]
    let isRunning = period.end.map { $0 > history.chains[chain].asOf } ?? false
    return StoryPeriod(
      index: index, explained: ExplainedPeriod(period), end: period.end,
      boughtEnd: period.event.expires, isRunning: period.fate == .current && isRunning,
      isCutByUpgrade: period.cut == .upgrade,
      backOn: period.gapAfter.flatMap { gap in period.end.map { ($0 + gap).day } })
  }

  func charge(of item: CountedPeriod) -> StoryCharge {
    let event = history.periods[item.place.period].event
    var attributes = Attributes()
    (attributes.app, attributes.group) = (event.app, event.group)
    (attributes.product, attributes.country) = (event.product, event.country)
    return StoryCharge(
      attributes: attributes, kind: event.kind, isPaid: event.isPaid, price: event.price,
      currency: event.currency)
  }

  func refund(_ item: CountedPeriod) -> (instant: Instant?, rows: [ReceiptPlace]) {
    let index = item.place.period
    return (
      history.periods[index].event.cancellation,
      placesOfPeriods[index].cancellation.map { [$0] } ?? []
    )
  }
}
