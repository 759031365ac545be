extension Rules {
  /// Section 4: what the rows of SUBSCRIPTION_EVENT reports mean.
  static let events = Section(
    number: 4, title: "Events",
    blocks: [
      .paragraph(
        """
        An event is classified by the words of its name. Case and repeated blanks do not matter, \
        `with Upgrade`, `with Downgrade` or `with Crossgrade` at the end is dropped, and older \
        words are read as today's: `Cancelled` as `Canceled`, `Introductory Price` as \
        `Introductory Offer`, `Billing Grace Period` as `Grace Period`. An *offer* is one of \
        Introductory Offer, Free Trial, Opt-In, Promotional Offer, Offer Code, Win-Back Offer. The \
        first rule that matches decides:
        """),
      .table(["class", "the name"], classes),
      .paragraph(
        """
        `Quantity` is a positive count, also for refunds; a row with 0 is `ignored: \
        zero-quantity`, and a row with a blank or negative one is rejected. An event is *paid* \
        when its Consecutive Paid Periods are 1 or more; the number includes the period just \
        bought, and blank is 0. An event has no money, and says nothing about gaps.
        """),
      .paragraph("The reason of a lapse is told by its Cancellation Reason:"),
      .table(["reason", "Cancellation Reason"], reasons),
      .paragraph(
        """
        Apple dates a lapse by the end of the period or, when billing was retried, by the end of \
        the retry. So billing churn appears here up to 60 days later than in `subscribers`. Both \
        are printed with their source; neither is corrected by the other.
        """),
    ])

  private static let classes: [[String]] = [
    ["`refund`", "is `Refund`"],
    ["`lapse`", "begins with `Cancel`"],
    ["`retry`", "begins with `Billing Retry`"],
    ["`grace`", "begins with `Grace Period`"],
    ["`reactivation`", "begins with `Reactivat`"],
    ["`recovery`", "contains `from Billing Retry` or `from Grace Period`"],
    ["`start`", "is `Subscribe` or `Opt-In`, or begins with `Start `"],
    [
      "`conversion`",
      """
      begins with `Paid Subscription from`, or with `Upgrade from`, `Downgrade from` or \
      `Crossgrade from` and an offer
      """,
    ],
    ["`change`", "begins with `Upgrade`, `Downgrade` or `Crossgrade`"],
    [
      "`renewal`",
      "is `Renew`, or an offer `from` an offer (the same or another) or `from Paid Subscription`",
    ],
    [
      "`unknown`",
      """
      anything else: shown with its raw name and quantity in `health.csv` and `summary.md`, and in \
      no number
      """,
    ],
  ]

  private static let reasons: [[String]] = [
    ["voluntary", "`Canceled`"],
    ["billing", "`Billing issue`"],
    ["price", "begins with `Price Increase`"],
    ["removed", "`Removed from Sale`"],
    ["other", "`Other`"],
    ["unknown", "blank, or anything else"],
  ]
}
