extension Rules {
  /// Section 10: how products of one year are paid, and at which prices.
  static let plans = Section(
    number: 10, title: "Billing plans and contingent prices",
    blocks: planRules + instalmentRules + termRules)

  private static let planRules: [Block] = [
    .paragraph(
      """
      Since April 2026 Apple sells products of 1 Year upfront or as a *commitment*: twelve monthly \
      *instalments*, each a charge with the same product id. Another plan counts as another product in \
      rule 2.4, in `movement` and in section 6.
      """),
    .rule(
      1, "Plan",
      """
      (dimension `plan`: `upfront`, `commitment`, `unknown`; filter `--billing-plan`). The config decides \
      first: `[plans]` names a product and its plan, or the prices of its instalments. Then a column \
      decides (`Billing Plan`, `Billing Plan Type`, `Billing Frequency`): `Monthly`, `Month` or `1 Month` \
      is a commitment, any other text upfront, a blank says nothing; `Billing Period` `1st` to `12th` is a \
      commitment and its position. Else the price decides, per product, storefront and customer currency, \
      of paid standard charges. An *instalment price* is one that at least 3 subscriptions (subscriber and \
      group) paid twice, 25 to 35 days apart, neither refunded in full, and these are at least half of \
      those whose first charge at it is 35 or more days before as-of. A product is *sold in instalments* \
      when a price is one, when a column says so, or when its prices with such a pair pass the same test \
      together. Of such a product a price is also one when one subscription paid it so twice and at least \
      half of those old enough did, or when it is at most a sixth of the dearest standard price of its \
      product, storefront and currency. `health.csv` and the page list the prices. A free charge is no \
      instalment: its plan is what the config or a column says, else `unknown` where the product is sold \
      in instalments. In `retention` the plan is that of the chain's first paid charge. `events`, \
      snapshots and `sales` do not say the plan: `health.csv` names the products whose counts there may \
      be instalments.
      """),
  ]

  private static let instalmentRules: [Block] = [
    .rule(
      2, "Periods and positions.",
      """
      The period of an instalment ends n months after the first instalment of its *run*, where n is its \
      number in the run (31 January: 28 February, 31 March). A run begins with the first charge of a term \
      and with a charge after a gap; it goes on through charges that continue and start at most 3 days \
      from the date so found. A charge that is bought again on the same day has no length, no number and \
      no place in a term. The *position* is what a column says, else counted. An instalment is the first \
      of a term when it opens a chain whose start is known; when it opens a chain and the first file is \
      earlier than 2026-04-27; when the charge before it is no instalment of the same product; when the \
      instalment before it was a 12th, was refunded while it was current, or was followed by a gap of more \
      than 90 days; or when its price differs from that of the instalment before, in the same currency. \
      Else its position is one more than that of the instalment before, or not known, as that one's. For \
      the lapse of an instalment 90 days stand for 60, in every table; in rule 2.7 and in the `partial` rule of \
      churn its standard duration is 1 Month.
      """)
  ]

  private static let termRules: [Block] = [
    .rule(
      3, "Terms.",
      """
      A term ends *complete* at the end of its last instalment; at a full refund that ends the current \
      instalment; at the start of a charge of another product, plan or price that follows an instalment \
      before the last at most 2 days after its end; or *defaulted*, 90 days after the end of its last paid \
      instalment. From the end of an instalment that the next did not continue it is *suspended*, until \
      the recovery or for those 90 days.
      """),
    .rule(
      4, "Other tables.",
      """
      Only the last instalment of a term is due in `renewals`; one of unknown position is not due. So \
      `churned = lapsed + open provisional + refund-ended + instalments that were not due and lapsed`. In \
      `retention` k counts a term as one paid period. Its scheduled end is the end of its last paid \
      instalment plus the months to come; at risk, pending and censored go by it, with 90 days. It is lost \
      when it defaulted, when a refund ended it and nothing came within 90 days, or when it was complete and \
      neither continued nor recovered. A term cut by a change neither counts nor raises k; one of unknown \
      position ends what can be followed. `trials`, `refunds` and `proceeds` count every instalment as a \
      charge.
      """),
    .paragraph("The table `commitments` is in section 5, commissions are in section 7."),
    .rule(
      6, "Prices.",
      """
      Section 6 sees a term as one period, bought with its first instalment at its price and share, that ends \
      with the term. A defaulted term is left out like one that a refund ended; a running one is \
      `not_reached`, and ends on its scheduled day. Instalments of unknown position take no part, but count \
      for the first day of their price's key. `changed_to_cheaper` takes one month for an instalment. In \
      money an instalment's proceeds count 12 times. In `price_plan.csv` a commitment is due at the end of \
      its term. `--price-changes` and `--plan` may have a column `plan`; without it a change is about the \
      upfront price, and a planned price about every plan.
      """),
    .rule(
      7, "Contingent prices",
      """
      (dimension and filter `contingent`). A row of SUBSCRIBER or SALES with a `Contingent App Name` was sold \
      cheaper because the customer subscribes to another app: `yes`, else `no`; `unknown` where the file \
      has no such column.
      """),
  ]
}
