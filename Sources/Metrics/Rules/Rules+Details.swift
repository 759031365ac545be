extension Rules {
  /// Returns the rules behind one table, beyond its definition.
  ///
  /// - Parameter table: The table.
  /// - Returns: What the table's part of section 5 says after its columns.
  public static func details(of table: TableKind) -> [Block] {
    switch table {
    case .churn: churn
    case .renewals: renewals
    case .lapses: lapses
    case .refunds: refunds
    case .retention: retention
    case .movement: movement
    case .proceeds: proceeds
    case .trials: trials
    case .commitments: commitments
    }
  }

  private static let churn: [Block] = [
    .points([
      """
      **Active.** A chain is active on a day when a paid period covers it, `start <= day < end`; a \
      period that is continued goes on to the next charge's start. `active_start` counts the \
      chains active on the last day before the month.
      """,
      """
      **Left edge.** For the month of the first file and those before it `active_start` is not \
      known: it is empty, and so are `churn_rate`, `low` and `high`. A row is `partial` while its \
      month begins before the first file's report date + the longest standard duration on any \
      charge, with the cohort's values, of a chain whose start is `before YYYY-MM`: until then \
      chains may be active that no file has shown yet.
      """,
      """
      **Churned** are the paid periods that end in the month in a lapse that is not `recovered`. \
      The seven reasons add up to `churned`; `churned_provisional` is a part of it. A paid chain \
      that goes on with a free offer and then lapses left by `switched_out` of `movement`, not by \
      churn.
      """,
      """
      **Rate.** `churn_rate` is empty when `active_start` is 0 or not known; `low` and `high` are \
      empty also when `churned` exceeds `active_start`.
      """,
      """
      **`events`.** `churned` is the quantity of paid `lapse` events, by the reason they give; \
      `churned_refund` is empty, `churned_provisional` is 0. `active_start` is the SUBSCRIPTION \
      snapshot of exactly the last day before the month: Active Standard Price and every Pay Up \
      Front and Pay As You Go column (before version 1_1 Active Subscriptions), without free \
      trials, marketing opt-ins, grace and retry. It is empty without such a file, and in views by \
      a dimension that a snapshot lacks: `start_month`, `start_quarter`, `start_week`.
      """,
    ])
  ]

  private static let renewals: [Block] = [
    .points([
      """
      **Due** are the paid periods that end in the month, at or before as-of. Not due are a period \
      that an immediate change of product cut short, one that a full refund ended, and a charge \
      without length because the same product was bought again on its day (all still count as \
      charges).
      """,
      """
      **Dated** is `due` by the period's own end; only a period that the next charge cut by more \
      than 2 days is dated by that charge.
      """,
      """
      **Each is exactly one** of `renewed` (continued, by any charge, paid or free), `recovered`, \
      `lapsed` (a lapse that is reactivated or open and final) and `pending` (open and \
      provisional, or ended at most 2 days before as-of with no next charge).
      """,
      """
      So `churned = lapsed + churned_provisional + churned_refund`, where the last counts the \
      periods ended by a full refund that led to no return within 60 days: a check of section 8.
      """,
      """
      **`events`.** `renewed` is the quantity of paid `renewal` events and of paid downgrades, \
      which take effect at the renewal (upgrades and crossgrades do not count). `lapsed` is that \
      of paid `lapse` events whose names do not say `from Billing Retry` or `from Grace Period`. \
      `pending` is that of paid `retry` and `grace` events, but for a retry `from Grace Period`. \
      `due = renewed + lapsed + pending`. `recovered` is that of paid `recovery` events by their \
      own date, and no part of `due`.
      """,
    ])
  ]

  private static let lapses: [Block] = [
    .points([
      "Only paid periods count, so that `lapses - recovered` is the `churned` of the churn table.",
      """
      `gap_days_median` and `gap_days_p90` are nearest ranks, in whole days, over recovered and \
      reactivated lapses; empty when there are none.
      """,
    ])
  ]

  private static let refunds: [Block] = [
    .points([
      """
      A refund stands once under `dating` `sale`, in the month of the charge it points at, and \
      once under `refund`, in the month of its own date. A refund whose sale is outside the input \
      stands only under `refund`.
      """,
      """
      `charges` and the gross amounts are the same under both: the paid charges of the month. \
      Dated `refund` the rate may exceed 1, so there is no interval.
      """,
      "The key's currency, and when a price is empty, are as in `proceeds`.",
    ])
  ]

  private static let retention: [Block] = [
    .points([
      """
      **k** numbers the paid periods of a chain with a known start. A period cut short by an \
      immediate change of product, and a charge without length (rules 2.2 and 2.4), neither count \
      nor raise k.
      """,
      """
      **At risk.** A chain is at risk at k only if its paid period k ended at least 60 days before \
      as-of, so that both fates had the same time to show. From its first later period on the \
      chain is left out, whether or not that one has already been renewed: counting early renewals \
      without the undecided would make survival too high.
      """,
      """
      **Lost** is a chain whose period k ended in a lapse that was not recovered; it is out for \
      good. A period ended by a full refund counts as a period, and is lost unless the chain came \
      back within 60 days. `kept = at_risk - lost`.
      """,
      """
      **Pending** at k is a chain whose paid period k ended, but less than 60 days before as-of, \
      and every later period of that chain that has ended.
      """,
      """
      **`events`.** k is Consecutive Paid Periods. `lost` is the quantity of paid `lapse` events \
      with k; `kept` is that of `Renew` and `recovery` events with k + 1; `at_risk` is their sum. \
      They are flows by date.
      """,
    ])
  ]

  private static let movement: [Block] = [
    .paragraph(
      """
      `close = open + started + first_seen + converted + reactivated + recovered + switched_in - \
      churned - entered_retry - switched_out`. Stocks are those of the end of a day.
      """),
    .points([
      """
      `started`: a chain with a known start whose first charge is paid. `first_seen`: a chain of \
      unknown start whose first charge is paid; it was a subscriber before, and is not new. \
      `reactivated`: a chain of rule 2.8 whose first charge is paid.
      """,
      """
      `reactivated`: a paid charge more than 60 days after the end of the period before it, paid \
      or free. `converted`: any other paid charge after a free period, also after a gap of 3 to 60 \
      days. `recovered`: a paid charge after a paid period and a gap of 3 to 60 days.
      """,
      """
      `churned` is the number of the churn table. `entered_retry` are the lapses that were later \
      recovered, dated by the lapse.
      """,
      """
      `switched_out` and `switched_in`: a charge that continues a paid period with another product \
      or another value of the cohort; in the whole population a change of product counts in both. \
      A paid period that a free charge continues is a `switched_out` alone.
      """,
      """
      `close_observed` is counted from the chains on its own; `unexplained` is 0 for \
      `subscribers`. The table begins with the month of the earliest paid charge, if that is \
      before the first file's month, else with that.
      """,
      """
      **`events`**, by the quantities of paid events: `started` is class `start`, `converted` \
      `conversion`, `reactivated` `reactivation`, `recovered` `recovery`, `switched_in` `change`, \
      and `switched_out` the same changes under their Previous Subscription Apple ID (the row's \
      own product where that is blank). `entered_retry` is the `pending` of `renewals`, `churned` \
      its `lapsed`: lapses from retry or grace left when they entered it. `first_seen` is 0.
      """,
      """
      **Stocks of `events`** are SUBSCRIPTION snapshots as in `churn`: `open` of the last day \
      before the month, `close_observed` of the month's last. Without the first `open`, `close` \
      and `unexplained` are empty, without the second `close_observed` and `unexplained`; in views \
      by a start all four. A cohort that only a snapshot has, has a row.
      """,
    ]),
  ]

  private static let proceeds: [Block] = [
    .points([
      """
      Money is price and proceeds per unit times units, exact to the milliunit (a thousandth). The \
      key's currency is that of the proceeds (the customer's where that is blank); nothing is \
      added across currencies.
      """,
      """
      Refunds stand in the month of their own date and in their own currency, and give back what \
      is on the refund row.
      """,
      """
      `gross_price`, `refunded_price` and `effective_rate` are empty when a charge or a refund of \
      the key has a customer currency other than the key's. `effective_rate` is empty also when \
      `gross_price` is 0.
      """,
      """
      **`sales`.** Rows of the product types IAY, IAY-M, IA9, IA9-M and IAC by the month of Begin \
      Date; other rows are `ignored: other product types`. Negative units or a negative price make \
      a refund; Units 0 counts 1, for a refund and for a sale. Of daily, weekly, monthly and \
      yearly files only the finest frequency present is used; the others are `ignored: other \
      frequency`, because they hold the same sales again.
      """,
      """
      **Conversion.** `--currency USD --rates FILE` (CSV `date,from,to,rate`) adds a column such \
      as `net_proceeds_USD` beside each money column of `proceeds` and `refunds`, with the newest \
      rate on or before the last day of the row's month. A rate that is missing is an error.
      """,
    ])
  ]

  private static let trials: [Block] = [
    .points([
      """
      A trial is a charge of the kind `trial`; a free `offer` is none.
      """,
      """
      It is `converted` when the chain's next charge is paid and starts at most 60 days after the \
      trial's end, also when that charge cut it short. It is `not_converted` when another free \
      charge follows, or a paid one later than that, or nothing and `end + 60 days <= as-of`. Else \
      it is `pending`.
      """,
      """
      **`events`.** By the event's own month: `converted` is the quantity of all `conversion` \
      events, `not_converted` that of `lapse` events with 0 Consecutive Paid Periods. `trials`, \
      `pending`, `conversion_rate`, `low` and `high` are empty.
      """,
    ])
  ]
}
