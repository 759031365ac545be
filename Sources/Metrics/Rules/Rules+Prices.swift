extension Rules {
  /// Section 6: how changes of prices are found, and what increases did.
  static let priceIncreases = Section(
    number: 6, title: "Price increases",
    blocks: finding + exposure + comparison + money + plan)

  private static let finding: [Block] = [
    .heading("Finding changes"),
    .paragraph(
      """
      Per product, storefront and customer currency, from the prices that are really in the rows; \
      `price_changes.csv` lists every change with its class. From `sales` changes are only found: what \
      they did needs `subscribers` or `receipts`.
      """),
    .rule(
      1, "Charges.",
      """
      Standard charges with a price above 0 that are not preserved (`sales`: IAY and IAY-M with a blank \
      Order Type and Promo Code and Units above 0). *New* is the first paid charge of a chain with a known \
      start (`sales`: Subscription is New); *continuing* a charge that continues a standard paid period of \
      the same product. A first row of unknown start and a return after a lapse are neither.
      """),
    .rule(
      2, "Spells and glitches.",
      """
      A price has a new spell when it is charged again after 7 or more days in which it was not charged \
      and another price that is no glitch was. A spell of fewer than 3 charges or on fewer than 2 days is a \
      `glitch`; so is one that lasts less than 7 days, when as-of is at least 7 days after its first day \
      and that is more than 7 days after the first file. It is `unconfirmed` instead when its first day is \
      less than 7 days before as-of, and `at_data_edge` (without a new price) when its last day is less \
      than 7 days after the first file. None of these is looked at again. Whether the price between two \
      spells is a glitch is asked of all its charges together.
      """),
    .rule(
      3, "Neighbours.",
      """
      The other spells are compared in the order of their first days. A lower price is a `decrease`. A \
      key's first price has a row of its own when it appears more than 35 days after the first file: \
      `currency_change` when another currency was charged there before and fewer than 3 times from the \
      eighth day on, else `new_storefront`.
      """),
    .rule(4, "E.", "The effective date is the first day on which anybody pays the new price."),
    .rule(
      5, "Edges.",
      """
      `at_data_edge` when the old price was first seen less than 28 days before E; `unconfirmed` when \
      as-of is less than 7 days after E.
      """),
    .rule(
      6, "Overlap.",
      """
      `overlap` when fewer than 90 % of the new charges of the first 28 days pay the new price: several \
      prices are sold side by side, and only `--price-changes` can say which is the increase.
      """),
    .rule(
      7, "Who moved.",
      """
      Of the charges from E on that continue a period at the old price (itself not preserved, so that each \
      chain counts once): *moved* pay the new price, *kept* are preserved and pay the old one. With fewer \
      than 3 moved, or not more moved than kept, nobody is exposed: `new_customers_only` when more kept \
      than moved, else `unconfirmed`. `sales` rows do not say what they continue: there a renewal in the \
      first standard duration from E on continues a period from before E.
      """),
    .rule(
      8, "Increase.",
      """
      Everything else is an `increase`. A row of `--price-changes` replaces all of this for its key.
      """),
    .rule(
      9, "E_x.",
      """
      The day from which existing subscribers meet the price: E, unless more than half of the charges of \
      the first 28 days that continue a period at the old price still pay it; then the first day on which \
      one pays the new price and from which at least 90 % do for 28 days; E when there is none.
      """),
    .paragraph(
      """
      From `receipts` the charges compared are consecutive standard ones of one chain with equal product, \
      currency and storefront; the data begin with the first charge that has a price.
      """),
    table(of: .changes),
  ]

  private static let exposure: [Block] = [
    .heading("Exposed, and what they did"),
    .paragraph(
      """
      A chain whose first row is before E is exposed by its earliest standard paid period at the old price \
      that began before E_x, ends on or after E_x and has no next charge before E_x. It is left out when \
      that period was cut by an immediate change or ended by a full refund, and counted as `preserved` when \
      its next charge is. Each chain counts once. It is *reached* when that end lies more than 2 days before \
      as-of. What is not reached yet is counted, and is in no rate.
      """),
    .paragraph(
      """
      Consent (`receipts` only): asked is a status 0 or the notification PRICE_INCREASE with PENDING; given \
      a later 1 of the same chain; pending a 0 that is the latest; everyone else was only notified.
      """),
  ]

  private static let comparison: [Block] = [
    .heading("Comparison"),
    .paragraph(
      """
      T_after are the reached; C_after the control's periods that the same rule chooses; T_before and \
      C_before all due standard paid periods that end in the 90 days before E. The control is the first \
      with at least 30 due before and after: other storefronts of the same product, else other products of \
      the same duration in the same storefront; none with a change of any class but `glitch` and \
      `at_data_edge` from 120 days before E to the later of 120 days after it and the last reached end. All \
      groups are standardised to the reached's shares of the ordinals 1, 2, 3, 4–6, 7–12, 13+ and unknown \
      start; an ordinal that any group lacks is left out (`unmatched`).
      """),
    .paragraph(
      """
      `excess_churn = -[(T_after - T_before) - (C_after - C_before)]`; its interval is put together from \
      Newcombe's of the two differences. `verdict`, the first that holds: `too_few` (fewer than 30 reached), \
      `no_control`, `pretrend` (treated and control moved apart in the three months before), `undecided` \
      (the interval has 0 in it), `more_churn`, `less_churn`. A pooled row (storefront `*`) takes the \
      increases of one product together whose dates are at most 14 days after the first.
      """),
    table(of: .impact),
    table(of: .months),
  ]

  private static let money: [Block] = [
    .heading("Money"),
    .paragraph(
      """
      At the first exposed renewal, per proceeds currency; empty without a control. Counterfactual = Σ last \
      old-price proceeds of the reached × (T_before + C_after - C_before, within 0 and 1). `price_effect + \
      volume_effect + mix_effect = net_effect = actual - counterfactual - share_effect`, to the milliunit; \
      `share_effect` is what Apple's lower commission after a year brings, which would have come anyway. \
      `break_even_loss = 1 - old / new` is the share of renewals that may be lost at one renewal: 23.1 % \
      for 9.99 → 12.99.
      """),
  ]

  private static let plan: [Block] = [
    .heading("Planned prices"),
    .paragraph(
      """
      `--plan` asks whom a price would meet, and when, if all renew until then. `needs_consent` follows the \
      United States' rule there (more than 50 % *and* more than 5 USD, 50 USD a year; or another increase \
      within a year); it is `unknown` elsewhere, for the amounts of other storefronts are not public in \
      full. Where no consent is needed those who leave switch off renewal, so `lapsed_price_reason` counts \
      too few.
      """),
    table(of: .plan),
  ]

  private static func table(of table: PriceTable) -> Block {
    .table(
      ["`\(table.rawValue).csv`", "meaning"],
      table.allColumns.map { ["`\($0.column.name)`", $0.meaning] })
  }
}
