import Storage
package import SubscriptionModel

/// The reason why amounts cannot be converted.
package enum ConversionError: Error, Equatable, Sendable {
  /// There is no rate for the currency on or before the month's last day.
  case missingRate(from: String, to: String, month: String)
}

/// Exchange rates, exact, by currency and day: the `--rates FILE` option.
///
/// A month's amount is converted with the newest rate on or before the month's last day, rounded half
/// to even to the milliunit.
package struct CurrencyConversion: Sendable {
  /// A rate as an exact decimal: `numerator / 10^scale`.
  package struct Rate: Sendable, Equatable {
    /// The rate's digits.
    package var numerator: Int64
    /// The number of decimals among the digits.
    package var scale: Int

    /// Creates a rate: 1.0842 is `numerator` 10842, `scale` 4; the scale is from 0 to 12.
    package init(numerator: Int64, scale: Int) {
      self.numerator = numerator
      self.scale = scale
    }
  }

  /// The currency to convert to.
  package let target: String
  /// Calendar or fiscal months.
  package var monthSystem = MonthSystem.calendar
  private var rates: [String: [(day: Day, rate: Rate)]] = [:]

  package init(to target: String) { self.target = target }

  /// Adds the units of the target that one unit of a currency is worth on a day; a later rate of the same day replaces
  /// it.
  package mutating func add(_ rate: Rate, from currency: String, on day: Day) {
    Self.put(rate, on: day, in: &rates[currency, default: []])
  }

  /// Puts a rate where its day belongs, which is mostly the end.
  private static func put(_ rate: Rate, on day: Day, in rates: inout [(day: Day, rate: Rate)]) {
    let place = rates.lastIndex { $0.day <= day }
    if let place, rates[place].day == day {
      rates[place].rate = rate
    } else {
      rates.insert((day, rate), at: place.map { $0 + 1 } ?? 0)
    }
  }

  /// Returns a table with a converted column after each money column, such as `gross_price_USD`.
  ///
  /// A table without money columns, or without a currency or month, is returned unchanged.
  ///
  /// - Throws: ``ConversionError/missingRate(from:to:month:)``.
  package func addingColumns(to table: ReportTable) throws(ConversionError) -> ReportTable {
    let converted = addingKnownColumns(to: table)
    try requireRates(of: converted)
    return converted
  }

  /// Throws if a table with converted columns has an amount without a rate in some columns, or in any if none are
  /// named.
  ///
  /// - Throws: ``ConversionError/missingRate(from:to:month:)`` for the first one.
  package func requireRates(of table: ReportTable, columns: [String] = []) throws(ConversionError) {
    let names = table.columns.map(\.name)
    let pairs = names.indices.compactMap { column -> (Int, Int)? in
      let name = "\(names[column])_\(target)"
      // `open` is converted at the rate of the month before, whose own row needs it.
      guard names[column] != "open", columns.isEmpty || columns.contains(name) else { return nil }
      return names.firstIndex(of: name).map { (column, $0) }
    }
    for row in table.rows {
      for (own, converted) in pairs where row[converted] == .missing {
        guard case .money = row[own], let month = names.firstIndex(of: "month"),
          let currency = names.firstIndex(of: "currency"), case .text(let from) = row[currency],
          case .text(let month) = row[month]
        else { continue }
        throw .missingRate(from: from, to: target, month: month)
      }
    }
  }

  /// Returns a table with converted columns, whose cells are missing where there is no rate.
  package func addingKnownColumns(to table: ReportTable) -> ReportTable {
    guard table.columns.contains(where: { $0.kind == .money }),
      let currencyColumn = table.columns.firstIndex(where: { $0.name == "currency" }),
      let monthColumn = table.columns.firstIndex(where: { $0.name == "month" })
    else { return table }
    let rows = table.rows.map { row in
      zip(table.columns, row).flatMap { column, cell -> [ReportTable.Cell] in
        guard column.kind == .money else { return [cell] }
        guard case .money(let milliunits) = cell, case .text(let currency) = row[currencyColumn],
          case .text(let text) = row[monthColumn], let month = monthSystem.month(named: text),
          let converted = convert(milliunits, from: currency, in: month)
        else { return [cell, .missing] }
        return [cell, .money(milliunits: converted)]
      }
    }
    return ReportTable(
      name: table.name, dimensions: table.dimensions, columns: converted(table.columns),
      rows: rows)
  }

  /// Returns columns with a converted one after each column of money.
  func converted(_ columns: [ReportTable.Column]) -> [ReportTable.Column] {
    columns.flatMap { column in
      column.kind == .money
        ? [column, ReportTable.Column("\(column.name)_\(target)", .money)] : [column]
    }
  }

  /// Returns an amount at the rate of a month, rounded half to even to the milliunit; `nil` without a rate.
  func convert(_ milliunits: Int128, from currency: String, in month: Month) -> Int128? {
    guard let rate = rate(from: currency, in: month) else { return nil }
    return (milliunits * Int128(rate.numerator)).dividedHalfToEven(by: Self.power(rate.scale))
  }

  /// Returns the rate of a month: the newest on or before its last day.
  private func rate(from currency: String, in month: Month) -> Rate? {
    if currency == target { return Rate(numerator: 1, scale: 0) }
    let end = monthSystem.lastDay(of: month)
    return rates[currency].flatMap { $0[..<$0.partitionPoint { $0.day <= end }].last?.rate }
  }

  /// Returns a power of ten.
  package static func power(_ exponent: Int) -> Int128 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  // MARK: Exact sums

  /// The number of parts of a milliunit in which ``exact(_:from:in:)`` counts: 10,000 if the rate with the most decimals
  /// has four.
  var partsOfMilliunit: Int128 { Self.power(mostDecimals) }

  private var mostDecimals: Int { rates.values.joined().map(\.rate.scale).max() ?? 0 }

  /// Returns an amount in the target currency, not rounded, so that amounts of several currencies add up exactly.
  ///
  /// Example: with a rate of 1.0842 as the only one, 9,990 milliunits are 108,311,580 parts of 10,000.
  ///
  /// The amount is in parts of a milliunit; `nil` without a rate in the month, and for one too large to add up.
  func exact(_ milliunits: Int128, from currency: String, in month: Month) -> Int128? {
    guard let rate = rate(from: currency, in: month) else { return nil }
    let factor = Int128(rate.numerator) * Self.power(mostDecimals - rate.scale)
    let (product, isTooLarge) = milliunits.multipliedReportingOverflow(by: factor)
    // A million such amounts still add up.
    return isTooLarge || product.magnitude > UInt128(Int128.max >> 20) ? nil : product
  }
}
