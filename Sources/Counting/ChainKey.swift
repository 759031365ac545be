import Storage
package import SubscriptionModel

/// The start of a chain and the kind of its first charge: the chain dimensions of all its charges.
package struct ChainKey: Hashable, Sendable, BitwiseCopyable {
  /// The start of the chain.
  package var start: ChainStart
  /// The kind of the first charge; `nil` if the start is unknown.
  package var offer: ChargeKind?

  package init(start: ChainStart, offer: ChargeKind?) {
    self.start = start
    self.offer = offer
  }

  /// Creates the key of a chain of `subscribers`.
  ///
  /// - Parameters:
  ///   - chain: The chain.
  ///   - periods: The periods of all chains.
  ///   - terms: The terms that periods refer to by index.
  ///   - firstDay: The report date of the first file.
  init(_ chain: Chain, _ periods: ReusableArray<Period>, _ terms: [ChargeTerms], firstDay: Day) {
    let first = periods[chain.periods.lowerBound]
    switch chain.start {
    case .known: self.init(start: .day(first.start), offer: terms[Int(first.terms)].kind)
    case .before: self.init(start: .before((chain.receivedOn ?? firstDay).month), offer: nil)
    case .idReset: self.init(start: .idReset, offer: nil)
    }
  }

  /// Creates the key of a chain of `receipts`.
  ///
  /// - Parameters:
  ///   - chain: The chain.
  ///   - periods: The periods of all chains.
  init(_ chain: ReceiptChain, _ periods: [ReceiptPeriod]) {
    let first = periods[chain.periods.lowerBound]
    if chain.isStartKnown {
      self.init(start: .day(first.start.day), offer: first.event.kind)
    } else {
      self.init(start: .before(first.start.month), offer: nil)
    }
  }
}

/// The start of a chain, for the dimensions `start_month`, `start_quarter` and `start_week`.
package enum ChainStart: Hashable, Sendable, BitwiseCopyable {
  /// The chain began on this day.
  case day(Day)
  /// The chain may have begun before the data: before the month of the first file or, for receipts, of the first
  /// purchase in the data.
  case before(Month)
  /// The customer came back under a new id after 180 days or more.
  case idReset
  /// The source has no start.
  case unknown
}

extension ChainKey {
  /// Returns the value of a dimension of chains; `nil` for a dimension of rows.
  package func value(of dimension: Dimension) -> DimensionValue? {
    switch dimension {
    case .offer: offer.map(DimensionValue.offer) ?? .unknown
    case .startMonth: start.value { .month($0.month) }
    case .startQuarter: start.value { .quarter($0.month.firstOfQuarter) }
    case .startWeek: start.value { .week($0 - $0.weekday) }
    default: nil
    }
  }
}

extension ChainStart {
  fileprivate func value(of known: (Day) -> DimensionValue) -> DimensionValue {
    switch self {
    case .day(let day): known(day)
    case .before(let first): .before(first)
    case .idReset: .idReset
    case .unknown: .unknown
    }
  }
}

extension Month {
  fileprivate var firstOfQuarter: Month { Month(year: year, month: (quarter - 1) * 3 + 1) }
}
