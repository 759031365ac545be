package import SubscriptionModel

extension Definition {
  static let low = Column.rate("low", "Lower bound of the 95 % Wilson interval of the rate.")
  static let high = Column.rate("high", "Upper bound of the 95 % Wilson interval of the rate.")
  static let state = Column.text(
    "state",
    "`final`; `provisional` while the number can still change; `partial` when days of its data are missing or subscriptions older than the data may not have been seen yet."
  )

  private static let pricesOfReceipts =
    "In `receipts` only Server Notifications V2 and the Server API state a price: all other charges have no currency and no amounts. None state proceeds."

  /// Every definition, in the order of the tables.
  package static let all: [Definition] = TableKind.allCases.map { definition(of: $0) }

  /// Returns the definition of a table.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - sources: The sources of the report; sentences about other sources are left out.
  ///   - target: The currency to which the report converts amounts; `nil` without a conversion.
  /// - Returns: The definition.
  package static func definition(
    of table: TableKind, for sources: Set<Source> = Set(Source.allCases),
    convertedTo target: String? = nil
  ) -> Definition {
    let words = SourceWording(sources: sources)
    return switch table {
    case .churn: churn(words)
    case .renewals: renewals(words)
    case .lapses: lapses(words)
    case .refunds: refunds(words)
    case .retention: retention(words)
    case .movement: movement(words)
    case .proceeds: proceeds(words, target)
    case .trials: trials(words)
    case .commitments: commitments
    }
  }

  private static func churn(_ words: SourceWording) -> Definition {
    Definition(
      table: .churn, title: "Churn",
      sentence:
        words.isOfEventsAlone
        ? churnOfEvents
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
      columns: [
        .count(
          "active_start",
          "Paid subscriptions active on the last day before the month (`events`: from that day's SUBSCRIPTION snapshot)."
        ),
        .count("churned", "Paid periods that ended in the month in a lapse not recovered."),
        .count("churned_voluntary", "Of these: canceled by the customer."),
        .count("churned_billing", "Of these: the payment failed to the end."),
        .count("churned_price", "Of these: did not accept a price increase."),
        .count("churned_refund", "Of these: ended by a full refund."),
        .count("churned_removed", "Of these: the product was removed from sale."),
        .count("churned_other", "Of these: Apple gives another reason."),
        .count("churned_unknown", "Of these: the source gives no reason."),
        .count(
          "churned_provisional",
          "Of `churned`: lapses less than 60 days old (of instalments 90), which may still be recovered."
        ),
        .rate("churn_rate", "`churned / active_start`."), low, high, state,
      ])
  }

  private static func renewals(_ words: SourceWording) -> Definition {
    Definition(
      table: .renewals, title: "Renewals",
      sentence:
        words.isOfEventsAlone
        ? renewalsOfEvents
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
      columns: [
        .count("due", "Paid periods that ended in the month and were due to renew."),
        .count("renewed", "Of these: followed by a charge within \(words.tolerance)."),
        .count(
          "recovered",
          "Of these: followed by a later charge, within 60 days, or 90 after an instalment (`events`: recoveries of the month, not part of due)."
        ),
        .count("lapsed", "Of these: no charge within 60 days, or 90 after an instalment."),
        .count("pending", "Of these: not decided yet."),
        .rate("renewal_rate", "`renewed / due`."), low, high, state,
      ])
  }

  private static func lapses(_ words: SourceWording) -> Definition {
    Definition(
      table: .lapses, title: "Lapses",
      sentence:
        "A lapse is a paid period that was not followed by another charge within \(words.tolerance) of its end; `lapses - recovered` is what the churn table counts.",
      caveat:
        "A return within 60 days (of an instalment 90) may be a payment that Apple collected late or a customer who left and bought again: the table does not tell them apart. Open lapses have no gap yet, so both gap figures are biased short.",
      sources: [.receipts, .subscribers], rowIs: "month × cohort",
      columns: [
        .count("lapses", "Paid periods that ended in the month in a lapse."),
        .count("recovered", "Of these: charged again within 60 days, or 90 after an instalment."),
        .count("reactivated", "Of these: charged again later."),
        .count("open_final", "Of these: no return, and at least 60 days old (of instalments 90)."),
        .count(
          "open_provisional",
          "Of these: no return yet, and less than 60 days old (of instalments 90)."),
        .number(
          "gap_days_median",
          "Median days until the next charge, over recovered and reactivated lapses."),
        .number("gap_days_p90", "90th percentile of these days."), state,
      ])
  }

  private static func refunds(_ words: SourceWording) -> Definition {
    Definition(
      table: .refunds, title: "Refunds",
      sentence:
        "Refund rate = charges refunded in full, divided by the paid charges of the month; dated `sale` by the month of the charge, dated `refund` by the month of the refund.",
      caveat:
        words.text(
          "Refunds can come months after the charge, so rows dated `sale` are provisional for 60 days. Partial refunds (prorated upgrades) are counted separately and are not part of the rate. Dated `refund`, the rate divides the refunds of a month by the charges of the same month, which are mostly other charges, so it has no interval.",
          receipts: pricesOfReceipts),
      sources: [.receipts, .subscribers], rowIs: "dating × month × cohort × currency",
      columns: [
        .count("charges", "Paid charges of the month."),
        .count("refunds_full", "Refunds of a whole price."),
        .count("refunds_partial", "Refunds of a part of a price."),
        .rate("refund_rate", "`refunds_full / charges`."), low, high,
        .money("gross_price", "Σ customer price of the charges."),
        .money("refunded_price", "Σ customer price given back."),
        .money("gross_proceeds", "Σ developer proceeds of the charges."),
        .money("refunded_proceeds", "Σ developer proceeds given back."), state,
      ])
  }

  /// Returns what a lapse is, and when it is churn, in Markdown.
  ///
  /// - Parameter sources: The sources of the report; sentences about other sources are left out.
  /// - Returns: One or two sentences; blank where no source has lapses.
  package static func lapse(for sources: Set<Source>) -> String {
    let ofEvents =
      "Apple's event `Cancel` of a paid subscription, and churn on the event's day; `lapsed` of renewals counts only those at the end of a paid period."
    guard sources.contains(where: \.isOfChains) else {
      return sources.contains(.events) ? "A **lapse** is \(ofEvents)" : ""
    }
    let tolerance = SourceWording(sources: sources).tolerance
    return
      "A **lapse** is a paid period without a new charge within \(tolerance) of its end; it is churn unless a charge follows within 60 days (after a monthly instalment: 90), and `lapsed` of renewals counts it only after these days."
      + (sources.contains(.events) ? " In `events` it is \(ofEvents)" : "")
  }

  private static func retention(_ words: SourceWording) -> Definition {
    Definition(
      table: .retention, title: "Retention",
      sentence:
        words.isOfEventsAlone
        ? retentionOfEvents
        : "Survival at k = the share of subscriptions with a known start that were kept through their first k paid periods (Kaplan-Meier).",
      caveat:
        words.text(
          "Only periods that ended at least 60 days before \(words.endOfData) count (a term of instalments: 90 days after its scheduled end), so that renewals and lapses had the same time to appear.",
          events: "In `events` the rows are flows by date, not a cohort followed through time."),
      sources: [.events, .receipts, .subscribers], rowIs: "cohort × k",
      columns: [
        .count("k", "The number of the paid period, from 1."),
        .count(
          "at_risk",
          "Chains whose paid period k ended at least 60 days before as-of, of instalments the term 90."
        ),
        .count("lost", "Of these: churned at its end."),
        .count("kept", "Of these: charged again within 60 days, or 90 after an instalment."),
        .rate("survival", "Product over i ≤ k of `1 - lost / at_risk`."),
        .rate("low", "Lower bound of the 95 % log-log interval with Greenwood's variance."),
        .rate("high", "Upper bound of the same interval."), state,
      ])
  }

  private static func movement(_ words: SourceWording) -> Definition {
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
      columns: [
        .count("open", "Paid subscriptions on the last day before the month."),
        .count("started", "New: a known start with a paid first charge."),
        .count("first_seen", "First seen in the data, start unknown."),
        .count("converted", "Paid after a free period."),
        .count("reactivated", "Paid again after more than 60 days, or 90 after an instalment."),
        .count("recovered", "Paid again after a lapse of at most 60 days, or 90 of an instalment."),
        .count("switched_in", "Changed from another product or cohort."),
        .count(
          "churned",
          "Left: the churn table's number (`events`: lapses other than from retry or grace)."),
        .count("entered_retry", "Lapsed, and recovered later."),
        .count(
          "switched_out",
          "Changed to another product or cohort or to a free offer, or (`receipts`) has no record after its end."
        ),
        .count(
          "close",
          "`open` plus the gains (`started` to `switched_in`) minus the losses (`churned` to `switched_out`)."
        ),
        .count("close_observed", "Paid subscriptions on the month's last day, counted."),
        .count("unexplained", "`close_observed - close`."),
      ])
  }

  private static func proceeds(_ words: SourceWording, _ target: String?) -> Definition {
    let currencies =
      target.map { "per currency; columns whose names end in \($0) have each amount converted" }
      ?? "per currency and never added across currencies"
    return Definition(
      table: .proceeds, title: "Proceeds",
      sentence:
        "Net proceeds = developer proceeds of the month's paid charges minus those given back by the month's refunds, \(currencies).",
      caveat:
        words.text(
          reports:
            "Sales and Trends figures are Apple's estimates by the customer's date; what is settled and paid follows Apple's fiscal months.",
          receipts: pricesOfReceipts),
      sources: [.receipts, .sales, .subscribers], rowIs: "month × cohort × currency",
      columns: [
        .count("charges", "Paid charges of the month, units counted."),
        .money("gross_price", "Σ customer price of the charges."),
        .money("gross_proceeds", "Σ developer proceeds of the charges."),
        .money("refunded_price", "Σ customer price given back in the month."),
        .money("refunded_proceeds", "Σ developer proceeds given back in the month."),
        .money("net_proceeds", "`gross_proceeds - refunded_proceeds`."),
        .rate("effective_rate", "`gross_proceeds / gross_price`."),
      ])
  }

  private static func trials(_ words: SourceWording) -> Definition {
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
      columns: [
        .count("trials", "Free introductory periods that started in the month."),
        .count("converted", "Of these: paid within 60 days of the trial's end."),
        .count("not_converted", "Of these: decided, and not converted."),
        .count("pending", "Of these: not decided yet."),
        .rate("conversion_rate", "`converted / trials`."), low, high, state,
      ])
  }
}

/// Columns by what their cells hold.
extension Definition.Column {
  package static func key(_ name: String, _ meaning: String) -> Self { Self(name, .key, meaning) }
  package static func text(_ name: String, _ meaning: String) -> Self { Self(name, .text, meaning) }
  package static func count(_ name: String, _ meaning: String) -> Self {
    Self(name, .count, meaning)
  }
  package static func rate(_ name: String, _ meaning: String) -> Self { Self(name, .rate, meaning) }
  package static func money(_ name: String, _ meaning: String) -> Self {
    Self(name, .money, meaning)
  }
  static func number(_ name: String, _ meaning: String) -> Self { Self(name, .number, meaning) }
}

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
