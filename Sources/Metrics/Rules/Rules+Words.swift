extension Rules {
  /// Section 1: what the words of the other sections mean, and what views group by.
  static let words = Section(
    number: 1, title: "Words and dimensions",
    blocks: [
      .table(["word", "meaning"], meanings),
      .paragraph(
        """
        A **dimension** is what a view groups by. Section 2 says when the start of a chain is known.
        """),
      .table(["dimension", "value", "sources"], dimensions),
      .paragraph(
        """
        A source that lacks one of a view's dimensions is left out of that view: `health.csv` then \
        has a row with an empty path, the source under `kind`, empty counts and the view under \
        `note`. Nothing is guessed. A view of a table that no source can supply is not written. A \
        source that lacks the dimension of a filter is left out likewise.
        """),
      .paragraph(
        """
        A **filter** selects the same rows as the view by its dimension has. Chains are built from \
        all rows first, so a change to another product stays a change and is no loss.
        """),
      .paragraph("**Whose value counts.** A row of a table stands under the values"),
      .points([
        "of the period that ends, in `churn`, `renewals` and `lapses`;",
        "of the period that ends or the charge that begins, in `movement`;",
        "of the period that covers the day, for `active_start` and the stocks of `movement`;",
        "of the trial's own row, in `trials`;",
        """
        of the charge, in `refunds` and `proceeds`: a refund stands under the values of the charge \
        it points at (in its own currency), or under its own when that charge is outside the \
        input;
        """,
        "of the chain's first charge, in `retention`.",
      ]),
      .paragraph(
        """
        **Names.** A product is its Apple ID (SALES: Apple Identifier), an app its Apple ID. \
        Printed is the name on the last used row, over all files of the run in path order and \
        whatever the source; ` (ID)` is appended where two ids share a name, and an id without a \
        name prints as itself. A name that stands only under Previous Subscription Name of an \
        event is used where no row of the product itself has one.
        """),
    ])

  private static let meanings: [[String]] = [
    [
      "source",
      """
      Where a number comes from: `events` (SUBSCRIPTION_EVENT reports, with SUBSCRIPTION reports \
      as snapshots of the stock at the end of a day), `sales` (SALES), `subscribers` (SUBSCRIBER).
      """,
    ],
    [
      "chain",
      """
      Everything that one customer did in one subscription group: the rows of one Subscriber ID \
      and one Subscription Group ID.
      """,
    ],
    [
      "charge",
      """
      One period that was bought, paid or free. A refund row is no charge; it points at one.
      """,
    ],
    ["paid", "Said of a charge whose price is above 0, and of its period."],
    [
      "period",
      """
      The days that a charge bought, `start <= day < end`. `end` is the first day after it.
      """,
    ],
    [
      "kind of a charge",
      """
      `offer`: the row has the name or id of a promotional offer, or an offer type that names a \
      promotional offer, an offer code or a win-back offer; paid or free. Else `trial`: an \
      introductory offer at price 0. Else `intro`: an introductory offer that is paid as you go or \
      up front. Else `standard`.
      """,
    ],
    ["gap", "The whole days from a period's end to the start of the chain's next charge."],
    [
      "report date",
      """
      The day of a file: the date in its name, else the most frequent day in it (Event Date; \
      SALES: the last day of the row's Begin Date to End Date), the earliest of several that tie.
      """,
    ],
    [
      "first file",
      "The file of a source with the earliest report date (`events`: of SUBSCRIPTION_EVENT files).",
    ],
    [
      "as-of",
      """
      The day up to which a source's data are complete (rule 2.6); one per source. Never the \
      machine's clock, never a file's time stamp.
      """,
    ],
    ["view", "A table split by one or more dimensions."],
    ["cohort", "The rows that share the values of a view's dimensions."],
  ]

  private static let dimensions: [[String]] = [
    ["`app`", "The app's name.", "events, subscribers"],
    ["`group`", "The Subscription Group ID.", "events, subscribers"],
    ["`product`", "The subscription's name.", "events, sales, subscribers"],
    [
      "`duration`", "The standard duration, such as `1 Month`; `1 Week` is `7 Days`.",
      "events, subscribers",
    ],
    [
      "`country`",
      "The storefront's 2-letter code in upper case; a 3-letter code is turned into it.",
      "events, sales, subscribers",
    ],
    ["`device`", "As on the row.", "events, sales, subscribers"],
    ["`client`", "As on the row.", "events, sales, subscribers"],
    [
      "`offer`", "The kind of the chain's first charge; `unknown` where its start is not known.",
      "subscribers",
    ],
    [
      "`price`", "The size of the customer price and its currency, such as `9.99 USD`.",
      "sales, subscribers",
    ],
    [
      "`proceeds_rate`",
      "`after_one_year` where Proceeds Reason is Rate After One Year, else `standard`.",
      "events, sales, subscribers",
    ],
    [
      "`preserved`", "`yes` where Preserved Pricing is Yes, else `no`.",
      "events, sales, subscribers",
    ],
    [
      "`start_month`",
      """
      The month of the chain's first charge, such as `2026-09`, or as rules 2.7 to 2.9 say. \
      `events`: of Original Start Date, `unknown` where it is blank.
      """, "events, subscribers",
    ],
    [
      "`start_quarter`", "The same as a quarter, such as `2026-Q3`.", "events, subscribers",
    ],
    [
      "`start_week`", "The same as an ISO 8601 week, such as `2026-W05`.", "events, subscribers",
    ],
  ]
}
