extension Rules {
  /// Section 8: what becomes of every file, day and row.
  static let rows = Section(
    number: 8, title: "Rows in = rows accounted for", blocks: counting + files + days + checks)

  private static let counting: [Block] = [
    .paragraph(
      """
      For every file `rows_read = rows_used + rows_rejected + rows_ignored`. This is tested at the \
      end of each run; a violation is an internal error (exit code 70). `health.csv` has a row for \
      each file: its `note` lists why rows were ignored, as `reason: n`, and what else there is to \
      know, separated by `; ` and sorted by bytes. `sha256` is of the bytes as stored. A blank \
      line is no row; nor are the totals of FINANCIAL, and the preamble and the summary of \
      FINANCE_DETAIL. Rows that are the same byte for byte are legitimate, and never merged.
      """),
    .paragraph("The kinds of files, as `health.csv` names them:"),
    .table(["kind", "file"], kinds),
    .paragraph("The reasons to ignore a row, or all rows of a file:"),
    .table(["reason", "when"], reasons),
  ]

  private static let kinds: [[String]] = [
    ["`sales`", "SALES, for source `sales`"],
    ["`subscriber`", "SUBSCRIBER, for source `subscribers`"],
    ["`subscription-event`", "SUBSCRIPTION_EVENT, for source `events`"],
    ["`subscription`", "SUBSCRIPTION, the snapshots of source `events`"],
    [
      """
      `offer-redemption`, `win-back`, `pre-order`, `newsstand`, `installs`, `first-annual`
      """, "other reports of App Store Connect; no table uses them",
    ],
    ["`financial`", "FINANCIAL, of one region or of all (`ZZ`): what Apple settled"],
    ["`finance-detail`", "FINANCE_DETAIL: the same with dates"],
    ["`payments`", "the payments CSV: what Apple owes and pays"],
    ["`apple-error`", "an error answer from Apple that was saved as a report"],
    ["`unknown`", "anything else"],
  ]

  private static let reasons: [[String]] = [
    ["`zero-quantity`", "Units or Quantity is 0, and the row is no refund (sections 2 and 4)"],
    [
      "`other product types`",
      """
      a row of SALES that is about no subscription; beside finance files only one without proceeds
      """,
    ],
    [
      "`other form of the same report`",
      "a row of the single FINANCIAL file whose country and currency a region's file has too",
    ],
    ["`filtered run`", "a finance file, when only some apps, groups, products or countries count"],
    ["`after as-of`", "dated after `--as-of` (rule 2.6)"],
    ["`duplicate file`", "the same bytes are read from another file"],
    ["`restated`", "another version of the report counts"],
    ["`other frequency`", "SALES files of a finer frequency are used"],
    ["`other report`", "a report that no table uses"],
    ["`other source`", "`--source` leaves it out"],
    ["`other vendor`", "`--vendor` leaves it out"],
    ["`no date`", "the report's day is neither in its name nor in its rows"],
    ["`damaged file`", "the file cannot be read to its end; none of its rows counts"],
    ["`unusable file`", "it is not understood: an error is given, or a note (below)"],
  ]

  private static let files: [Block] = [
    .heading("Files"),
    .points([
      """
      **Path order** is the order of files by the bytes of their paths below the input that was \
      named, `/` included; the files of several inputs are sorted together.
      """,
      """
      **The same report** has the same kind, frequency, report date and vendor. A name without a \
      vendor is of the day's one vendor, and of a report of its own where there are several; the \
      version does not matter.
      """,
      """
      **Identical files** (the same kind, frequency and report date, and the same bytes after \
      decompression) are read once: the first in path order.
      """,
      """
      **Restatements.** Of files that are the same report with other bytes the last in path order \
      counts. Both are listed, with their rows. Where its text equals an earlier file's, that \
      earlier file is the one read. A damaged file never replaces a good one.
      """,
      """
      **Finance files** are the same report when vendor, region or form, and fiscal period are the \
      same; payments CSVs when the month is. The region is the one of the file's name, or the only \
      one of its rows. Two that differ are an error, and neither counts.
      """,
      """
      **Damaged files** add nothing to any number: a file counts when its last byte has been read.
      """,
      """
      **Unrecognized files** are a note in `health.csv` when found in a folder, and an error when \
      named on the command line. An error answer from Apple is always an error, and quotes Apple's \
      text.
      """,
    ]),
  ]

  private static let days: [Block] = [
    .heading("Days"),
    .paragraph(
      """
      Missing, empty and zero are different. A day is `missing` without a file, `empty` with a \
      file that has a header and no rows, `present` with a file with rows; it is there when any \
      vendor has a file for it. `days.csv` (`kind,vendor,day,state,file`) has a row for each \
      file's day, and for each missing day from the first file to the last of its kind or \
      `--as-of`. Missing days are told for daily reports only. Snapshots of one day (of several \
      vendors) are added up.
      """),
  ]

  private static let checks: [Block] = [
    .heading("Checks"),
    .paragraph("`checks.csv` (`check,scope,expected,found,state`) has a row for each identity:"),
    .table(
      ["check", "tested"],
      [
        ["rows accounted for", "for every file, as above"],
        [
          "rows used = rows counted",
          """
          for `subscribers`: `rows_used` of all its files, and the rows that were folded into the tables; \
          a violation is an internal error too
          """,
        ],
        [
          "movement closes", "`close = close_observed`, for every month of `subscribers`",
        ],
        ["lapses - recovered = churned", "for every month of `subscribers`"],
        [
          "churned = lapsed + provisional + refund-ended",
          """
          for every month of `subscribers` that is over at as-of: nothing is due after as-of
          """,
        ],
        [
          "whole = sum of a view's rows",
          """
          for every view and source: `churned`, `due`, `lapses`, `charges` (`refunds` and \
          `proceeds`) and `converted` (`trials`)
          """,
        ],
        [
          "trailer",
          """
          for every financial report: the sums that it prints below its rows, as numbers. \
          `missing`: it prints none; `warning`: units differ, whose rule is not known for certain; \
          `failed`: the file is an error, and none of its rows counts
          """,
        ],
      ]),
    .paragraph(
      "`report` and `check` test them; one that does not hold is an internal error (exit code 70)."
    ),
  ]
}
