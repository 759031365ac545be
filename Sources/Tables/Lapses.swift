import Counting
import SubscriptionModel

extension Definition {
  /// `lapses`: METRICS.md section 5.
  static func lapses(_ words: SourceWording) -> Definition {
    Definition(
      table: .lapses, title: "Lapses",
      sentence:
        "A lapse is a paid period that was not followed by another charge within \(words.tolerance) of its end; `lapses - recovered` is what the churn table counts.",
      caveat:
        "A return within 60 days (of an instalment 90) may be a payment that Apple collected late or a customer who left and bought again: the table does not tell them apart. Open lapses have no gap yet, so both gap figures are biased short.",
      sources: [.receipts, .subscribers], rowIs: "month × cohort",
      keys: (["source", "month"], []), sizes: ["lapses"],
      columns: [
        .count(
          "lapses", .facts(FactSums.lapses), rank: 1,
          "Paid periods that ended in the month in a lapse."),
        .count(
          "recovered", .facts([.lapseRecovered]), rank: 2,
          "Of these: charged again within 60 days, or 90 after an instalment."),
        .count("reactivated", .facts([.lapseReactivated]), "Of these: charged again later."),
        .count(
          "open_final", .facts([.lapseOpenFinal]), rank: 4,
          "Of these: no return, and at least 60 days old (of instalments 90)."),
        .count(
          "open_provisional", .facts([.lapseOpenProvisional]), rank: 5,
          "Of these: no return yet, and less than 60 days old (of instalments 90)."),
        .number(
          "gap_days_median", .rank(withGap, percent: 50),
          "Median days until the next charge, over recovered and reactivated lapses."),
        .number(
          "gap_days_p90", .rank(withGap, percent: 90), "90th percentile of these days."),
        state(rank: 3),
      ])
  }

  /// The lapses that another charge followed.
  private static let withGap: Set<Counted> = [.fact(.lapseRecovered), .fact(.lapseReactivated)]
}

extension TableMaker {
  /// Makes the rows of `lapses`.
  func lapseRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    return monthlyRows(
      .lapses, report, view, undecided: [.lapseOpenProvisional, .endedAtEdge],
      isAtEdge: { report.isNearTransfer($1, cohort: $0, tally) })
  }
}
