import Counting
import SubscriptionModel

extension Definition {
  /// `movement`: METRICS.md section 5.
  static func movement(_ words: SourceWording) -> Definition {
    Definition(
      table: .movement, title: "Movement",
      sentence:
        "The paid subscriptions at the month's end are those at its beginning plus those gained minus those lost in the month.",
      caveat:
        words.text(
          "`first_seen` are subscriptions from before \(words.startOfData): they are not new. In the whole population a change of product counts in both `switched_in` and `switched_out`.",
          receipts:
            "In `receipts` a subscription without any record after its end counts in `switched_out` at that end.",
          events:
            "In `events` the stocks are snapshots, so `unexplained` shows the changes that no event reports."
        ),
      sources: [.events, .receipts, .subscribers], rowIs: "month × cohort",
      keys: (["source", "month"], []), sizes: ["close_observed", "started"],
      columns: [
        .count(
          "open", .stock(.activeBefore), rank: 2,
          "Paid subscriptions on the last day before the month."),
        .count(
          "started", .facts([.started]), rank: 4, "New: a known start with a paid first charge."),
        .count(
          "first_seen", .facts([.firstSeen]), "First seen in the data, start unknown.",
          inEvents: "Always 0."),
        .count("converted", .facts([.converted]), rank: 6, "Paid after a free period."),
        .count(
          "reactivated", .facts([.reactivated]),
          "Paid again after more than 60 days, or 90 after an instalment.",
          inEvents: "Back after leaving."),
        .count(
          "recovered", .facts([.recovered]),
          "Paid again after a lapse of at most 60 days, or 90 of an instalment.",
          inEvents: "Back after a failed payment."),
        .count("switched_in", .facts([.switchedIn]), "Changed from another product or cohort."),
        .count(
          "churned", .facts(FactSums.churned), ofEvents: .facts([.dueLapsed]), rank: 3,
          "Left: the churn table's number (`events`: lapses other than from retry or grace).",
          inEvents: canceledAtEnd),
        .count(
          "entered_retry", .facts([.enteredRetry]), "Lapsed, and recovered later.",
          inEvents: failedPayment),
        .count(
          "switched_out", .facts([.switchedOut]),
          "Changed to another product or cohort or to a free offer, or (`receipts`) has no record after its end.",
          inEvents: "Changed to another product or cohort."),
        .count(
          "close", .sum(gains + losses, minus: Set(losses)),
          "`open` plus the gains (`started` to `switched_in`) minus the losses (`churned` to `switched_out`)."
        ),
        .count(
          "close_observed", .stock(.activeAtEnd), rank: 1,
          "Paid subscriptions on the month's last day, counted."),
        .count(
          "unexplained", .sum(gains + losses + ["close_observed"], minus: Set(gains)), rank: 5,
          "`close_observed - close`.",
          inEvents: "`close_observed - close`: changes that no event reports."),
      ])
  }

  private static let gains = [
    "open", "started", "first_seen", "converted", "reactivated", "recovered", "switched_in",
  ]
  private static let losses = ["churned", "entered_retry", "switched_out"]
}

extension TableMaker {
  /// Makes the rows of `movement`.
  func movementRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let stock = Stock(report, view)
    let firstFileMonth = report.completeness.firstMonth
    let first = min(report.tally.firstPaidMonth ?? firstFileMonth, firstFileMonth)
    return monthlyRows(
      .movement, report, view, from: first,
      stock: { cohort, counted, month in
        stock.before(counted == .activeBefore ? month : month + 1, cohort: cohort)
      })
  }
}
