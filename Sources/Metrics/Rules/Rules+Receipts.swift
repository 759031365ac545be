extension Rules {
  /// Section 3: how copies of transactions in receipt dumps become chains.
  static let receipts = Section(
    number: 3, title: "Chains from receipts",
    blocks: recordRules + eventRules + periodRules + stateRules + remainingRules)

  private static let recordRules: [Block] = [
    .rule(
      1, "Environment.",
      """
      A record is non-production when any of its `environment`, `receipt_type` or transaction \
      environments contains Sandbox, Xcode or LocalTesting. One that says nothing is production, \
      and counted as `environment missing`. `--environment` chooses `production` (the default), \
      `sandbox` (every non-production record) or `all`.
      """),
    .rule(
      2, "Responses.",
      """
      A response is one verifyReceipt answer, one notification, one page of the Server API, or one \
      receipt; each element of an array, or of `notificationHistory`, is its own.
      """),
    .rule(
      3, "Customers.",
      """
      Records are of one customer, transitively, when they share a usable `appTransactionId`, \
      `original_transaction_id`, or `web_order_line_item_id` with the second of purchase; or, where \
      neither has an `appTransactionId`, an `appAccountToken` that is a UUID and not nil, or a \
      `transaction_id` with the second of purchase. Everything inside one response is one customer. \
      *Usable* is an id that is there, not blank and not all zeros. Transactions shared in a family \
      do not join by line item. `--identities` joins customers across apps and platforms. Without \
      such ids a person who comes back under a new original id is one customer who left and \
      another who came.
      """),
    .rule(
      4, "Groups.",
      """
      A subscription group's id that is missing or all zeros is taken from the config, else from \
      another transaction with the same original id, else from another with the same app and \
      product, if these name exactly one. Else it stays empty, and all subscriptions of the \
      customer in that app without a group are one chain (health: `group unknown`). Purchased and \
      family-shared subscriptions are separate chains.
      """),
  ]

  private static let eventRules: [Block] = [
    .rule(
      5, "One event.",
      """
      Dumps repeat a transaction in every capture, and a restore gives it a new id. Two copies are \
      one event when they share a usable line item id, or a usable transaction id, with the second \
      of purchase; copies with neither id when original id, product and second agree, or, if the \
      original id is a placeholder, only within one response; a copy without line item id also by \
      transaction id alone; a copy with neither id is the same event as any copy for which original \
      id, product and second agree. Copies of two customers are never one event, and by line item \
      only copies of the same ownership. The copies are ordered by as-of, then `in_app` before \
      `latest_receipt_info` before V2, then expiry, then transaction id; for each field the last \
      value that is there counts, flags hold when any copy has them, and the purchase is the \
      earliest.
      """),
    .rule(
      6, "Instants.",
      """
      Whole seconds, floored: `X_ms`, else `X` as GMT or RFC 3339 text, else `X` as a number of \
      milliseconds, else `X_formatted`; never `X_pst`. Outside 2008-01-01 to 2100-01-01 it is \
      missing. A transaction without purchase date is rejected. Months are months of UTC.
      """),
    .rule(
      7, "As-of.",
      """
      As-of of a record is its request date or signed date; without either the newest of its \
      creation, purchase, cancellation and status-change dates and, for a subscription it reports \
      as expired, the end of that subscription's newest purchase, or its cancellation if that is \
      earlier: Apple's expiry of a refunded purchase may lie in the future. As-of of a *chain* is the newest \
      record that holds it or, if it occurs in a log of notifications, the newest notification of \
      its app; never later than the run's, which is the largest of all, or `--as-of`. A period that \
      ends after its chain's as-of is neither due nor lapsed: otherwise one fresh record would turn \
      every customer captured earlier into one who left.
      """),
  ]

  private static let periodRules: [Block] = [
    .rule(
      8, "Periods.",
      """
      A period runs from purchase to expiry as Apple states them. An upgraded transaction is cut at \
      the chain's next later purchase, else at its cancellation, and is never due, no lapse and no \
      refund. A notification V2 with subtype UPGRADE marks the period that was running at its \
      purchase as upgraded. A verifyReceipt, V1 or raw transaction without `is_upgraded` counts as \
      upgraded when it was cancelled 0 to 300 seconds after the later purchase of another product \
      of the chain. A refund ends the period at the earlier of expiry and refund, with reason \
      `refund`; a prorated one too, counted as partial; a refunded period was not due. A revoked \
      family share ends access and is no refund. A refund is reversed only when a newer V2 copy has \
      no revocation date.
      """),
    .rule(
      9, "Gaps.",
      """
      Gaps of up to 1 hour (60 seconds outside production) do not interrupt a subscription. A \
      chain's *active periods* are its periods with such gaps closed; the last period of each is a \
      lapse, resolved by 60 days of 86,400 seconds as in 2.5. A period that ended no more than the \
      tolerance before its chain's as-of is still running, unless renewal info made after its end \
      says that it expired, its answer has status 21006, or a refund ended it.
      """),
    .rule(
      10, "Renewal info.",
      """
      Belongs to the periods of its own original id. A lapse takes its reason from the newest one \
      made at or after its end and before that id's next purchase: intent 1 is voluntary, 2 billing, \
      3 price, 4 removed, 5 other; no intent but billing retry is billing; anything else unknown.
      """),
  ]

  private static let stateRules: [Block] = [
    .rule(
      11, "States.",
      """
      At the chain's own as-of, the first that holds: `refunded`; `active`, or `active, will not \
      renew`; `grace`, tested against its date; `billing retry`, for less than 60 days; \
      `unresolved`, not seen since its end; `lapsed`. A chain that was active when last seen, and \
      whose coverage ended before the run's as-of, is `unresolved`. The state is a condition; the \
      tables count lapses.
      """),
    .rule(
      12, "Known start.",
      """
      In production the start is known when the first event is a trial or an introductory offer, or \
      was bought within a day of its original purchase date, or, without that date, has a \
      transaction id equal to its original id. Otherwise `start_month` is `before YYYY-MM` with the \
      month of the first event seen.
      """),
    .rule(
      13, "Family Sharing.",
      "Own chains, in `timeline` and `chains`, giving access, in no rate."),
  ]

  private static let remainingRules: [Block] = [
    .rule(
      14, "No expiry.",
      """
      A product without expiry is a non-renewing subscription only if its type or the config's \
      `[durations]` says so, and a free subscription by raw type 4; other events without expiry are \
      left aside and counted. Neither is in a rate. Without a duration the state is `duration \
      unknown`: it is never guessed from the product id.
      """),
    .rule(
      15, "Rows.",
      """
      A row is one record: a line, an element of an array, a row of a CSV file, or a file that is \
      one document. *Ignored* are a status other than 0 and 21006, error bodies, the other \
      environment, duplicate files and notifications, records with nothing in them, app transactions, and with \
      `--verify` what is not signed. *Rejected* are what is not JSON, a truncated last line, base64 or JWS that \
      cannot be decoded, an unknown shape, no purchase date, and with `--verify` a signature that \
      does not hold.
      """),
  ]
}
