import Counting
import SubscriptionModel

extension Definition {
  /// `renewals`: METRICS.md section 5.
  static func renewals(_ words: SourceWording) -> Definition {
    Definition(
      table: .renewals, title: "Renewals",
      sentence:
        words.isOfEventsAlone
        ? "Renewal rate = renewal and downgrade events of paid subscriptions in the month, divided by these, the `Cancel` events at the end of a paid period, and the entries into billing retry or a grace period, whatever became of them."
        : "Renewal rate = paid periods followed by another charge within \(words.tolerance) of their end, divided by the paid periods that were due to renew in the month.",
      caveat:
        words.text(
          reports:
            "A period cut short by an immediate change of product, or ended by a full refund, was not due.",
          receipts:
            "In `receipts` an upgraded period, and one with any refund, was not due.",
          events:
            "In `events`, `pending` counts every entry into billing retry or a grace period, whatever its outcome, and `recovered` is not part of the rate."
        ),
      sources: [.events, .receipts, .subscribers], rowIs: "month × cohort",
      keys: (["source", "month"], []), sizes: ["due"],
      columns: [
        .count(
          "due", .facts(FactSums.due), rank: 6,
          "Paid periods that ended in the month and were due to renew.",
          inEvents: "`renewed + lapsed + pending`."),
        .count(
          "renewed", .facts([.dueRenewed]), rank: 4,
          "Of these: followed by a charge within \(words.tolerance).",
          inEvents: "Renewals and downgrades."),
        .count(
          "recovered", .facts([.dueRecovered]), ofEvents: .facts([.recovered]),
          "Of these: followed by a later charge, within 60 days, or 90 after an instalment (`events`: recoveries of the month, not part of due).",
          inEvents:
            "Back after a failed payment of this or an earlier month; not part of `due`."),
        .count(
          "lapsed", .facts([.dueLapsed]), rank: 8,
          "Of these: no charge within 60 days, or 90 after an instalment.",
          inEvents: canceledAtEnd),
        .count(
          "pending", .facts([.duePending]), rank: 7, "Of these: not decided yet.",
          inEvents: failedPayment),
      ] + rate("renewal_rate", "renewed", of: "due") + [state(rank: 5)])
  }
}

extension TableMaker {
  /// Makes the rows of `renewals`.
  func renewalRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    return monthlyRows(
      .renewals, report, view,
      // Pending counts of events never resolve, so they do not make a row provisional.
      undecided: report.source == .events ? [] : [.duePending],
      isAtEdge: { report.isNearTransfer($1, cohort: $0, tally) })
  }
}
