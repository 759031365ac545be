/// The tables of price changes with their columns: a part of the catalogue, METRICS.md section 6.
public enum PriceTable: String, CaseIterable, Sendable {
  /// Every change of a standard price with its class.
  case changes = "price_changes"
  /// The impact of each increase.
  case impact = "price_impact"
  /// Renewals before and after each increase.
  case months = "price_impact-months"
  /// The subscriptions that a planned price would meet.
  case plan = "price_plan"

  /// The columns before a view's dimension.
  private var keys: [Definition.Column] {
    switch self {
    case .changes: Self.changeColumns
    case .impact, .months: Self.increaseColumns
    case .plan: []
    }
  }

  /// The columns after a view's dimension.
  private var others: [Definition.Column] {
    switch self {
    case .changes: []
    case .impact: Self.countColumns + Self.rateColumns + Self.moneyColumns + Self.breakEvenColumns
    case .months: Self.monthColumns
    case .plan: Self.planColumns
    }
  }

  /// Every column except a view's dimension, with its meaning.
  public var allColumns: [Definition.Column] { keys + others }

  /// Returns the columns of a view, in order.
  ///
  /// - Parameter dimensions: The view's dimension, or none.
  /// - Returns: Keys, the dimension and the other columns.
  public func columns(for dimensions: [String]) -> [ReportTable.Column] {
    keys.map(\.column) + dimensions.map { ReportTable.Column($0, .key) } + others.map(\.column)
  }

  private typealias Column = Definition.Column

  private static let increaseColumns = [
    Column("source", .key, "Where the numbers come from: `subscribers` or `receipts`."),
    Column("product", .key, "The product."),
    Column("country", .key, "The storefront; `*` in a row that pools several increases."),
    Column("currency", .key, "The customer's currency; empty in a pooled row."),
    Column("plan", .key, "How the product is paid: `upfront` or `commitment`."),
    Column(
      "effective", .key,
      "E: the first day on which the new price was charged; the first of several."),
    Column("effective_existing", .key, "E_x: the day from which existing subscribers met it."),
    Column("old_price", .money, "The price before; empty in a pooled row."),
    Column("new_price", .money, "The price from then on; empty in a pooled row."),
  ]

  private static let countColumns = [
    Column(
      "origin", .text,
      "`found` in the charges, or `file` of `--price-changes`; empty when both are pooled."),
    Column(
      "exposed", .count, "Subscriptions that met the new price, or will: `reached + not_reached`."),
    Column(
      "not_reached", .count, "Of these: the renewal has not come, or is too young to be known."),
    Column("preserved", .count, "Beside these: those who keep the old price by your choice."),
    Column("reached", .count, "Of the exposed: the renewal came more than 2 days before as-of."),
    Column("renewed_new_price", .count, "Of the reached: renewed at the new price."),
    Column("renewed_old_price", .count, "Of the reached: renewed at the old price."),
    Column(
      "renewed_other_price", .count, "Of the reached: renewed the same product at another price."),
    Column("changed_product", .count, "Of the reached: went on with another product or plan."),
    Column(
      "changed_to_cheaper", .count,
      "Of those: to a lower price a day; an instalment is for one month."),
    Column("recovered", .count, "Of the reached: charged again after 3 to 60 days."),
    Column("lapsed", .count, "Of the reached: no charge within 60 days."),
    Column(
      "lapsed_price_reason", .count,
      "Of those: Apple gives the price as the reason (`receipts`). Leavers who were not asked for consent have another reason, so it counts too few."
    ),
    Column("pending", .count, "Of the reached: no charge yet, and less than 60 days old."),
    Column(
      "refunded_60d", .count,
      "Of those renewed at the new price: refunded in full within 60 days; empty while some are younger."
    ),
    Column("consent_asked", .count, "Of the exposed: asked for consent (`receipts`)."),
    Column("consent_given", .count, "Of the asked: agreed."),
    Column("consent_pending", .count, "Of the asked: no answer so far."),
    Column("notified", .count, "Of the exposed: not asked, only told."),
  ]

  private static let rateColumns = [
    Column(
      "renewal_rate", .rate,
      "The four that continued within 2 days, divided by `reached`; rates, intervals and money are empty for fewer than 30 reached."
    ),
    Column("renewal_low", .rate, "Lower bound of its 95 % Wilson interval."),
    Column("renewal_high", .rate, "Upper bound of the same interval."),
    Column("baseline_due", .count, "Periods of the same price that ended in the 90 days before."),
    Column("baseline_rate", .rate, "The part of them that continued, for the ages of the reached."),
    Column(
      "control", .text,
      "Whom it is compared with: `storefronts` (the product where nothing changed), `products` (others in the same storefront), or empty."
    ),
    Column("control_before_due", .count, "The control's periods that ended in the 90 days before."),
    Column("control_before_rate", .rate, "The part that continued, for the ages of the reached."),
    Column(
      "control_after_due", .count, "The control's periods that ended after, each chain's first."),
    Column("control_after_rate", .rate, "The part that continued, for the ages of the reached."),
    Column("unmatched", .count, "Of the reached: of an age that another group does not have."),
    Column(
      "excess_churn", .rate, "The share of renewals lost to the increase; negative for a gain."),
    Column("excess_low", .rate, "Lower bound of its 95 % interval."),
    Column("excess_high", .rate, "Upper bound of the same interval."),
    Column(
      "verdict", .text,
      "`too_few`, `no_control`, `pretrend` (they moved apart before), `undecided` (the interval has 0 in it), `more_churn` or `less_churn`."
    ),
  ]

  private static let moneyColumns = [
    Column(
      "proceeds_currency", .text, "The currency of the proceeds; empty when there are several."),
    Column("proceeds_actual", .money, "Proceeds of the charges that continued."),
    Column(
      "proceeds_counterfactual", .money,
      "What the reached would have paid at the old price and the renewal rate expected without it."),
    Column("price_effect", .money, "More from those who renewed the same product."),
    Column("volume_effect", .money, "Less from those who were lost to it."),
    Column("mix_effect", .money, "More or less from those who changed the product."),
    Column(
      "share_effect", .money,
      "What another share of the price changed (after a year, by commission or tax): it would have come anyway."
    ),
    Column(
      "net_effect", .money,
      "`price_effect + volume_effect + mix_effect = proceeds_actual - proceeds_counterfactual - share_effect`."
    ),
  ]

  private static let breakEvenColumns = [
    Column(
      "break_even_loss", .rate,
      "`1 - old / new`: the share of renewals that may be lost at one renewal."),
    Column(
      "break_even_churn", .rate,
      "The churn that may follow for good: `(1 - baseline_rate) × new / old`."),
    Column("observed_loss", .rate, "`excess_churn` as a part of those who would have renewed."),
    Column("observed_loss_low", .rate, "Lower bound of its 95 % interval."),
    Column("observed_loss_high", .rate, "Upper bound of the same interval."),
    Column(
      "break_even_verdict", .text,
      "`below` or `above` when the whole interval is, else `undecided`; empty when it is not known."
    ),
    Column("state", .text, "`partial`, `provisional` or `final`, as in the other tables."),
  ]

  private static let monthColumns = [
    Column("group", .key, "`treated` or `control`."),
    Column("month", .count, "Months of 30 days from E; -1 ends on the day before."),
    Column("due", .count, "Standard paid periods that ended in it, at least 3 days before as-of."),
    Column("renewed", .count, "Of these: continued within 2 days."),
    Column("renewal_rate", .rate, "`renewed / due`, not standardised."),
    Column("low", .rate, "Lower bound of its 95 % Wilson interval."),
    Column("high", .rate, "Upper bound of the same interval."),
  ]

  private static let planColumns = [
    Column("week", .key, "The ISO week of the first renewal on or after the planned day."),
    Column("product", .key, "The product."),
    Column("country", .key, "The storefront."),
    Column("currency", .key, "The customer's currency."),
    Column(
      "due", .count,
      "Subscriptions that would meet the new price in that week, if all renew until then."),
    Column(
      "preflight", .count,
      "Of these: inside the ten days before that renewal, at as-of; Apple may have checked it already."
    ),
    Column(
      "needs_consent", .text,
      "`yes` or `no` where the rule is known, else `unknown`: without consent they do not renew."),
  ]
}
