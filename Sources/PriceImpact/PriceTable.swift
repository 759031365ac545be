package import Counting
package import SubscriptionModel
package import Tables

/// The tables of price changes with their columns, a part of the catalogue: METRICS.md section 6.
package enum PriceTable: String, CaseIterable, Sendable {
  /// Every change of a standard price with its class.
  case changes = "price_changes"
  /// The impact of each increase.
  case impact = "price_impact"
  /// Renewals before and after each increase.
  case months = "price_impact-months"
  /// The subscriptions that a planned price would meet.
  case plan = "price_plan"

  /// Every column except a view's dimension, with its meaning.
  package var allColumns: [Definition.Column] {
    let own =
      switch self {
      case .changes: Self.changeColumns
      case .impact: Self.increaseColumns + Self.impactColumns
      case .months: Self.increaseColumns + Self.monthColumns
      case .plan: Self.planColumns
      }
    return own + [Self.productID]
  }

  /// Returns the columns of a view in order: keys, the dimension of ``impact`` or none, and the other columns.
  package func columns(for dimensions: [String]) -> [ReportTable.Column] {
    var columns = allColumns.map(\.column)
    for name in dimensions {
      columns.insert(ReportTable.Column(name, .key), at: Self.increaseColumns.count)
    }
    return columns
  }

  /// Returns the table, or a view of it, with its rows in order.
  func table(_ rows: consuming [KeyedRow], by dimensions: [String] = []) -> ReportTable {
    ReportTable(
      name: rawValue, dimensions: dimensions, columns: columns(for: dimensions),
      rows: KeyedRow.cellsInOrder(of: rows))
  }

  private typealias Column = Definition.Column

  private static let productID = Column.text(
    ReportTable.Column.productID.name,
    "The id of the product: that of Apple, or the product id of receipts.")

  private static let changeColumns: [Column] = [
    .key("source", "Where it was found: `receipts`, `sales` or `subscribers`."),
    .key("product", "The product."),
    .key("country", "The storefront."),
    .key("currency", "The customer's currency."),
    .key("plan", "How the product is paid: `upfront` or `commitment`; empty for `sales`."),
    .key(
      "date",
      "The first day on which the new price was charged, also where it replaced no other price."
    ),
    .money("old_price", "The price before; empty when there was none."),
    .money("new_price", "The price from then on; empty when it is not known."),
    .text(
      "class",
      "`increase`; `decrease`; `glitch` (too few charges or days to be a price); `currency_change`; `new_storefront`; `new_plan` (the first price of a plan, after charges for another plan); `at_data_edge` (the earlier price is not in the data); `overlap` (new customers pay both prices); `new_customers_only` (existing subscribers keep the old price); `parallel` (paid by a minority beside others); `unconfirmed`."
    ),
    .text("origin", "`found` in the charges, or `file` of `--price-changes`."),
    .count(
      "new_charges",
      "Charges of the new price that were the first paid one of a subscription with a known start."),
    .count(
      "continuing_charges",
      "Charges of the new price that continued a standard paid period of the same product (`sales`: renewals)."
    ),
    .text("note", "Further remarks."),
  ]

  private static let increaseColumns: [Column] = [
    .key("source", "Where the numbers come from: `subscribers` or `receipts`."),
    .key("product", "The product."),
    .key("country", "The storefront; `*` in a row that pools several increases."),
    .key("currency", "The customer's currency; empty in a pooled row."),
    .key("plan", "How the product is paid: `upfront` or `commitment`."),
    .key("effective", "E: the first day on which the new price was charged; the first of several."),
    .key("effective_existing", "E_x: the day from which existing subscribers met it."),
    .money("old_price", "The price before; empty in a pooled row."),
    .money("new_price", "The price from then on; empty in a pooled row."),
  ]

  private static let impactColumns: [Column] = [
    // Counts.
    .text(
      "origin",
      "`found` in the charges, or `file` of `--price-changes`; empty when both are pooled."),
    .count("exposed", "Subscriptions that met the new price, or will: `reached + not_reached`."),
    .count("not_reached", "Of these: the renewal is still to come, or too recent to be decided."),
    .count("preserved", "Not in `exposed`: subscriptions that keep the old price by your choice."),
    .count("reached", "Of the exposed: the renewal came more than 2 days before as-of."),
    .count("renewed_new_price", "Of the reached: renewed at the new price."),
    .count("renewed_old_price", "Of the reached: renewed at the old price."),
    .count("renewed_other_price", "Of the reached: renewed the same product at another price."),
    .count("changed_product", "Of the reached: continued with another product or plan."),
    .count(
      "changed_to_cheaper", "Of those: to a lower price per day; an instalment counts as one month."
    ),
    .count("recovered", "Of the reached: charged again after 3 to 60 days."),
    .count("lapsed", "Of the reached: no charge within 60 days."),
    .count(
      "lapsed_price_reason",
      "Of those: Apple gives the price as the reason (`receipts`). Customers who were not asked for consent get another reason, so the count is too low."
    ),
    .count("pending", "Of the reached: no charge yet, and less than 60 days old."),
    .count(
      "refunded_60d",
      "Of those renewed at the new price: refunded in full within 60 days; empty while some are younger."
    ),
    .count("consent_asked", "Of the exposed: asked for consent (`receipts`)."),
    .count("consent_given", "Of the asked: agreed."),
    .count("consent_pending", "Of the asked: no answer so far."),
    .count("notified", "Of the exposed: not asked, only notified."),
    // Rates.
    .rate(
      "renewal_rate",
      "`(renewed_new_price + renewed_old_price + renewed_other_price + changed_product) / reached`; rates, intervals and money are empty for fewer than 30 reached."
    ),
    .rate("renewal_low", "Lower bound of its 95 % Wilson interval."),
    .rate("renewal_high", "Upper bound of the same interval."),
    .count("baseline_due", "Periods of the same price that ended in the 90 days before."),
    .rate(
      "baseline_rate", "The share of them that continued, weighted by the ages of the reached."),
    .text(
      "control",
      "The comparison group: `storefronts` (the same product in storefronts without a change), `products` (others of the same duration in the same storefront), or empty."
    ),
    .count("control_before_due", "The control's periods that ended in the 90 days before."),
    .rate(
      "control_before_rate",
      "The share of these that continued, weighted by the ages of the reached."),
    .count(
      "control_after_due",
      "The control's periods that ended after the change, the first one of each subscription."),
    .rate(
      "control_after_rate",
      "The share of these that continued, weighted by the ages of the reached."),
    .count("unmatched", "Of the reached: in an age band that one of the other groups lacks."),
    .rate("excess_churn", "The share of renewals lost to the increase; negative for a gain."),
    .rate("excess_low", "Lower bound of its 95 % interval."),
    .rate("excess_high", "Upper bound of the same interval."),
    .text(
      "verdict",
      "`too_few`, `no_control`, `pretrend` (the groups already moved apart before the change), `undecided` (the interval contains 0), `more_churn` or `less_churn`."
    ),
    // Money.
    .text("proceeds_currency", "The currency of the proceeds; empty when there are several."),
    .money("proceeds_actual", "Proceeds of the charges that continued."),
    .money(
      "proceeds_counterfactual",
      "The proceeds expected without the increase: the last proceeds of the reached, times the renewal rate expected without it."
    ),
    .money(
      "price_effect",
      "The gain from subscriptions that renewed the same product, without `share_effect`."),
    .money(
      "volume_effect", "The loss from subscriptions that did not renew because of the increase."),
    .money("mix_effect", "The gain or loss from subscriptions that changed the product."),
    .money(
      "share_effect",
      "The effect of a different proceeds share (after a year, by commission or tax), not caused by the increase."
    ),
    .money(
      "net_effect",
      "`price_effect + volume_effect + mix_effect = proceeds_actual - proceeds_counterfactual - share_effect`."
    ),
    // Break-even.
    .rate(
      "break_even_loss", "`1 - old / new`: the share of renewals that may be lost at one renewal."),
    .rate(
      "break_even_churn",
      "The churn rate that the increase can bear permanently: `(1 - baseline_rate) × new / old`."),
    .rate(
      "observed_loss", "`excess_churn` divided by the renewal rate expected without the increase."),
    .rate("observed_loss_low", "Lower bound of its 95 % interval."),
    .rate("observed_loss_high", "Upper bound of the same interval."),
    .text(
      "break_even_verdict",
      "`below` or `above` when the whole interval of `observed_loss` is below or above `break_even_loss`, else `undecided`; empty when unknown."
    ),
    .text("state", "`partial`, `provisional` or `final`, as in the other tables."),
  ]

  private static let monthColumns: [Column] = [
    .key("group", "`treated` or `control`."),
    .count("month", "Months of 30 days from E; -1 ends on the day before."),
    .count("due", "Standard paid periods that ended in it, at least 3 days before as-of."),
    .count("renewed", "Of these: continued within 2 days."),
    .rate("renewal_rate", "`renewed / due`, not standardised."),
    .rate("low", "Lower bound of its 95 % Wilson interval."),
    .rate("high", "Upper bound of the same interval."),
  ]

  private static let planColumns: [Column] = [
    .key("week", "The ISO week of the first renewal on or after the planned day."),
    .key("product", "The product."),
    .key("country", "The storefront."),
    .key("currency", "The customer's currency."),
    .count(
      "due", "Subscriptions that would meet the new price in that week, if all renew until then."),
    .count(
      "preflight",
      "Of these: at most ten days before that renewal at as-of; Apple may already have checked it."
    ),
    .text(
      "needs_consent",
      "Whether customers must agree, without which they do not renew: `yes` or `no` where the rule is public, else `unknown`."
    ),
  ]
}

extension PriceTableMaker {
  /// Returns `price_changes.csv` of all sources, only a header if there are no changes: METRICS.md section 6.
  package func changesTable() -> ReportTable {
    let rows = reports.flatMap { report in
      report.changes.filter(\.isAdmitted).map { row($0, report.source) }
    }
    return PriceTable.changes.table(rows)
  }

  private func row(_ change: PriceChange, _ source: Source) -> KeyedRow {
    KeyedRow(
      keys: [
        .text(source.rawValue), .text(names.product(change.key.product)),
        .text(names.text(change.key.country)), .text(names.text(change.key.currency)),
        .text(change.key.planName),
        .text(change.date.description), .milliunits(change.oldPrice), .milliunits(change.newPrice),
      ],
      cells: [
        .text(change.kind.rawValue), .text(change.origin.rawValue), .count(change.newCharges),
        .count(change.continuingCharges), .text(change.note), .productID(change.key.product, names),
      ])
  }
}

/// The price changes of one source in a finished run, and what its increases did.
package struct PriceReport: Sendable {
  package let report: SourceReport
  /// The changes of standard prices, found or given by the user.
  package var changes: [PriceChange]
  /// The counts of the subscribers that met an increase; `nil` without an increase or without chains.
  package var impact: ImpactTally?

  package init(_ report: SourceReport, changes: [PriceChange] = [], impact: ImpactTally? = nil) {
    self.report = report
    self.changes = changes
    self.impact = impact
  }

  package var source: Source { report.source }
}
