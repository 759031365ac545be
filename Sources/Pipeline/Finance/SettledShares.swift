import AppStoreReports
import Scanning
import Settlement
import Storage
import SubscriptionModel

/// What the finance files of each vendor settle, to find the vendor of a payments CSV: METRICS.md section 7, "Payments
/// CSV".
struct SettledShares {
  private struct Place: Hashable {
    var period: FiscalPeriod
    var region: String
    var currency: Symbol
  }

  /// The settled shares by vendor, in milliunits; `nil` for an unknown one.
  private var amounts: [String: [Place: Int128?]] = [:]

  /// Adds up the settled shares of all vendors.
  init(_ statements: [FinanceStatement], _ context: ReadContext) {
    let texts = context.registries.symbols.texts
    for (vendor, own) in Dictionary(grouping: statements, by: \.vendor) {
      var records = FinanceData()
      records.statements = own
      let bridges = Reconciliation(
        records, regions: context.plan.financeRegions, commissions: context.plan.commissions,
        texts: texts
      ).bridges
      for bridge in bridges {
        let place = Place(period: bridge.period, region: bridge.region, currency: bridge.currency)
        amounts[vendor, default: [:]][place] = .some(bridge.amount(of: .financeShare))
      }
    }
  }

  /// Returns whether the settled shares of a vendor equal Earned in each row of a payments CSV.
  func fit(_ payments: PaymentsStatement, _ vendor: String) -> Bool {
    payments.rows.allSatisfy { row in
      let place = Place(period: payments.period, region: row.region, currency: row.currency)
      return amounts[vendor, default: [:]][place, default: 0] == Int128(row.earned)
    }
  }
}
