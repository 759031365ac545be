import AppStoreReports
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

  /// Adds the units, without their sign, to the finance data, unless no money was paid or refunded.
  ///
  /// A row of Units 0 counts 1.
  func add(_ count: Int, _ terms: SalesTerms, to records: inout FinanceData) {
    guard let sold = sold(count, terms) else { return }
    records.sales[sold.sale, default: 0] += sold.units
  }

  /// Returns the key and the units, with the sign of their money, in the finance data.
  ///
  /// The count is that of ``add(_:_:to:)``. `nil` when no money was paid or refunded.
  fileprivate func sold(_ count: Int, _ terms: SalesTerms) -> (sale: SaleKey, units: Int)? {
    guard let sale = SaleKey(day: day, units: Int(sign), terms: terms) else { return nil }
    return (sale, sale.signed(count: count))
  }
}

/// The units of one row of a daily SALES report.
package struct SoldFileRow: Sendable {
  /// The number of the row's line in its file, from 1.
  package let line: Int
  package let sale: SaleKey
  /// The units, with the sign of their money.
  package let units: Int
}

/// A row of a daily SALES report, before it is known whether money was paid for it.
struct DailySalesRow {
  let line: Int
  let key: DailySalesKey
  let count: Int
}

extension RowRereader {
  /// Returns the rows of a daily SALES report for which money was paid or refunded, in the order of their lines.
  ///
  /// `before` is what the run found in it.
  package mutating func soldRows(
    ofFileAt index: Int, _ before: FileReport
  ) throws(KeptCharges.LineError) -> [SoldFileRow] {
    let rows = try dailySalesRows(ofFileAt: index, before)
    let terms = registries.salesTerms
    return rows.compactMap { row in
      row.key.sold(row.count, terms[Int(row.key.terms)]).map {
        SoldFileRow(line: row.line, sale: $0.sale, units: $0.units)
      }
    }
  }
}
