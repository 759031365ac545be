import Counting
import Pipeline
import Rendering
import SubscriptionModel
import Tables

/// What the numbers on a page mean, a sentence each, as the source that speaks counts them: PAGE.md, "Sections".
///
/// The exact rules are those of METRICS.md; these sentences use no word that a reader must look up.
extension PageContent {
  /// Returns the definitions of the numbers in some sections, in Markdown.
  ///
  /// - Parameter sections: The sections that the page has.
  /// - Returns: Such as `**Active (event reports):** subscriptions that pay, by …`.
  func meanings(of sections: [Section]) -> [String] {
    let named: [(section: String, name: String, table: TableKind)] = [
      ("movement", "Active", .movement), ("churn", "Churn", .churn),
      ("churn", "Renewals", .renewals), ("retention", "Retention", .retention),
      ("trials", "Trials that paid", .trials), ("refunds", "Refunds", .refunds),
      ("money", "Net proceeds", .proceeds), ("money", "Recurring revenue", .recurring),
    ]
    let definitions = named.filter { one in sections.contains { $0.id == one.section } }
      .compactMap { one in
        let source: Source? =
          switch one.table {
          case .retention: retentionSource
          case .proceeds: values.first { $0.headline == .netProceeds }?.source
          case .recurring: revenue.map { Source(rawValue: $0.source) ?? .events }
          default: table(of: one.table, months: 12)?.source
          }
        return source.flatMap { source in
          Self.meaning(one.table, source).map {
            "**\(one.name) (\(ReportData.words(source))):** \($0)"
          }
        }
      }
    return definitions + (finance != nil && app == nil ? Self.settlementMeanings : []) + [
      "**Incomplete:** days of the month are missing. **Not all seen yet:** subscriptions from before the data may not have been charged yet. **Can still change:** a renewal, return or refund may still come. Without a word nothing known is outstanding.",
      "An empty cell means not known; 0 means zero. Beside a rate stand the bounds between which the true rate lies in 95 of 100 such cases. \(ofCurrencies)",
    ]
  }

  /// The source of retention: the headline source where 30 are at risk after the first payment, else the first other one.
  var retentionSource: Source? {
    let rows = tables[.retention]?.first(where: \.dimensions.isEmpty)?.namedRows ?? []
    let atRisk = { (source: Source) in
      rows.first { $0.source == source.rawValue && $0["k"] == 1 }?["at_risk"] ?? 0
    }
    if let own = headlines?.headlineSource, atRisk(own) >= ReportData.fewest { return own }
    return [Source.subscribers, .receipts, .events].first { source in
      rows.contains { $0.source == source.rawValue }
    }
  }

  /// Returns what a number counts in a source; `nil` for a table that has none there.
  private static func meaning(_ table: TableKind, _ source: Source) -> String? {
    let isOfEvents = source == .events
    let within = source == .receipts ? "an hour" : "2 days"
    return switch table {
    case .movement:
      isOfEvents
        ? "subscriptions that pay at the end of the month, by Apple's Subscription report of its last day; free trials are left out."
        : "subscriptions in a period that was paid for at the end of the month; free trials are left out."
    case .churn:
      isOfEvents
        ? "cancellations of paid subscriptions in the month, divided by the subscriptions active on the last day before it. After a failed payment Apple reports them when it stops trying, up to 60 days later."
        : "paid periods that ended in the month and were not followed by a charge within 60 days (after a monthly instalment 90), divided by the subscriptions active at the month's start."
    case .renewals:
      isOfEvents
        ? "renewals of paid subscriptions, divided by these, the cancellations at the end of a paid period and the payments that began to fail."
        : "paid periods followed by another charge within \(within), divided by those that were due to renew."
    case .retention:
      isOfEvents
        ? "of 100 who began to pay, how many still paid after a number of payments: the shares that renewed after each payment, multiplied. Apple's events do not follow single subscriptions."
        : "of 100 who began to pay, how many still paid after a number of payments, counted where there was time for it."
    case .trials:
      "free trials followed by a paid charge within 60 days of their end, divided by the trials that began in the month."
    case .refunds:
      "charges paid back in full, divided by the paid charges of the month in which they were sold. What was paid back in a month counts by the day of the refund."
    case .proceeds:
      "what Apple owes you for the month's charges, less what it takes back for the month's refunds."
    case .recurring:
      "the price of each subscription active at the month's end, divided by the months that it pays for: what they pay a month, not what came in."
    default: nil
    }
  }

  private static let settlementMeanings = [
    "**Owed:** the amount that Apple's payments report states. **Unexplained:** what remains of a difference between sales, settlement and amount owed after every known cause; it should be 0."
  ]

  private var ofCurrencies: String {
    guard let target else { return "Currencies are never added up." }
    return
      "Currencies are added up only in the key figures and what changed them, converted to \(MarkdownText.escaped(target))."
  }
}
