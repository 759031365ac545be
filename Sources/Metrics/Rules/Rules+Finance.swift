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
        ["`source`", "`finance`."], ["`period`", "The fiscal period, such as `FY2026-P03`."],
        ["`region`", "Apple's region code."], ["`currency`", "The currency of the settlement."],
      ] + Definition.reconcileColumns.map { ["`\($0.column.name)`", $0.meaning] }),
    .paragraph(
      """
      `reconcile-by-product.csv` has `product` after `currency` and the same lines up to step 30. \
      Means over lags are rounded for each product, and the whole is their sum; ranges are of the whole.
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
      "What was settled less what SALES says, over equal counts; one row for each pair of rates that explains a difference (`70/85`, and the pairs that the table of commissions gives the storefront up to the day after the sale, within 0.5 % or the rounding of both; in a period in which they change, any two of these rates), one for `other`, with the rates that were seen. Rows besides `70/85` and `other` only when they are not 0.",
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
      country, proceeds currency, size of the customer price, and sale or return; rows without a \
      share take no part. Surplus units of SALES are 23, surplus settled units stay in 29. A pair \
      counts in the period of its sale, a settled unit alone in that of its Transaction Date.
      """),
    .rule(
      2, "Days.",
      """
      If in every period with its FINANCE_DETAIL and the next one's as many units of a key are of \
      one day as their counts allow, the days of the two reports are equal and only units of one day \
      pair. Else, and without such a period, they may lie a day apart, also across a period's end.
      """),
    .rule(
      3, "Passes.",
      """
      Same day and share; at most a day apart and same share; same day; at most a day apart. Settled \
      units come in the order of settlement, transaction, share and line, sold ones by day and share. \
      Where that leaves fewer pairs than can be made within a day, the nearest units make up the \
      number. Then, with FINANCE_DETAIL of the next period, the rest of a period pairs whatever the \
      days: an uncollected sale and an alien settled unit of one key and period cancel. Without it \
      they do not, because the sale may only not be settled yet.
      """),
    .rule(
      4, "Not yet settled.",
      """
      A unit of SALES without a settled one is open until FINANCE_DETAIL of the next two periods is \
      there. Without the next, open sales of the last N days (N is the longest lag seen) are in 21, \
      open returns of those days in 22, older ones in 23. Any open unit may settle later or never: 21 \
      and 22 reach from none to all at 85/70 of the proceeds, 23 from all to none, 24 `70/85` from 70/85 \
      to 85/70. Of a country that is settled in another region, sales without a settled unit widen 21, 22 \
      and 25 there, at the product's mean share.
      """),
    .paragraph(
      """
      **Commissions.** What Apple pays of a price depends on storefront and day: 70 and 85 % everywhere; Japan 74 \
      and 85 % from 2025-12-18, China mainland 75 and 88 % from 2026-03-15, Brazil 74 and 85 % from 2026-06-18, the \
      European Union 74 and 85 % from 2026-10-01 (a secondary source). The row with the latest day counts, a named \
      storefront before all, a row of `--commissions` before a shipped one of the same day. `proceeds_rate` stays \
      Apple's flag; the second rate is also what small businesses get without it.
      """),
    .rule(
      5, "Status.",
      """
      20 to 25 are estimates where low and high differ, else exact. With a SALES day missing 10 to 12 \
      and 23 to 25 are estimates, always; where days may differ, surplus settled units beside such a day \
      are in 12.
      """),
    .heading("Without FINANCE_DETAIL"),
    .rule(
      6, "Lags.",
      """
      FINANCIAL has no dates. 20 to 22 are then estimated, product by product: the mean, by units, of \
      what the line would be if every row settled L days after its Begin Date, and as range the least \
      and most for L from the 5 % to the 95 % nearest-rank lag. Lags are those of all FINANCE_DETAIL of \
      the input (of sales for 20 and 21, of returns for 22); without any 0 days (40 %), 1 (50 %), 2 to 4 \
      (7 %), 9 (3 %). 20 is unknown unless the SALES days before the period are there up to the 95 % \
      lag; 22 then lacks what was refunded in them, and says so. 12, 23 and 24 are unknown. 29 has a \
      range and no amount, and no range where SALES days are missing.
      """),
  ]

  private static let formRules: [Block] = [
    .heading("Which files count"),
    .rule(
      7, "Forms.",
      """
      For each vendor, period, country and currency: region files, else the single file (`ZZ`), \
      else FINANCE_DETAIL; dates always from FINANCE_DETAIL. The totals of all that are there must \
      agree (`checks.csv`: forms agree); region files are compared with their own regions.
      """),
    .rule(
      8, "Regions.",
      """
      A country's own region when its currency is that one; else `EU` for EUR; else `LL`, `AP` or \
      `WW` for USD by Apple's list; else `WW`, with a note. By the last day of the period. The name \
      of a region file decides for the countries and currencies in it, in its period.
      """),
    .rule(
      9, "Periods.",
      """
      From Start and End Date; dates that are no fiscal period are an error. Apple's fiscal year \
      ends on the last Saturday of September; its quarters have 5, 4 and 4 weeks, and in a year of \
      53 weeks the extra one is in period 3.
      """),
    .rule(
      10, "Trailers",
      """
      are checksums: `Total_Rows`, `Total_Amount` and the summary by country and currency must \
      match, `Total_Units` should. A file with another sum is corrupt. Sums that lack a rejected row are \
      `missing`.
      """),
    .rule(
      11, "Rejected rows",
      """
      make the lines of their region and currency unknown, with file and line as cause: in the form that \
      settles 30; in FINANCE_DETAIL also 12 to 25 and 29 of its period, and 21 to 25 of the sale's; in SALES \
      10, 11, 21 to 25 and 29; in a payments CSV 40 to 60. Without a readable region or currency all lines \
      of the file.
      """),
  ]

  private static let paymentRules: [Block] = [
    .heading("Verdicts"),
    .paragraph(
      """
      `verdicts.csv` has a verdict for each bridge, the first that holds, with its reasons in `why`:
      """),
    .table(
      ["verdict", "when", "exit code"],
      [
        [
          "`unreconciled`",
          "29, 49 or 24 `other` is exact and further from 0 than `--tolerance`, an amount of each currency; two downloads of the period and currency differ; a carried balance is not what was left unpaid; the payout line is not the sum of Proceeds.",
          "6",
        ],
        [
          "`not verified`",
          "29 or 49 is not known, or 24 `other` has a range beyond the tolerance; a SALES day is missing, or all; a row was rejected; FINANCE_DETAIL of the next period is missing (of the newest period that alone is a note, unless `--month` asks for it).",
          "3",
        ],
        ["`reconciled`", "Everything was compared, and nothing differs.", "0"],
      ]),
    .heading("Payments"),
    .paragraph(
      """
      Without a payments CSV 40 to 60 are unknown; a region that the payments CSV of the period does not have is \
      owed and paid nothing. Region rows after a blank line are below the payout threshold: 60 is empty. 43 is \
      compared with the unpaid 50 of the period before (0 where that was paid), or of the newest file before it \
      that lists the region, without a gap; `missing` where a file is pending, lacks the column, or has a rejected \
      row.
      """),
  ]
}
