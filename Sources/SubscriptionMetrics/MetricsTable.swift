import Rendering
import Tables

/// A table of metrics with exact numbers; METRICS.md defines each of them.
///
/// ```swift
/// let table = try analysis.table(.churn)
/// for row in table.rows where row.text("month") == "2026-09" {
///   print("\(row.text("source")) \(row.text("churn_rate"))")
/// }
/// ```
public struct MetricsTable: Sendable {
  /// The name of the table.
  ///
  /// ```swift
  /// print(table.name)  // churn
  /// ```
  public let name: Name

  /// The dimensions of the view, such as `country`; empty for the whole population.
  ///
  /// ```swift
  /// print(table.dimensions)  // []
  /// ```
  public var dimensions: [String] { table.dimensions }

  /// The names of the columns in their order: first the keys of a row, such as `source` and `month`.
  ///
  /// ```swift
  /// print(table.columns.prefix(3).joined(separator: " "))  // source month active_start
  /// ```
  public var columns: [String] { table.columns.map(\.name) }

  /// The rows, sorted by their keys.
  ///
  /// ```swift
  /// let september = table.rows.filter { $0.text("month") == "2026-09" }
  /// print(september.count)  // 3
  /// ```
  public var rows: [Row] {
    let places = Dictionary(uniqueKeysWithValues: table.columns.enumerated().map { ($1.name, $0) })
    let currencies = CurrencyColumns(table.columns)
    return table.rows.map { Row(places: places, currencies: currencies, cells: $0) }
  }

  /// The table as CSV (RFC 4180) with a header, the same bytes as `subreport` writes.
  ///
  /// Rates have six decimals, amounts two or three; a missing value is empty.
  ///
  /// ```swift
  /// let header = table.csv.prefix { $0 != "\n" }
  /// print(header.hasPrefix("source,month,active_start,"))  // true
  /// ```
  public var csv: String { TableRenderer(.csv).text(of: table) }

  private let table: ReportTable

  init(_ table: ReportTable) {
    guard let name = Name(rawValue: table.name) else {
      preconditionFailure("a table of the catalogue")
    }
    self.name = name
    self.table = table
  }
}

extension MetricsTable {
  /// A table; the raw value is its name in `subreport`.
  ///
  /// ```swift
  /// print(MetricsTable.Name.allCases.count)  // 13
  /// ```
  public enum Name: String, CaseIterable, Sendable {
    /// Churned subscriptions of a month against those active before it.
    case churn
    /// The outcomes of the periods that were due to renew.
    case renewals
    /// Paid periods without a next charge, and the returns.
    case lapses
    /// Refunds and the money given back.
    case refunds
    /// The share of subscriptions kept through their first paid periods.
    case retention
    /// Gains and losses between the beginning and the end of a month.
    case movement
    /// Prices and proceeds per currency.
    case proceeds
    /// Free trials and their conversions.
    case trials
    /// Monthly instalments of products of one year.
    case commitments
    /// Monthly recurring revenue and its movements.
    case recurring
    /// What started subscriptions have brought, by their age.
    case lifetime
    /// Who is paid, free, in a grace period or in billing retry at the end of a month.
    case status
    /// The numbers as other tools define them, and the steps from ours to theirs.
    case definitions
  }
}

extension MetricsTable.Name {
  var kind: TableKind {
    guard let kind = TableKind(rawValue: rawValue) else {
      preconditionFailure("each name is one of the catalogue")
    }
    return kind
  }
}

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
