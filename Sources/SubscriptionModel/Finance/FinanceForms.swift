package import Storage

/// Selects the form whose rows are counted, if several downloads contain a settlement: METRICS.md
/// section 7, "Which form".
///
/// For each vendor, period, country and currency: the region files if any has such rows, otherwise
/// the single file, otherwise FINANCE_DETAIL.
package struct FinanceForms: Sendable {
  private struct Pair: Hashable {
    var vendor: String
    var period: FiscalPeriod
    var country: Symbol
    var currency: Symbol
  }

  private var inRegionFiles: Set<Pair> = []
  private var inSingleFiles: Set<Pair> = []

  /// Stores which countries and currencies each form has.
  ///
  /// - Parameter statements: All statements of the run.
  package init(_ statements: [FinanceStatement]) {
    for statement in statements {
      let pairs = statement.rows.lazy.map { Self.pair($0.country, $0.currency, statement) }
      switch statement.form {
      case .region: inRegionFiles.formUnion(pairs)
      case .single: inSingleFiles.formUnion(pairs)
      case .detail: break
      }
    }
  }

  /// Returns whether rows of a country and currency are counted in the finance share, line 30.
  ///
  /// If not, detail rows are still used for settlement dates; rows of the single file are not used.
  ///
  /// - Parameters:
  ///   - country: The storefront.
  ///   - currency: The currency of the settlement.
  ///   - statement: The rows' statement.
  /// - Returns: Whether no preferred form has rows of the country and currency.
  package func settles(
    country: Symbol, currency: Symbol, of statement: FinanceStatement
  ) -> Bool {
    let pair = Self.pair(country, currency, statement)
    return switch statement.form {
    case .region: true
    case .single: !inRegionFiles.contains(pair)
    case .detail: !inRegionFiles.contains(pair) && !inSingleFiles.contains(pair)
    }
  }

  private static func pair(
    _ country: Symbol, _ currency: Symbol, _ statement: FinanceStatement
  ) -> Pair {
    Pair(vendor: statement.vendor, period: statement.period, country: country, currency: currency)
  }
}
