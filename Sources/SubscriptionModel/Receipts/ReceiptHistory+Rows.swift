import Storage

/// The place of a transaction or a renewal info in the input.
package struct ReceiptPlace: Hashable, Comparable, Sendable {
  /// The file's index among all files of the run.
  package var file: UInt32
  /// The number of the row in the file, from 1.
  package var row: UInt32
  /// The number of the transaction, or of the renewal info, in its row, from 1.
  package var number: UInt16
  /// Whether it is a renewal info.
  package var isRenewalInfo = false

  /// Creates a place.
  package init(file: UInt32, row: UInt32, number: UInt16, isRenewalInfo: Bool = false) {
    (self.file, self.row, self.number) = (file, row, number)
    self.isRenewalInfo = isRenewalInfo
  }

  /// Orders places by file, row and number; transactions come first.
  package static func < (left: ReceiptPlace, right: ReceiptPlace) -> Bool {
    (left.file, left.row, left.isRenewalInfo ? 1 : 0, left.number)
      < (right.file, right.row, right.isRenewalInfo ? 1 : 0, right.number)
  }
}

/// The rows that a period rests on.
package struct PeriodPlaces: Sendable {
  /// The copies that state its purchase, its expiry, its price and its kind, in the order of the input.
  package var charge: [ReceiptPlace]
  /// The copy that states its cancellation: a refund, a revocation or an upgrade; `nil` without one.
  package var cancellation: ReceiptPlace?
}

extension ReceiptHistory {
  /// Returns the rows that each period rests on.
  ///
  /// Of several copies that state a value, it is the one whose value ``ReceiptEvent`` takes. It is the same whichever
  /// redundant copies the store has dropped.
  ///
  /// - Returns: The rows, in the order of ``periods``.
  package func placesOfPeriods() -> [PeriodPlaces] {
    zip(periods, copiesOfPeriods()).map { period, copies in
      let event = period.event
      let offers: TransactionCopy.Flags = [.trial, .intro, .offer, .freeOffer]
      let kind = event.flags.intersection(offers)
      let last = { (states: (TransactionCopy) -> Bool) in copies.last(where: states)?.place }
      let charge = [
        last { $0.purchase == event.purchase }, last { $0.expires != nil },
        last { $0.product != .blank }, last { $0.price != nil },
        kind.isEmpty ? nil : last { $0.flags.isSuperset(of: kind) },
      ]
      return PeriodPlaces(
        charge: Set(charge.compactMap { $0 }).sorted(),
        cancellation: event.cancellation == nil ? nil : last { $0.cancellation != nil })
    }
  }

  /// Returns the row of the renewal info that has the reason of a lapse.
  ///
  /// - Parameters:
  ///   - index: The index of the period that lapsed.
  ///   - chain: Its chain.
  /// - Returns: The row; `nil` for a period that did not lapse, and for a reason that no renewal info states.
  package func placeOfReason(ofPeriod index: Int, in chain: ReceiptChain) -> ReceiptPlace? {
    let period = periods[index]
    guard period.isLapse, period.refund == nil, let end = period.end,
      let info = infoOfReason(of: index, end: end, chain), info.reason != .unknown
    else { return nil }
    return info.place
  }

  /// Returns the rows of the renewal infos with the answers of ``priceConsents(of:)``, in the same order.
  package func placesOfConsents(of chain: ReceiptChain) -> [ReceiptPlace] {
    consentInfos(of: chain).map(\.place)
  }
}

extension RenewalCopy {
  fileprivate var place: ReceiptPlace {
    ReceiptPlace(file: file, row: row, number: number, isRenewalInfo: true)
  }
}

extension TransactionCopy {
  fileprivate var place: ReceiptPlace { ReceiptPlace(file: file, row: row, number: number) }
}
