import Storage

/// All fields of a SUBSCRIPTION row except its counts.
package struct SnapshotTerms: Hashable, Sendable {
  /// The values that views can group by.
  package var attributes: Attributes
  /// The customer's price, and the developer's proceeds; in the customer's currency if the row has no other.
  ///
  /// `nil` for a row with an unreadable amount or duration, whose monthly value is not known.
  package var money: (price: Amount, proceeds: Amount)? {
    isKnown ? (price, proceeds) : nil
  }
  package var price: Amount
  package var proceeds: Amount
  /// The product's standard duration.
  package var standardTerm: Term
  private let isKnown: Bool

  /// Creates terms.
  ///
  /// - Parameters:
  ///   - attributes: The values that views can group by.
  ///   - price: The customer's price; `nil` if it cannot be read, likewise the others.
  ///   - proceeds: The developer's proceeds.
  ///   - standardTerm: The product's standard duration.
  package init(
    attributes: Attributes, price: Amount? = nil, proceeds: Amount? = nil, standardTerm: Term? = nil
  ) {
    self.attributes = attributes
    isKnown = price != nil && proceeds != nil && standardTerm != nil
    (self.price, self.proceeds) = (price ?? .blank, proceeds ?? .blank)
    self.standardTerm = standardTerm ?? Term(days: 0)
  }
}

/// What a SUBSCRIPTION report counts: METRICS.md 11.4.
package enum SnapshotColumn: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// Active Standard Price; in versions 1_0 and 1_1 Active Subscriptions.
  case standard
  /// Paid introductory offers, and all other paid offers: paid up front, and as you go.
  case introUpFront, introAsYouGo, offerUpFront, offerAsYouGo
  /// Introductory free trials; other free trials and marketing opt-ins.
  case freeTrials, freeOffers
  case grace, billingRetry

  /// Whether its subscriptions are paid.
  package var isPaid: Bool { rawValue <= Self.offerAsYouGo.rawValue }

  /// Whether they pay the price in the row for each standard duration.
  ///
  /// The report has no duration of an offer that is paid up front.
  package var hasPrice: Bool { isPaid && self != .introUpFront && self != .offerUpFront }
}
