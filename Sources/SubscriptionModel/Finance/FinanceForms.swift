import Storage

/// Selects the form whose rows are counted, if several downloads contain a settlement: METRICS.md
/// section 7, "Which form".
///
/// For each vendor, period, country and currency: the region files if any has such rows, otherwise
/// the single file, otherwise FINANCE_DETAIL. In a period in which a country moves to another region, the single file
/// has no days that give the region of its rows, so FINANCE_DETAIL comes before it; and a region file speaks only for its
/// own region.
package struct FinanceForms: Sendable {
  private struct Pair: Hashable {
    var vendor: String
    var pair: SettledPair
  }

  private struct Month: Hashable {
    var vendor: String
    var period: FiscalPeriod
  }

  private var inRegionFiles: Set<Pair> = []
  private var inSingleFiles: Set<Pair> = []
  /// The regions with files.
  private var regionFiles: [Month: Set<String>] = [:]
  /// The pairs of FINANCE_DETAIL whose region depends on the day.
  private var moving: Set<Pair> = []

  /// Stores which countries and currencies each form has.
  ///
  /// - Parameters:
  ///   - statements: All statements of the run.
  ///   - lookup: The region of each country and currency.
  package init(_ statements: [FinanceStatement], _ lookup: inout RegionLookup) {
    for statement in statements {
      let pairs = Set(statement.rows.lazy.map(statement.pair))
      let own = pairs.map { Pair(vendor: statement.vendor, pair: $0) }
      switch statement.form {
      case .region(let code):
        inRegionFiles.formUnion(own)
        regionFiles[Self.month(statement), default: []].insert(code)
      case .single: inSingleFiles.formUnion(own)
      case .detail:
        for own in own where lookup.codeWithoutDay(own.pair) == nil { moving.insert(own) }
      }
    }
  }

  /// Returns whether rows of a country and currency are counted in the finance share, line 30.
  ///
  /// If not, detail rows are still used for settlement dates; rows of the single file are not used.
  ///
  /// - Parameters:
  ///   - pair: The country and currency, and the period of the statement.
  ///   - region: The region of the rows; matters only for FINANCE_DETAIL.
  ///   - statement: The rows' statement.
  /// - Returns: Whether no preferred form has rows of the country and currency.
  package func settles(
    _ pair: SettledPair, region: String? = nil, of statement: FinanceStatement
  ) -> Bool {
    let own = Pair(vendor: statement.vendor, pair: pair)
    switch statement.form {
    case .region: return true
    case .single: return !inRegionFiles.contains(own) && !moving.contains(own)
    case .detail:
      guard moving.contains(own) else {
        return !inRegionFiles.contains(own) && !inSingleFiles.contains(own)
      }
      guard inRegionFiles.contains(own), let region else { return true }
      return regionFiles[Self.month(statement)]?.contains(region) != true
    }
  }

  private static func month(_ statement: FinanceStatement) -> Month {
    Month(vendor: statement.vendor, period: statement.period)
  }
}
