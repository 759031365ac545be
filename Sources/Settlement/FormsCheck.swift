package import Storage
package import SubscriptionModel

/// A comparison of two of Apple's downloads of one settlement, whose totals must agree.
package struct FormsCheck: Equatable, Sendable {
  package let period: FiscalPeriod
  package let currency: Symbol
  /// The downloads compared, such as `FINANCIAL by region = FINANCE_DETAIL`.
  package let forms: String
  /// The total, in milliunits, of the download that counts.
  package let counted: Int128
  /// The total, in milliunits, of the other download.
  package let other: Int128
  /// Whether no row of the currency was rejected, and all rows could be assigned to a region, so that both totals are
  /// complete.
  package let isComplete: Bool

  /// Returns whether the totals differ by more milliunits than the tolerance; `false` if a row was rejected.
  package func differs(tolerance: Int128) -> Bool { isComplete && abs(other - counted) > tolerance }

  /// Compares all downloads of each period with each other.
  ///
  /// Comparisons with region files cover only the regions with a file.
  static func all(
    _ statements: [FinanceStatement], _ input: PeriodInput, _ lookup: RegionLookup
  ) -> [FormsCheck] {
    var lookup = lookup
    var checks: [FormsCheck] = []
    for (period, statements) in Dictionary(grouping: statements, by: \.period) {
      let forms = Dictionary(grouping: statements) { SettlementForm($0.form) }
      for (first, second) in forms.keys.sorted().pairs {
        let regions = first == .regions ? input.regionFiles(period) : nil
        var uncertain: Set<Symbol> = []
        let counted = totals(forms[first, default: []], nil, &lookup, &uncertain)
        let other = totals(forms[second, default: []], regions, &lookup, &uncertain)
        let rejected = [first, second].flatMap { forms[$0, default: []] }.flatMap(\.rejected)
        checks += Set(counted.keys).union(other.keys).map { currency in
          FormsCheck(
            period: period, currency: currency, forms: "\(first.text) = \(second.text)",
            counted: counted[currency, default: 0], other: other[currency, default: 0],
            isComplete: !uncertain.contains(currency)
              && !rejected.contains { ($0.currency ?? currency) == currency })
        }
      }
    }
    return checks
  }

  /// Returns the totals in milliunits by currency of some regions, or of all, in the files of one download.
  ///
  /// `uncertain` receives the currencies of rows without a day that may be of one of the regions or of another.
  private static func totals(
    _ statements: [FinanceStatement], _ regions: Set<String>?, _ lookup: inout RegionLookup,
    _ uncertain: inout Set<Symbol>
  ) -> [Symbol: Int128] {
    var totals: [Symbol: Int128] = [:]
    for statement in statements {
      for row in statement.rows where row.extendedShare != 0 {
        if let regions {
          let pair = statement.pair(row)
          let codes =
            row.transactionDay.map { [lookup.code(pair, on: $0)] }
            ?? lookup.codesWithoutDay(pair)
          if regions.isDisjoint(with: codes) { continue }
          if !regions.isSuperset(of: codes) { uncertain.insert(row.currency) }
        }
        totals[row.currency, default: 0] += Int128(row.extendedShare)
      }
    }
    return totals
  }
}

extension [SettlementForm] {
  /// Each form paired with each later form.
  fileprivate var pairs: [(SettlementForm, SettlementForm)] {
    indices.flatMap { first in self[(first + 1)...].map { (self[first], $0) } }
  }
}

/// The forms in which Apple reports a settlement; the first one that exists counts.
enum SettlementForm: Comparable {
  case regions, single, detail

  init(_ form: FinanceStatement.Form) {
    self =
      switch form {
      case .region: .regions
      case .single: .single
      case .detail: .detail
      }
  }

  /// The name of the download in `evidence`.
  var text: String {
    switch self {
    case .regions: "FINANCIAL by region"
    case .single: "FINANCIAL ZZ"
    case .detail: "FINANCE_DETAIL"
    }
  }
}
