package import Scanning
package import SubscriptionModel

/// Reads country and currency of rejected SALES rows, to show which money is missing from tables.
///
/// Their days are not read, because they may be wrong: the day of the report is used.
package struct RejectedSalesReader: ~Copyable {
  private let country: Int
  private let currency: Int
  private let customerCurrency: Int
  private let registries: Registries
  private var row: RowSplitter

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - header: The header of a SALES report.
  ///   - registries: The symbols of the run.
  package init(header: ReportHeader, registries: Registries) {
    country = header.fieldOrNone(.countryCode)
    currency = header.fieldOrNone(.proceedsCurrency)
    customerCurrency = header.fieldOrNone(.customerCurrency)
    self.registries = registries
    row = RowSplitter(header)
  }

  /// Reads the readable fields of a rejected row.
  ///
  /// - Parameters:
  ///   - line: The row without its line ending.
  ///   - place: Where the row is.
  /// - Returns: The row's line, and its country and currency if they are readable.
  package mutating func rejectedRow(_ line: Span<UInt8>, _ place: Line) -> RejectedRow {
    var rejected = RejectedRow(line: place.number)
    // A row that is not UTF-8 is split nevertheless, so its other fields can be read.
    if let reject = row.split(line, place), reject.code != .invalidUTF8 { return rejected }
    let country = countryCode(text(line, row.content(line, self.country)))
    if RejectedRow.isCode(country, letters: 2) {
      rejected.country = registries.symbol(of: country)
    }
    let stated = text(line, row.content(line, currency))
    let currency = stated.isEmpty ? text(line, row.content(line, customerCurrency)) : stated
    if RejectedRow.isCode(currency, letters: 3) {
      rejected.currency = registries.symbol(of: currency)
    }
    return rejected
  }
}
