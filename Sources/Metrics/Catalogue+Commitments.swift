import SubscriptionModel

extension Definition {
  /// The definition of `commitments`: METRICS.md section 5.
  static let commitments = Definition(
    table: .commitments, title: "Commitments",
    sentence:
      "Paid rate = monthly instalments that were paid on time, divided by the instalments that were due in the month; a commitment is twelve of them.",
    caveat:
      "Apple retries a failed instalment for 90 days: one younger than that is pending, and its customer has no access. `remaining` is what customers have committed to and not been charged yet; some of it will default.",
    sources: [.receipts, .subscribers], rowIs: "month × cohort × currency",
    columns: [
      Column("running", .count, "Terms that run at the end of the month."),
      Column("suspended", .count, "Of these: the last instalment failed, and Apple retries."),
      Column(
        "position_unknown", .count,
        "Of `running`: began before the data; they are in no other column."),
      Column("due", .count, "Instalments 2 to 12 that were due in the month."),
      Column("paid", .count, "Of these: paid on time."),
      Column("recovered", .count, "Of these: paid late, within 90 days."),
      Column("defaulted", .count, "Of these: not paid within 90 days."),
      Column("pending", .count, "Of these: not decided yet."),
      Column("paid_rate", .rate, "`paid / due`."), low, high,
      Column("terms_started", .count, "Terms whose first instalment was charged in the month."),
      Column(
        "terms_ended", .count,
        "Terms that ended in the month: paid to the end, refunded, changed or defaulted."),
      Column("terms_renewed", .count, "Of these: paid to the end and continued by any charge."),
      Column("remaining", .count, "Instalments of running terms that are to come."),
      Column("remaining_price", .money, "What customers still owe for them."),
      Column("remaining_proceeds", .money, "What of it the developer gets."),
      state,
    ])
}
