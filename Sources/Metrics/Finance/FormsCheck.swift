public import SubscriptionModel

/// Two of Apple's downloads of one settlement, which must have the same total.
public struct FormsCheck: Equatable, Sendable {
  /// The fiscal period.
  public let period: FiscalPeriod
  /// The currency.
  public let currency: Symbol
  /// The downloads compared, such as `FINANCIAL by region = FINANCE_DETAIL`.
  public let forms: String
  /// The total in milliunits of the download that counts.
  public let counted: Int128
  /// The total in milliunits of the other.
  public let other: Int128

  /// Compares all downloads of all periods with the one that counts.
  ///
  /// Region files say nothing of regions that have none, so those are left out of their comparison.
  static func all(_ statements: [FinanceStatement], _ input: PeriodInput, _ lookup: RegionLookup)
    -> [FormsCheck]
  {
    var lookup = lookup
    var checks: [FormsCheck] = []
    for (period, statements) in Dictionary(grouping: statements, by: \.period) {
      let forms = Set(statements.map { SettlementForm($0.form) }).sorted()
      for (first, second) in forms.pairs {
        let regions = first == .regions ? input.regionFiles(period) : nil
        var totals: [Symbol: [SettlementForm: Int128]] = [:]
        for statement in statements {
          for row in statement.rows where row.extendedShare != 0 {
            if let regions, SettlementForm(statement.form) != .regions {
              guard regions.contains(lookup.code(statement.pair(row))) else { continue }
            }
            totals[row.currency, default: [:]][SettlementForm(statement.form), default: 0] +=
              Int128(row.extendedShare)
          }
        }
        checks += totals.map { currency, totals in
          FormsCheck(
            period: period, currency: currency, forms: "\(first.text) = \(second.text)",
            counted: totals[first] ?? 0, other: totals[second] ?? 0)
        }
      }
    }
    return checks
  }
}

extension [SettlementForm] {
  /// The first of the list with each of the others.
  fileprivate var pairs: [(SettlementForm, SettlementForm)] {
    dropFirst().map { (self[0], $0) }
  }
}
