extension Rules {
  /// Section 2: how the rows of SUBSCRIBER reports become chains.
  static let chains = Section(
    number: 2, title: "Chains from SUBSCRIBER reports", blocks: buildingRules + edgeRules)

  private static let buildingRules: [Block] = [
    .rule(
      1, "Rows.",
      """
      All rows of all files that are used count together. Refund rows (Refund is Yes) are set \
      apart for rule 9. *File order* is the path order of the files (section 8), then the order of \
      rows in a file.
      """),
    .rule(
      2, "Length.",
      """
      A period starts on its Event Date. A free trial and an offer paid up front run for the \
      *offer's* duration; an offer paid as you go and a standard charge run for the *standard* \
      duration; a marketing opt-in adds its own duration. Months and years are calendar months, \
      the day moved back to the month's last where there is no such day: 31 January and 1 Month is \
      28 or 29 February. Weeks and days are days. A month is never "30 days". `Units` n stands for \
      n equal charges; by rule 4 all but the last of them have no length.
      """),
    .rule(
      3, "Order.",
      """
      The charges of a chain are ordered by start; on the same day free before paid, then by the \
      end of the period, then in file order.
      """),
    .rule(
      4, "Continuation.",
      """
      The next charge *continues* a period when it starts no later than `end + 2 days`: Apple \
      charges up to a day early, and the day of a file is not the customer's day. When it starts \
      earlier than `end - 2 days`, the earlier period ends at that start. With *another product* \
      this is an immediate change (an upgrade, or a crossgrade of the same duration), and the \
      earlier period was not due. With the *same product on a later day* it is a renewal on the \
      old billing date, as after a recovery in a grace period: the earlier period was due on that \
      day, and renewed. With the *same product on the same day* it is a second purchase: the \
      earlier charge has no length and was not due. All of them count as charges and in money.
      """),
    .rule(
      5, "Lapses.",
      """
      A gap of more than 2 days, or nothing after the period, is a **lapse**, dated by the \
      period's end. It is `recovered` when the next charge starts at most 60 days after the end, \
      `reactivated` when later, and `open` without a next charge. An open lapse is `final` when \
      `end + 60 days <= as-of`, else `provisional`, because Apple retries billing for up to 60 \
      days. A return within 60 days may also be a customer who left and bought again: SUBSCRIBER \
      rows cannot tell.
      """),
    .rule(
      6, "As-of.",
      """
      As-of is the report date of the last file, which is the one with the newest report date. \
      (`events` are dated by the SUBSCRIPTION_EVENT files alone.) A period with no next charge \
      that ended at most 2 days before as-of, or ends later, has not lapsed: it is *running*, and \
      active on every later day. Rows dated after as-of count for chains and money. `churn`, \
      `renewals`, `lapses`, `trials` and `movement` have no row for a month after as-of's; \
      `refunds` and `proceeds` have. `--as-of D` takes the place of every later as-of: rows dated \
      after D are `ignored: after as-of`; where as-of is not later, they stay. Snapshots of days \
      after D are ignored in any case. A source that begins after D is left out.
      """),
  ]

  private static let edgeRules: [Block] = [
    .rule(
      7, "Left edge.",
      """
      The first file is not the beginning of the world. The start of a chain is *known* only if \
      its first charge is a `trial`; or an `intro` paid up front; or an `intro` paid as you go, \
      later than the first file's report date + the offer's duration; or `standard` or `offer`, \
      later than the first file's report date + the row's standard duration + 60 days. Otherwise \
      its `start_month` is `before YYYY-MM` with the month of the first file, and it is never \
      counted as new. (An error that remains: a customer who changed from a yearly to a weekly \
      plan may pass for new.)
      """),
    .rule(
      8, "New ids.",
      """
      Subscriber ID Reset is Yes on a chain's first charge goes before rule 7: a customer who came \
      back under a new id after 180 days or more. The `start_month` is `id reset`, the start is \
      not known, and the chain is not in `retention`. If the charge is paid, it is `reactivated` \
      in `movement`; a trial stays in `trials`.
      """),
    .rule(
      9, "Refunds.",
      """
      A refund row points at a charge of the same subscriber, product and country whose Event Date \
      is the refund's Purchase Date. Only a paid charge that was not yet refunded, fully or \
      partly, can be pointed at; among several one of the same price goes first, then a dearer \
      one, then any; in file order. A refund with `Units` 2 takes two. With `Units` 0, or a price \
      below the charge's, it is a *partial* (prorated) refund; `Units` 0 counts as 1 unit for \
      money. A **full** refund ends the period on the refund's day, if that is inside the period \
      as it was bought (`start <= day < end`). One on the next charge's day still ends it, unless \
      that is the charge's own day too: then rule 4 decides. A later one changes nothing in the \
      chain. A period that a full refund ended was not due. Without a later charge it is an open \
      lapse, and final at once; with a later charge its gap decides, as for any other period. Its \
      reason is `refund`. A refund for which no charge is found, or whose Purchase Date is blank, \
      is a *sale outside the input*: its `start_month` is `before YYYY-MM`, its `offer` is \
      `unknown`, its other dimensions are those of its own row. The sign of the money comes from \
      Refund is Yes, never from the sign of an amount.
      """),
    .rule(
      10, "Reasons.",
      """
      SUBSCRIBER rows tell no reason of a lapse but `refund`, so `churned_voluntary`, \
      `churned_billing`, `churned_price`, `churned_removed` and `churned_other` are empty there, \
      not 0, and `churned = churned_refund + churned_unknown`.
      """),
    .rule(
      11, "Rejected and ignored rows.",
      """
      Rejected is a row with: Units that are no whole number, above 10,000 in size, or negative \
      where Refund is not Yes; a duration or an offer type that is not known; an offer without a \
      duration; a date that is none (the days of 2008 to 2099 are dates), or a blank Event Date; \
      an amount that is blank, no decimal, or has more than three decimals (zeros at the end do \
      not count); a negative price where Refund is not Yes and Units are not 0; a blank Subscriber \
      ID, group id or standard duration; text that is not UTF-8; fewer cells than the header has, \
      or content in more; a line or a number too long to be one. Blank Units count 1. A row with \
      Units 0 that is no refund is `ignored: zero-quantity`.
      """),
  ]
}
