extension Rules {
  /// Section 6: which prices rose, and what that did.
  static let priceIncreases = Section(
    number: 6, title: "Price increases",
    blocks: priceFinding + meeting + comparing + moneyOfIncreases + rowsOfIncreases + planning)

  private static let meeting: [Block] = [
    .heading("Who met it"),
    .paragraph(
      """
      A subscription that was there before E is *exposed* by its last charge before E_x, when that was a \
      standard one at the old price and its period ended on E_x or later. It is left out when the period \
      was cut by an immediate change or ended by a full refund, and counted as `preserved` when the next \
      charge keeps the old price by the developer's choice. It is *reached* when the period ended more \
      than 2 days before as-of. `renewal_rate` is the part of the reached that continued within 2 days.
      """),
    .paragraph(
      """
      `changed_to_cheaper` compares the price a day, with a month of 30.436875 days. `receipts` also tell \
      of consent, from what Apple said between 62 days before E and 60 days after the period's end: asked, \
      and of these agreed or not answered by the last of it; everybody else was notified.
      """),
  ]

  private static let comparing: [Block] = [
    .heading("Comparison"),
    .paragraph(
      """
      T_after is the reached, T_before every standard paid period of the same price key that was due in the \
      90 days before E. The control is the first of these with at least 30 periods due before and after: \
      `storefronts`, the same product elsewhere; `products`, others of the same duration in the same \
      storefront; only those without a change (but glitches and the data's edge) from 120 days before E to \
      120 days after it, or to the last reached end if that is later. C_before and C_after are theirs, \
      chosen by the same rules. Only periods that ended at least 3 days before as-of count.
      """),
    .paragraph(
      """
      All four are standardised to the reached of the ordinals 1, 2, 3, 4–6, 7–12, 13+ and unknown start: \
      the number of the paid period that ends. A stratum that one of them lacks is left out, and its reached \
      are `unmatched`. A weighted rate counts as one of n cases, `n = 1 / Σ(w² / n_k)`.
      """),
    .paragraph(
      """
      `excess_churn = -[(T_after - T_before) - (C_after - C_before)]`. The interval of a difference of two \
      rates is Newcombe's, 56/70 - 48/80 = 0.2000 from 0.0524 to 0.3339; that of a difference D = d1 - d2 of \
      two such goes from `D - √((d1 - l1)² + (u2 - d2)²)` to `D + √((u1 - d1)² + (d2 - l2)²)`.
      """),
    .paragraph(
      """
      `verdict` is the first that holds: `too_few` (fewer than 30 reached), `no_control`, `pretrend` (the \
      distance of treated and control in the 30 days before E, less that of 61 to 90 days before, has an \
      interval without 0), `undecided` (the interval has 0 in it), `more_churn`, `less_churn`.
      """),
  ]

  private static let moneyOfIncreases: [Block] = [
    .heading("Money"),
    .paragraph(
      """
      At the renewal at which the price was met, units counted, exact. The counterfactual is what the \
      reached last paid in proceeds, times `T_before + C_after - C_before` within 0 and 1. `share_effect` is \
      what another share of the price (a step after one year, another commission of the storefront, \
      another tax) changed: of those who renewed the product in the same customer currency, new proceeds \
      less new price × old share, and 0 where that is no more than half a cent (of proceeds that are whole \
      numbers, half a unit) × (1 + new price / old price), which is rounding. \
      `price_effect` is the other change of proceeds of those who renewed the product, `mix_effect` that of \
      those who changed it, and `volume_effect` the rest of `net_effect`, so that `price_effect + \
      volume_effect + mix_effect = net_effect = proceeds_actual - proceeds_counterfactual - share_effect`.
      """),
  ]

  private static let rowsOfIncreases: [Block] = [
    .heading("Rows"),
    .paragraph(
      """
      Views are by `start_month`, `tenure` (the ordinals) and `offer`; in them only the reached are the \
      cohort's. Increases of one product within 14 days of the first also have a row together, with \
      `country` `*`, no `currency` and no money: treated periods are counted around their own dates, \
      control storefronts once, around the first. `state` is `partial` when a month from 90 days before E \
      to the last reached end is, `provisional` while a renewal, its return or a refund is outstanding.
      """),
    .table(["column of `price_impact.csv`", "meaning"], columns(of: .impact)),
    .table(["column of `price_impact-months.csv`", "meaning"], columns(of: .months)),
  ]

  private static let planning: [Block] = [
    .heading("Before a change"),
    .paragraph(
      """
      `--plan` counts the subscriptions that run at as-of at a lower standard price, by the week of their \
      first renewal on or after the planned day, if all renew until then. Consent is needed when an increase \
      is more than 50 % and more than 5 USD (a year's plan: 50 USD), or the second within a year; that rule \
      is of the United States, other storefronts' are not public in full.
      """),
    .table(["column of `price_plan.csv`", "meaning"], columns(of: .plan)),
  ]

  private static func columns(of table: PriceTable) -> [[String]] {
    table.allColumns.map { ["`\($0.column.name)`", $0.meaning] }
  }
}
