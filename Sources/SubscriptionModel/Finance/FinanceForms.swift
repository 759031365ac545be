/// Which of several downloads settles a sale: METRICS.md section 7, "Which form".
///
/// For each vendor, period, country and currency: region files if any has the pair, else the single file,
/// else FINANCE_DETAIL.
public struct FinanceForms: Sendable {
  private struct Pair: Hashable {
    var vendor: String
    var period: FiscalPeriod
    var country: Symbol
    var currency: Symbol
  }

  private var inRegionFiles: Set<Pair> = []
  private var inSingleFiles: Set<Pair> = []

  /// Records which countries and currencies each form has.
  ///
  /// - Parameter statements: All statements of the run.
  public init(_ statements: [FinanceStatement]) {
    for statement in statements {
      switch statement.form {
      case .region: inRegionFiles.formUnion(statement.rows.map { Self.pair($0, statement) })
      case .single: inSingleFiles.formUnion(statement.rows.map { Self.pair($0, statement) })
      case .detail: break
      }
    }
  }

  /// Returns whether a row counts in the finance share, line 30.
  ///
  /// A detail row that does not count still supplies settlement dates; such a row of the single file is unused.
  ///
  /// - Parameters:
  ///   - row: A row.
  ///   - statement: The row's statement.
  /// - Returns: Whether no better form has the row's country and currency.
  public func settles(_ row: FinanceRow, of statement: FinanceStatement) -> Bool {
    settles(country: row.country, currency: row.currency, of: statement)
  }

  /// Returns whether rows of a country and currency count in the finance share.
  ///
  /// - Parameters:
  ///   - country: The storefront.
  ///   - currency: The currency of the settlement.
  ///   - statement: The rows' statement.
  /// - Returns: Whether no better form has them.
  public func settles(
    country: Symbol, currency: Symbol, of statement: FinanceStatement
  ) -> Bool {
    let pair = Pair(
      vendor: statement.vendor, period: statement.period, country: country, currency: currency)
    return switch statement.form {
    case .region: true
    case .single: !inRegionFiles.contains(pair)
    case .detail: !inRegionFiles.contains(pair) && !inSingleFiles.contains(pair)
    }
  }

  private static func pair(_ row: FinanceRow, _ statement: FinanceStatement) -> Pair {
    Pair(
      vendor: statement.vendor, period: statement.period, country: row.country,
      currency: row.currency)
  }
}
