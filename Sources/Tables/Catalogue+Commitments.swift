import SubscriptionModel

extension Definition {
  /// The definition of `commitments`: METRICS.md section 5.
  static let commitments = Definition(
    table: .commitments, title: "Commitments",
    sentence:
      "Paid rate = monthly instalments that were paid on time, divided by the instalments that were due in the month; a commitment is twelve of them.",
    caveat:
      "Apple retries a failed instalment for 90 days: one younger than that is pending, and its customer has no access. `remaining` counts instalments that customers have committed to and that are not charged yet; some of them will default.",
    sources: [.receipts, .subscribers], rowIs: "month × cohort × currency",
    columns: [
      .count("running", "Terms that run at the end of the month."),
      .count("suspended", "Of these: the last instalment failed, and Apple retries."),
      .count(
        "position_unknown", "Of `running`: began before the data; they are in no other column."),
      .count("due", "Instalments 2 to 12 that were due in the month."),
      .count("paid", "Of these: paid on time."),
      .count("recovered", "Of these: paid late, within 90 days."),
      .count("defaulted", "Of these: not paid within 90 days."),
      .count("pending", "Of these: not decided yet."),
      .rate("paid_rate", "`paid / due`."), low, high,
      .count("terms_started", "Terms whose first instalment was charged in the month."),
      .count(
        "terms_ended",
        "Terms that ended in the month: paid to the end, refunded, changed or defaulted."),
      .count("terms_renewed", "Of these: paid to the end and continued by any charge."),
      .count("remaining", "Instalments of running terms that are not charged yet."),
      .money("remaining_price", "The price that customers still owe for these instalments."),
      .money("remaining_proceeds", "The developer's proceeds from these instalments."),
      state,
    ])
}
