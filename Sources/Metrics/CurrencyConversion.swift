public import SubscriptionModel

/// An error that prevents the conversion of amounts.
public enum ConversionError: Error, Equatable, Sendable {
  /// There is no rate for the currency on or before the month's last day.
  case missingRate(from: String, to: String, month: String)
}

/// Exchange rates, exact, by currency and day: the `--rates FILE` option.
///
/// A month's amount is converted with the newest rate on or before the month's last day, rounded half
/// to even to the milliunit.
public struct CurrencyConversion: Sendable {
  /// A rate as an exact decimal: `numerator / 10^scale`.
  public struct Rate: Sendable, Equatable {
    /// The rate's digits.
    public var numerator: Int64
    /// The number of decimals among the digits.
    public var scale: Int

    /// Creates a rate: 1.0842 is `numerator` 10842, `scale` 4.
    ///
    /// - Parameters:
    ///   - numerator: The rate's digits.
    ///   - scale: The number of decimals among them, 0 to 12.
    public init(numerator: Int64, scale: Int) {
      self.numerator = numerator
      self.scale = scale
    }
  }

  /// The currency to convert to.
  public let target: String
  /// Calendar or fiscal months.
  public var monthSystem = MonthSystem.calendar
  private var rates: [String: [(day: Day, rate: Rate)]] = [:]

  /// Creates a conversion without rates.
  ///
  /// - Parameter target: The currency to convert to.
  public init(to target: String) {
    self.target = target
  }

  /// Adds a rate; a later one for the same currency and day replaces it.
  ///
  /// - Parameters:
  ///   - rate: The units of the target that one unit of the currency is worth.
  ///   - currency: The currency to convert from.
  ///   - day: The rate's day.
  public mutating func add(_ rate: Rate, from currency: String, on day: Day) {
    rates[currency, default: []].removeAll { $0.day == day }
    rates[currency, default: []].append((day, rate))
    rates[currency]?.sort { $0.day < $1.day }
  }

  /// Returns a table with a converted column after each money column, such as `gross_price_USD`.
  ///
  /// - Parameter table: A table; returned unchanged without money columns, or without a currency or month column.
  /// - Returns: The table with the added columns.
  /// - Throws: ``ConversionError/missingRate(from:to:month:)``.
  public func addingColumns(to table: ReportTable) throws(ConversionError) -> ReportTable {
    guard table.columns.contains(where: { $0.kind == .money }),
      let currencyColumn = table.columns.firstIndex(where: { $0.name == "currency" }),
      let monthColumn = table.columns.firstIndex(where: { $0.name == "month" })
    else { return table }
    var rows: [[ReportTable.Cell]] = []
    for row in table.rows {
      var cells: [ReportTable.Cell] = []
      for (column, cell) in zip(table.columns, row) {
        cells.append(cell)
        guard column.kind == .money else { continue }
        guard case .money(let milliunits) = cell, case .text(let currency) = row[currencyColumn],
          case .text(let month) = row[monthColumn]
        else {
          cells.append(.missing)
          continue
        }
        cells.append(.money(milliunits: try convert(milliunits, from: currency, in: month)))
      }
      rows.append(cells)
    }
    let columns = table.columns.flatMap { column in
      column.kind == .money
        ? [column, ReportTable.Column("\(column.name)_\(target)", .money)] : [column]
    }
    return ReportTable(
      name: table.name, dimensions: table.dimensions, columns: columns, rows: rows)
  }

  private func convert(
    _ milliunits: Int128, from currency: String, in monthText: String
  ) throws(ConversionError) -> Int128 {
    if currency == target { return milliunits }
    guard let month = monthSystem.month(named: monthText),
      let rate = rates[currency]?.last(where: { $0.day <= monthSystem.lastDay(of: month) })?.rate
    else { throw .missingRate(from: currency, to: target, month: monthText) }
    let divisor = (0..<rate.scale).reduce(Int128(1)) { power, _ in power * 10 }
    return (milliunits * Int128(rate.numerator)).dividedHalfToEven(by: divisor)
  }
}
