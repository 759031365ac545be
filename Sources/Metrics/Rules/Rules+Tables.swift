extension Rules {
  /// Section 5: what all tables share, and each of them.
  static let tables = Section(
    number: 5, title: "The tables",
    blocks: layout + states + TableKind.allCases.map(Block.definition) + rounding + statistics)

  private static let layout: [Block] = [
    .paragraph(
      """
      Every table begins with `source` and its keys, then the dimensions of the view (`currency` \
      after them). Rates are fractions with six decimals in CSV and percentages with two in \
      Markdown; every rate has its counts beside it and, where it is a proportion, a 95 % interval \
      `low`, `high`. An empty cell means *not known*; 0 means zero.
      """),
    .paragraph(
      """
      Only rows with at least one count or amount other than 0 are printed; a table that the \
      inputs allow is written with its header even when it has no row. Rows are sorted by their \
      keys: `k` as a number, everything else by its UTF-8 bytes. A month is a calendar month in \
      the report's own days. With `--fiscal` it is a period of Apple's fiscal calendar: `FY2026-P03` is \
      the third of the fiscal year that ends on the last Saturday of September 2026; quarters have 5, \
      4 and 4 weeks, and in a year of 53 weeks period 3 has 5. `start_*` stays calendar.
      """),
  ]

  private static let states: [Block] = [
    .heading("States"),
    .paragraph("The column `state` is the first that holds:"),
    .rule(
      1, "`partial`.",
      """
      A day of the month, up to as-of, has no file or lies before the first file. For \
      `subscribers` also: a lapse of any period (paid or free, of any cohort) that ended in the \
      month lies within 2 days of a missing day; then every row of that month is partial. In \
      `churn` also: the left edge described there. In `retention`: any day of the input is \
      missing. A day whose file has no rows is not missing. For `receipts` none of this counts, but \
      where an earlier `--as-of` leaves records out every row is partial: what those records say of \
      the time before cannot be used.
      """),
    .rule(
      2, "`provisional`.",
      """
      The month is not over at as-of. Or the row has pending or provisional counts; the pending \
      ones of `renewals` from `events` do not matter, because they never resolve. Or, in `churn` \
      and `lapses`: a paid period of the row's cohort ended in the month, at most 2 days before \
      as-of, with no next charge (unless a full refund ended it). Or, in `refunds` dated `sale`: \
      less than 60 days lie between the month's last day and as-of. In `retention`: a chain of the \
      cohort is pending at that k.
      """),
    .rule(3, "`final`.", "Nothing is known to be outstanding."),
  ]

  private static let rounding: [Block] = [
    .heading("Rounding"),
    .paragraph(
      """
      Rates and money are exact fractions and exact milliunits until they are printed; only the \
      bounds of intervals and survival are binary floating point. Every number is rounded half to \
      even. Amounts print at least two decimals, and a third when it is needed.
      """),
  ]

  private static let statistics: [Block] = [
    .heading("Statistics"),
    .paragraph("All intervals are of 95 %, with `z = 1.959964`."),
    .paragraph(
      """
      **Wilson score interval** of x out of n, with p = x / n: from `center - half` to `center + \
      half`, where `center = (p + z²/2n) / (1 + z²/n)` and `half = z / (1 + z²/n) · √(p(1 - p)/n + \
      z²/4n²)`. The lower bound is 0 for x = 0 and the upper bound 1 for x = n; there is no \
      interval for n = 0 or x > n.
      """),
    .table(["x / n", "low", "high"], wilsonVectors),
    .paragraph(
      """
      **Kaplan-Meier** survival after the steps 1 to k, with d of n lost at each: `S = Π (1 - \
      d/n)`. Its standard error by Greenwood's formula is `S · √G` with `G = Σ d / (n(n - d))`. \
      The interval is the one on the scale of `log(-log S)`: from `S^exp(u)` to `S^exp(-u)` with \
      `u = z · √G / |ln S|`; there is none at S = 0 or S = 1.
      """),
    .table(["at risk, lost", "survival", "standard error"], survivalVectors),
    .paragraph(
      """
      **Nearest rank**, for medians and percentiles: of n values in ascending order the one at \
      position `ceil(p · n)`, counted from 1. Of 1, 2, 3, 4 the median is 2 and the 90th \
      percentile 4.
      """),
  ]

  private static let wilsonVectors: [[String]] = [
    ["31 / 40", "0.6250", "0.8768"],
    ["13 / 40", "0.2008", "0.4798"],
    ["2 / 40", "0.0138", "0.1650"],
    ["0 / 10", "0", "0.2775"],
    ["10 / 10", "0.7225", "1"],
    ["3 / 25", "0.0417", "0.2996"],
    ["62 / 1000", "0.0487", "0.0787"],
  ]

  private static let survivalVectors: [[String]] = [
    ["370, 74", "0.8000", ""],
    ["176, 18", "0.7182", ""],
    ["72, 6", "0.6583", "0.0335"],
  ]
}
