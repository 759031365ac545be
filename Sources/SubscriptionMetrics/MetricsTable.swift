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
