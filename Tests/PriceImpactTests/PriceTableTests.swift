import PriceImpact
import Tables
import Testing

@Suite("The tables of price changes")
struct PriceTableTests {
  /// The columns that METRICS.md section 6 lists, and the id of the product.
  static let columns: [PriceTable: String] = [
    .changes: """
    source, product, country, currency, plan, date, old_price, new_price, class, origin, new_charges, \
    continuing_charges, note, product_id
    """,
    .impact: """
    source, product, country, currency, plan, effective, effective_existing, old_price, new_price, \
    tenure, origin, exposed, not_reached, preserved, reached, renewed_new_price, \
    renewed_old_price, renewed_other_price, changed_product, changed_to_cheaper, recovered, \
    lapsed, lapsed_price_reason, pending, refunded_60d, consent_asked, consent_given, \
    consent_pending, notified, renewal_rate, renewal_low, renewal_high, baseline_due, \
    baseline_rate, control, control_before_due, control_before_rate, control_after_due, \
    control_after_rate, unmatched, excess_churn, excess_low, excess_high, verdict, \
    proceeds_currency, proceeds_actual, proceeds_counterfactual, price_effect, volume_effect, \
    mix_effect, share_effect, net_effect, break_even_loss, break_even_churn, observed_loss, \
    observed_loss_low, observed_loss_high, break_even_verdict, state, product_id
    """,
    .months: """
    source, product, country, currency, plan, effective, effective_existing, old_price, new_price, \
    group, month, due, renewed, renewal_rate, low, high, product_id
    """,
    .plan: "week, product, country, currency, due, preflight, needs_consent, product_id",
  ]

  @Test(arguments: PriceTable.allCases)
  func `have their columns in order`(table: PriceTable) {
    let names = table.columns(for: table == .impact ? ["tenure"] : []).map(\.name)
    #expect(names.joined(separator: ", ") == Self.columns[table])
  }

  @Test(arguments: PriceTable.allCases)
  func `explain every column in whole sentences`(table: PriceTable) {
    for column in table.allColumns { #expect(column.meaning.hasSuffix("."), "\(column.meaning)") }
  }
}
