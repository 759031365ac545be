package import Storage
package import SubscriptionModel

/// A comparison of the balance carried over in a payments CSV with the unpaid balance of the earlier files.
package struct CarriedBalance: Equatable, Sendable {
  /// The result of a comparison.
  package enum State: Sendable {
    case ok, failed
    /// The files lack the data to compare the balances.
    case missing
  }

  /// The fiscal period into which the balance is carried.
  package let period: FiscalPeriod
  package let region: String
  package let currency: Symbol
  /// The unpaid balance of the earlier file, in milliunits; `nil` if it is unknown.
  package let expected: Int128?
  /// The balance carried over, in milliunits; `nil` if the file lacks the column or rejected such a row.
  package let found: Int128?
  package let state: State

  /// Compares each payments CSV with those of the periods before it, and adds up the comparisons of several vendors.
  static func all(_ payments: [PaymentsStatement], tolerance: Int128) -> [CarriedBalance] {
    var found: [CarriedBalance] = []
    for vendor in payments.map(\.vendor).unique {
      for check in ofVendor(payments.filter { $0.vendor == vendor }, tolerance: tolerance) {
        let same = found.firstIndex {
          $0.period == check.period && $0.region == check.region && $0.currency == check.currency
        }
        if let same {
          found[same] = found[same].adding(check, tolerance: tolerance)
        } else {
          found.append(check)
        }
      }
    }
    return found
  }

  /// Returns the comparison of the sums of two vendors.
  private func adding(_ other: CarriedBalance, tolerance: Int128) -> CarriedBalance {
    let sum = { (left: Int128?, right: Int128?) in left.flatMap { left in right.map { left + $0 } }
    }
    return CarriedBalance(
      period: period, region: region, currency: currency, expected: sum(expected, other.expected),
      found: sum(found, other.found), tolerance: tolerance)
  }

  /// Compares a balance with the unpaid one.
  private init(
    period: FiscalPeriod, region: String, currency: Symbol, expected: Int128?, found: Int128?,
    tolerance: Int128
  ) {
    (self.period, self.region, self.currency) = (period, region, currency)
    (self.expected, self.found) = (expected, found)
    if let expected, let found {
      state = abs(found - expected) <= tolerance ? .ok : .failed
    } else {
      state = .missing
    }
  }

  private static func ofVendor(
    _ payments: [PaymentsStatement], tolerance: Int128
  ) -> [CarriedBalance] {
    let files = Dictionary(
      payments.map { ($0.period, $0) }, uniquingKeysWith: { first, _ in first })
    return payments.flatMap { file -> [CarriedBalance] in
      guard files[file.period - 1] != nil else { return [] }
      return file.rows.map { row in
        let left = unpaid(row, before: file.period, files)
        let isKnown = file.hasBalanceColumn && !file.hasRejected(row)
        return CarriedBalance(
          period: file.period, region: row.region, currency: row.currency, expected: left,
          found: isKnown ? Int128(row.carriedBalance) : nil, tolerance: tolerance)
      }
    }
  }

  /// Returns the unpaid balance of the newest earlier file that lists the region and currency; 0 if it was paid.
  ///
  /// `nil` if the periods since that file are not all covered: one has no file, a pending file, or a rejected row that
  /// may be of the region and currency.
  private static func unpaid(
    _ row: PaymentsRow, before period: FiscalPeriod, _ files: [FiscalPeriod: PaymentsStatement]
  ) -> Int128? {
    var period = period - 1
    while let file = files[period] {
      if file.isPending || file.hasRejected(row) { return nil }
      let earlier = file.rows.first { $0.region == row.region && $0.currency == row.currency }
      if let earlier {
        let isPaid = !earlier.isBelowThreshold && earlier.proceeds != nil
        return isPaid ? 0 : Int128(earlier.totalOwed)
      }
      period = period - 1
    }
    return nil
  }
}

extension PaymentsStatement {
  /// Returns whether the file has a rejected row that may be of the same region and currency.
  fileprivate func hasRejected(_ row: PaymentsRow) -> Bool {
    rejected.contains {
      ($0.region ?? row.region) == row.region && ($0.currency ?? row.currency) == row.currency
    }
  }
}
