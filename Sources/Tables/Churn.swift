package import Counting
import SubscriptionModel

extension Definition {
  /// `churn`: METRICS.md section 5.
  static func churn(_ words: SourceWording) -> Definition {
    Definition(
      table: .churn, title: "Churn",
      sentence:
        words.isOfEventsAlone
        ? "Churn rate = Apple's `Cancel` events of paid subscriptions in the month (dated by the end of the paid period or, after failed payments, by the end of Apple's retry), divided by the subscriptions active on the last day before the month (that day's SUBSCRIPTION report)."
        : "Churn rate = paid periods that ended in the month and were not followed by a new charge within 60 days (a monthly instalment: 90), divided by the subscriptions active \(words.monthStart).",
      caveat:
        words.text(
          "Plans shorter than a month can end several times in one month, so `churned` may exceed `active_start`; the interval is then empty. Apple retries failed payments for 60 days, of a monthly instalment for 90: a lapse younger than that is provisional.",
          receipts:
            "In `receipts` a subscription without any record after its end is neither due nor churned: movement counts it in `switched_out`.",
          events:
            "`events` date billing churn at the end of the retry, up to 60 days after the other sources do."
        ),
      sources: [.events, .receipts, .subscribers], rowIs: "month × cohort",
      keys: (["source", "month"], []), sizes: ["active_start", "churned"],
      columns: [
        .count(
          "active_start", .stock(.activeBefore), rank: 6,
          "Paid subscriptions active on the last day before the month (`events`: from that day's SUBSCRIPTION snapshot).",
          inEvents:
            "Paid subscriptions in the SUBSCRIPTION report of the last day before the month."),
        .count(
          "churned", .facts(FactSums.churned), rank: 4,
          "Paid periods that ended in the month in a lapse not recovered.",
          inEvents: "`Cancel` events of paid subscriptions."),
        .count(
          "churned_voluntary", .facts([.churnedVoluntary]), from: withReasons, rank: 7,
          "Of these: canceled by the customer."),
        .count(
          "churned_billing", .facts([.churnedBilling]), from: withReasons, rank: 8,
          "Of these: the payment failed to the end."),
        .count(
          "churned_price", .facts([.churnedPrice]), from: withReasons,
          "Of these: did not accept a price increase."),
        .count(
          "churned_refund", .facts([.churnedRefund]), from: ofChains,
          "Of these: ended by a full refund.", inEvents: "Empty: events do not say."),
        .count(
          "churned_removed", .facts([.churnedRemoved]), from: withReasons,
          "Of these: the product was removed from sale."),
        .count(
          "churned_other", .facts([.churnedOther]), from: withReasons,
          "Of these: Apple gives another reason."),
        .count(
          "churned_unknown", .facts([.churnedUnknown]), "Of these: the source gives no reason."),
        .count(
          "churned_provisional", .facts([.lapseOpenProvisional]),
          "Of `churned`: lapses less than 60 days old (of instalments 90), which may still be recovered.",
          inEvents: "Always 0."),
      ] + rate("churn_rate", "churned", of: "active_start") + [state(rank: 5)])
  }

  private static let withReasons = Source.allCases.filter(\.hasReasons)
}

extension TableMaker {
  /// Makes the rows of `churn`.
  func churnRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    let stock = Stock(report, view)
    // The whole population of receipts has a row for every month from the first charge on.
    let firstChargeDay = tally.index.dimensions.isEmpty ? report.tally.firstChargeDay : nil
    let firstMonth = firstChargeDay.map(report.completeness.monthSystem.month)
    // Up to the month of the first file, active chains may be missing from the data.
    let lastUnknown = report.source.hasLeftEdge ? report.completeness.firstMonth : nil
    return monthlyRows(
      .churn, report, view, from: firstMonth, keepsEmpty: firstMonth != nil,
      undecided: [.lapseOpenProvisional, .endedAtEdge],
      isAtEdge: { report.isChurnAtEdge($1, cohort: $0, tally) },
      stock: { cohort, _, month in
        lastUnknown.map { month <= $0 } ?? false ? nil : stock.before(month, cohort: cohort)
      })
  }
}

/// Why subscriptions churned: `churn` has a column for each reason.
package enum ChurnReason: String, CaseIterable, Sendable {
  case voluntary, billing, price, refund, removed, other, unknown

  /// The column of `churn`, such as `churned_voluntary`.
  package var column: String { "churned_" + rawValue }

  /// The words after a number of subscriptions, such as `canceled by the customer`.
  package func words(_ count: Int = 1) -> String {
    switch self {
    case .voluntary: "canceled by the customer"
    case .billing: "payment failed"
    case .price: "price increase not accepted"
    case .refund: "refunded"
    case .removed: "removed from sale"
    case .other: count == 1 ? "other reason" : "other reasons"
    case .unknown: "without a reason"
    }
  }

  /// The words of a legend.
  package var name: String { self == .unknown ? "reason unknown" : words() }
}

/// The facts that columns of several facts add up.
package enum FactSums {
  /// Paid periods that ended in a lapse that was not recovered.
  package static let churned: [Fact] = [.lapseReactivated, .lapseOpenFinal, .lapseOpenProvisional]
  /// Paid periods that ended in a lapse.
  package static let lapses: [Fact] = [.lapseRecovered] + churned
  /// Paid periods that were due to renew.
  ///
  /// Events have no `dueRecovered`.
  package static let due: [Fact] = [.dueRenewed, .dueRecovered, .dueLapsed, .duePending]
  /// Trials that started.
  package static let trials: [Fact] = [.trialConverted, .trialNotConverted, .trialPending]
}

extension [Fact] {
  func sum(_ count: (Fact) -> Int) -> Int { reduce(0) { $0 + count($1) } }
}
