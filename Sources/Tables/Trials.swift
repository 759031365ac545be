import Counting
import SubscriptionModel

extension Definition {
  /// `trials`: METRICS.md section 5.
  static func trials(_ words: SourceWording) -> Definition {
    Definition(
      table: .trials, title: "Trials",
      sentence:
        "Conversion rate = free trials whose next charge was paid and came within 60 days of the trial's end, divided by the trials that started in the month.",
      caveat:
        words.text(
          "While trials are pending the rate is a lower bound.",
          events:
            "In `events` the rows count conversions and lapses by their own date, so there is no rate."
        ),
      sources: [.events, .receipts, .subscribers], rowIs: "month of trial start × cohort",
      keys: (["source", "month"], []), sizes: ["trials", "converted"],
      columns: [
        .count(
          "trials", .facts(FactSums.trials), from: ofChains, rank: 6,
          "Free introductory periods that started in the month."),
        .count(
          "converted", .facts([.trialConverted]), rank: 4,
          "Of these: paid within 60 days of the trial's end."),
        .count(
          "not_converted", .facts([.trialNotConverted]), "Of these: decided, and not converted."),
        .count(
          "pending", .facts([.trialPending]), from: ofChains, rank: 7,
          "Of these: not decided yet."),
      ] + rate("conversion_rate", "converted", of: "trials", from: ofChains) + [state(rank: 5)])
  }
}

extension TableMaker {
  /// Makes the rows of `trials`.
  func trialRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    return monthlyRows(
      .trials, report, view, undecided: [.trialPending],
      isAtEdge: { report.isNearTransfer($1, cohort: $0, tally) })
  }
}
