import Storage
package import SubscriptionModel

/// A key for counting rows of a daily SALES report, of any product type, that differ only in their
/// number of units.
///
/// Used while a file is read; ``SaleKey`` is the key in the finance data of all files.
package struct DailySalesKey: QuickHashable {
  /// The index of the rows' terms.
  package var terms: UInt32
  /// The Begin Date.
  package var day: Day
  /// The units' sign: -1, 0 or 1.
  package var sign: Int8

  package init(terms: UInt32, day: Day, _ units: Int64) {
    self.terms = terms
    self.day = day
    sign = Int8(units.signum())
  }

  /// A hash of terms, day and sign in one word.
  package var quickHash: UInt32 {
    let sign = UInt64(UInt8(bitPattern: sign))
    return (UInt64(terms) << 32 | UInt64(UInt32(bitPattern: day.number)) << 8 | sign).quickHash
  }

  /// Adds the units to the finance data, unless no money was paid or refunded.
  ///
  /// - Parameters:
  ///   - count: The units without their sign; a row of Units 0 counts 1.
  ///   - terms: The terms of the rows.
  ///   - records: The finance data to add to.
  func add(_ count: Int, _ terms: SalesTerms, to records: inout FinanceData) {
    guard let sale = SaleKey(day: day, units: Int(sign), terms: terms) else { return }
    records.sales[sale, default: 0] += sale.signed(count: count, isNegative: sign < 0)
  }
}
