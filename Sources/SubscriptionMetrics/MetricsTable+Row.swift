import Rendering
import Tables

extension MetricsTable {
  /// A row, with its cells by the names of the columns.
  ///
  /// ```swift
  /// let row = try analysis.churn(month: "2026-09").rows[0]
  /// print(row.text("state"))  // final
  /// ```
  public struct Row: Sendable {
    let places: [String: Int]
    let currencies: CurrencyColumns
    let cells: [ReportTable.Cell]

    /// The exact value in a column.
    ///
    /// ```swift
    /// print(row["churned"] == .count(29))  // true
    /// print(row["churn_rate"] == .ratio(numerator: 29, denominator: 309))  // true
    /// print(row["color"] == nil)  // true
    /// ```
    ///
    /// - Parameter column: The name of the column.
    /// - Returns: The value; `nil` if the table lacks the column.
    public subscript(column: String) -> Cell? {
      places[column].map { Cell(cells[$0], currency: currencies.currency(of: $0, in: cells)) }
    }

    /// Returns the text of a column as CSV has it, but without quotes.
    ///
    /// ```swift
    /// print(row.text("churn_rate"))  // 0.093851
    /// ```
    ///
    /// - Parameter column: The name of the column.
    /// - Returns: The text; empty for a missing value, or if the table lacks the column.
    public func text(_ column: String) -> String {
      places[column].map { cells[$0].machineText } ?? ""
    }
  }

  /// An exact value of a table.
  ///
  /// ```swift
  /// let proceeds = try analysis.table(.proceeds).rows.last
  /// if case .money(let milliunits, let currency)? = proceeds?["gross_price"] {
  ///   print("\(milliunits) thousandths of \(currency)")
  /// }
  /// ```
  public enum Cell: Hashable, Sendable {
    /// Not known, or a ratio whose denominator is 0; never 0.
    case missing
    /// A text, such as a month or a state.
    case text(String)
    /// A whole number.
    case count(Int)
    /// An amount in thousandths of its currency: 9.99 is 9,990. The currency is empty if the table
    /// does not name it.
    case money(milliunits: Int128, currency: String)
    /// An exact ratio, such as 29 of 309; the denominator is not 0.
    case ratio(numerator: Int128, denominator: Int128)
    /// A statistic such as a bound of a 95 % interval, usually between 0 and 1.
    case statistic(Double)
    /// A number in hundredths, such as days: 1.25 is 125.
    case hundredths(Int)
  }
}

extension MetricsTable.Cell {
  init(_ cell: ReportTable.Cell, currency: String) {
    self =
      switch cell {
      case .missing: .missing
      case .text(let text): .text(text)
      case .count(let count): .count(count)
      case .money(let milliunits): .money(milliunits: milliunits, currency: currency)
      case .ratio(let numerator, let denominator):
        .ratio(numerator: numerator, denominator: denominator)
      case .fraction(let fraction): .statistic(fraction)
      case .hundredths(let hundredths): .hundredths(hundredths)
      }
  }
}
