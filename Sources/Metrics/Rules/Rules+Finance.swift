extension Rules {
  /// Section 7: how sales become a settlement, and a settlement a payment.
  static let settlement = Section(
    number: 7, title: "Settlement",
    blocks: bridgeRules + countingRules + formRules + paymentRules)

  private static let bridgeRules: [Block] = [
    .paragraph(
      """
      `reconcile` builds a bridge for each fiscal period with a finance file, region and currency: \
      from what Sales and Trends says (steps 10 and 11) to what Apple settles (30), to what it owes \
      (50) and pays (60). Sales and Trends is an estimate, and Apple advises against forcing the two \
      equal: a bridge shows the difference with its causes. Every line is printed, zeros too. \
      `10 … 29 = 30` and `30 … 49 = 50`, to the thousandth.
      """),
    .table(["step", "line", "what it is, signed as it is added"], lines),
    .heading("reconcile.csv"),
    .table(
      ["column", "meaning"],
      [
        ["`source`", "`finance`."], ["`period`", "The fiscal period, such as `2026-03`."],
        ["`region`", "Apple's region code."], ["`currency`", "The currency of the settlement."],
      ] + Definition.reconcileColumns.map { ["`\($0.column.name)`", $0.meaning] }),
    .paragraph(
      """
      `reconcile-by-product.csv` has `product` after `currency` and the same lines up to step 30. \
      Means over lags are rounded for each product by itself.
      """),
  ]

  private static let lines: [[String]] = [
    [
      "10", "`sales_gross`",
      "Units × Developer Proceeds of every SALES row with proceeds that is no refund, of every product type, by Begin Date.",
    ],
    [
      "11", "`sales_refunds`",
      "The same of refunds, negative; Units 0 counts 1. A row is a refund when Units or Customer Price is below zero, except `CMB-C`, a sale with the sign of its Units.",
    ],
    [
      "12", "`missing_days`",
      "What was settled of days without a SALES report; those rows are not counted otherwise. Unknown without FINANCE_DETAIL. With such days 10 and 11 are estimates, or unknown when every day is missing.",
    ],
    [
      "20, 21", "`cutoff_in`, `cutoff_out`",
      "Sale rows of FINANCE_DETAIL settled in the period and sold in another (+); sold in the period and settled in another (-).",
    ],
    ["22", "`refund_timing`", "The same two for returns."],
    ["23", "`not_collected`", "Surplus units of SALES: sold or refunded, and never settled."],
    [
      "24", "`share_difference`",
      "What was settled less what SALES says, over equal counts; one row for shares that differ by Apple's two rates (`70/85`, within 0.5 % or the rounding of both), one for `other`.",
    ],
    [
      "25", "`other_region`",
      "Surplus of a country that SALES has in one currency, and the settlements of the period and the next two only in another: it leaves one bridge (at proceeds) and enters the other (at share).",
    ],
    ["29", "`unexplained_sales`", "Closes to 30; exact with FINANCE_DETAIL."],
    ["30", "`finance_share`", "Σ Extended Partner Share."],
    [
      "40–43", "`input_tax`, `adjustments`, `withholding_tax`, `carried_balance`",
      "As the payments CSV prints them.",
    ],
    ["49", "`unexplained_payment`", "Closes to 50."],
    ["50", "`total_owed`", "Of the payments CSV."],
    [
      "60", "`payment`",
      "What reaches the bank, in its currency; the evidence has the rate and the day on which Apple is expected to pay, 33 days after the period.",
    ],
  ]

  private static let countingRules: [Block] = [
    .heading("Counting"),
    .rule(
      1, "Keys.",
      """
      Reports add up units that are alike, so units are compared by count, for each Apple ID, \
      country, proceeds currency, size of the customer price, and sale or return, within a fiscal \
      period; rows without a share take no part. A settled unit belongs to the period of its \
      Transaction Date. An uncollected sale and an alien settled unit of one key and period cancel.
      """),
    .rule(
      2, "Which units are surplus",
      """
      matters for their value alone. Pairs are made in passes: same day and share; at most a day \
      apart and same share; same day; at most a day apart; then whatever is left. Settled units \
      come in the order of settlement, transaction, share and line, sold ones by day and share.
      """),
    .rule(
      3, "Across the period's end.",
      """
      Before those passes, settled units left over on the first (last) day of a period are moved to \
      the neighbouring period, where units sold on the last (first) day are left over: as many as \
      both periods lack, those of a share that was sold first. Left over is what the other report \
      does not have of the same key on that day. Where this moved anything, 20 to 24 are estimates, \
      with the amounts with and without it as range.
      """),
    .rule(
      4, "Not yet settled.",
      """
      With FINANCE_DETAIL of the next period 23 is an estimate, with that of the one after it is \
      exact; so is 25. Without the next, open sales of the last N days (N is the longest lag seen) \
      go to 21, older ones and open refunds to 23. These are estimates, because any of them may turn \
      out to be the other; so are 22 where refunds are open, 24, and 12 where days are missing.
      """),
    .heading("Without FINANCE_DETAIL"),
    .rule(
      5, "Lags.",
      """
      FINANCIAL has no dates. 20 to 22 are then estimated: the mean, by units, of what the line \
      would be if every row settled L days after its Begin Date, and as range the least and most \
      for L from the 5 % to the 95 % nearest-rank lag. Lags are those of all FINANCE_DETAIL of the \
      input (of sales for 20 and 21, of returns for 22); without any 0 days (40 %), 1 (50 %), 2 to 4 \
      (7 %), 9 (3 %). 20 is unknown unless the SALES days before the period are there up to the 95 % \
      lag; 22 then lacks what was refunded in them, and says so. 12, 23 and 24 are unknown. 29 has a \
      range and no amount, and no range where SALES days are missing.
      """),
  ]

  private static let formRules: [Block] = [
    .heading("Which files count"),
    .rule(
      6, "Forms.",
      """
      For each vendor, period, country and currency: region files, else the single file (`ZZ`), \
      else FINANCE_DETAIL; dates always from FINANCE_DETAIL. The totals of all that are there must \
      agree (`checks.csv`: forms agree); region files are compared with their own regions.
      """),
    .rule(
      7, "Regions.",
      """
      A country's own region when its currency is that one; else `EU` for EUR; else `LL`, `AP` or \
      `WW` for USD by Apple's list; else `WW`, with a note. By the last day of the period. The name \
      of a region file decides for the countries and currencies in it, in its period.
      """),
    .rule(
      8, "Periods.",
      """
      From Start and End Date; dates that are no fiscal period are an error. Apple's fiscal year \
      ends on the last Saturday of September; its quarters have 5, 4 and 4 weeks, and in a year of \
      53 weeks the extra one is in period 3.
      """),
    .rule(
      9, "Trailers",
      """
      are checksums: `Total_Rows`, `Total_Amount` and the summary by country and currency must \
      match, `Total_Units` should. A file with another sum is corrupt.
      """),
  ]

  private static let paymentRules: [Block] = [
    .heading("What decides"),
    .paragraph(
      """
      `--tolerance`, an amount of each currency, is the most that 29, 49, 24 `other` and the \
      differences between forms may be, either way; more ends with exit code 6. Where 29 has only a \
      range, it must reach 0 within the tolerance. Without a payments CSV 40 to 60 are unknown; a \
      region that the payments CSV of the period does not have is owed and paid nothing. Region rows after a \
      blank line are below the payout threshold: 60 is empty.
      """),
  ]
}
