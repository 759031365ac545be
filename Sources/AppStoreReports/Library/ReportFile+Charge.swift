import Scanning
import SubscriptionModel

extension ReportFile {
  /// The charge or refund of a SUBSCRIBER or SALES row, with exact amounts.
  ///
  /// ```swift
  /// let refunds = rows.compactMap(\.charge).filter(\.isRefund)
  /// print(refunds.count)  // 1
  /// ```
  public struct Charge: Hashable, Sendable {
    /// The day of the charge or refund, such as `2026-08-31`: the Event Date or Begin Date.
    ///
    /// ```swift
    /// print(charge.day)  // 2026-08-31
    /// ```
    public let day: String

    /// How many equal charges or refunds the row counts, 0 or more; 0 for a refund of a part.
    ///
    /// ```swift
    /// print(charge.units)  // 1
    /// ```
    public let units: Int

    /// Whether money was given back.
    ///
    /// ```swift
    /// print(charge.isRefund)  // false
    /// ```
    public let isRefund: Bool

    /// The customer's price per unit in thousandths of the currency, without sign: 9.99 is 9,990.
    ///
    /// ```swift
    /// print(charge.priceMilliunits)  // 9990
    /// ```
    public let priceMilliunits: Int64

    /// The code of the price's currency.
    ///
    /// ```swift
    /// print(charge.priceCurrency)  // EUR
    /// ```
    public let priceCurrency: String

    /// The developer's proceeds per unit in thousandths of the currency, without sign.
    ///
    /// ```swift
    /// print(charge.proceedsMilliunits)  // 5870
    /// ```
    public let proceedsMilliunits: Int64

    /// The code of the proceeds' currency.
    ///
    /// ```swift
    /// print(charge.proceedsCurrency)  // EUR
    /// ```
    public let proceedsCurrency: String
  }
}

extension ReportFile.Charge {
  init(_ record: ChargeRecord, _ terms: ChargeTerms, _ registries: Registries) {
    self.init(
      Day(number: record.day), units: Int(record.units), isRefund: record.isRefund,
      price: terms.price, proceeds: terms.proceeds, registries)
  }

  init(_ row: SalesRow, _ terms: SalesTerms, _ registries: Registries) {
    let isRefund = !terms.isBundleCredit && (row.units < 0 || terms.isPriceNegative)
    self.init(
      row.beginDay, units: Int(row.units.magnitude), isRefund: isRefund, price: terms.price,
      proceeds: terms.proceeds, registries)
  }

  private init(
    _ day: Day, units: Int, isRefund: Bool, price: Amount, proceeds: Amount,
    _ registries: Registries
  ) {
    self.day = day.description
    self.units = units
    self.isRefund = isRefund
    priceMilliunits = price.milliunits
    priceCurrency = registries.text(of: price.currency)
    proceedsMilliunits = proceeds.milliunits
    proceedsCurrency = registries.text(of: proceeds.currency)
  }
}
