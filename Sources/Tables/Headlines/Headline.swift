import Counting
import Storage
package import SubscriptionModel

/// A number that the page shows first, and that drivers explain: PAGE.md, "Tiles" and "Drivers".
package enum Headline: String, CaseIterable, Sendable {
  case active
  case netChange = "net_change"
  case churnRate = "churn_rate"
  case renewalRate = "renewal_rate"
  case conversionRate = "conversion_rate"
  /// The conversion rate of the headline month while trials are undecided.
  case conversionSoFar = "conversion_rate_so_far"
  case refundRate = "refund_rate"
  case netProceeds = "net_proceeds"
  /// Recurring revenue, by price.
  case mrr

  /// The headlines that have drivers, in the order of `drivers.csv`; the net change is the change of `active`.
  package static let driven: [Headline] = [
    .churnRate, .renewalRate, .conversionRate, .refundRate, .active, .netProceeds, .mrr,
  ]

  /// The table that holds its numbers.
  package var table: TableKind {
    switch self {
    case .active, .netChange: .movement
    case .churnRate: .churn
    case .renewalRate: .renewals
    case .conversionRate, .conversionSoFar: .trials
    case .refundRate: .refunds
    case .netProceeds: .proceeds
    case .mrr: .recurring
    }
  }

  /// What a contribution adds to a count or an amount.
  package var measure: Measure {
    switch self {
    case .netProceeds: .proceeds
    case .mrr: .value
    default: .count
    }
  }

  /// Returns the name of a source in its table: recurring revenue of `events` is that of `snapshot`.
  package func name(of source: Source) -> String { table.name(of: source) }

  /// Whether it is a rate rather than a count or an amount.
  package var isRate: Bool { ratio != nil }

  /// The columns of a rate's numerator and denominator; `nil` for a count or an amount of money.
  package var ratio: (numerator: String, denominator: String)? {
    switch self {
    case .churnRate: ("churned", "active_start")
    case .renewalRate: ("renewed", "due")
    case .conversionRate, .conversionSoFar: ("converted", "trials")
    case .refundRate: ("refunds_full", "charges")
    case .active, .netChange, .netProceeds, .mrr: nil
    }
  }

  /// Whether the denominator of a rate changes after the month's end: charges and active subscriptions do not.
  package var hasDenominatorOfAge: Bool { counts(RateCounts()).denominator != nil }

  /// Returns the sources that may have the number, the preferred one first: PAGE.md, "Which source speaks".
  package func sources(_ headlineSource: Source?) -> [Source] {
    let first = [headlineSource].compactMap { $0 }
    switch self {
    case .active, .netChange, .churnRate, .renewalRate: return first
    case .mrr: return (first + [.events]).unique
    case .conversionRate, .conversionSoFar, .refundRate: return [.subscribers, .receipts]
    case .netProceeds: return [.sales, .subscribers]
    }
  }

  /// The column of ``table`` that drivers compare; `nil` for a rate.
  package var comparedColumn: String? {
    switch self {
    case .active: "close_observed"
    case .netProceeds, .mrr: rawValue
    default: nil
    }
  }

  /// Returns whether drivers split the number: conversions only by product and country, recurring revenue by movement
  /// too.
  func isSplit(by split: DriverSplit) -> Bool {
    switch self {
    case .conversionRate: split == .of(.product) || split == .of(.country)
    case .mrr: true
    default: split != .movement
    }
  }

  /// Returns the rate's counts as they were known on a day.
  func counts(_ known: RateCounts) -> (numerator: Int, denominator: Int?) {
    switch self {
    case .churnRate: (known.churned, nil)
    case .renewalRate: (known.renewed, known.due)
    case .conversionRate, .conversionSoFar: (known.converted, known.trials)
    case .refundRate: (known.refunded, nil)
    case .active, .netChange, .netProceeds, .mrr: (0, nil)
    }
  }
}

/// The tables of headlines, their drivers and late refunds with their columns: a part of the catalogue.
package enum HeadlineTable: String, CaseIterable, Sendable {
  /// The numbers of the newest complete month, and of the month and the year before.
  case headlines
  /// What changed a number between two months.
  case drivers
  /// How many charges of a month were refunded after 0, 1, 2, … months.
  case refundDelays = "refund_delays"

  /// Every column with its meaning.
  package var allColumns: [Definition.Column] {
    switch self {
    case .headlines: Self.headlineColumns
    case .drivers: Self.driverColumns
    case .refundDelays: Self.refundDelayColumns
    }
  }

  private typealias Column = Definition.Column

  private static let headlineColumns: [Column] = [
    .key("figure", "The number, such as `churn_rate`."),
    .key("source", "Where it comes from."),
    .key(
      "month",
      "The headline month; of `conversion_rate` the last month whose trials are all decided."),
    .key("currency", "The currency of an amount; empty for others."),
    Column("value", .rate, "The number: a rate, a count or an amount."),
    Column("low", .rate, "Lower bound of a rate's 95 % Wilson interval."),
    Column("high", .rate, "Upper bound of a rate's 95 % Wilson interval."),
    .count("numerator", "The count above the line of a rate."),
    .count("denominator", "The count below the line of a rate."),
    Definition.state(),
    Column("before", .rate, "The month before, as it is known today; empty if it is `partial`."),
    Column(
      "before_same_age", .rate,
      "The month before, as it was known as many days after its end as have passed since the headline month's end."
    ),
    Column("year_before", .rate, "The same month of the year before, as it is known today."),
    Column("year_before_same_age", .rate, "The same, as it was known at the same age."),
  ]

  private static let driverColumns: [Column] = [
    .key("source", "Where the numbers come from."),
    .key("table", "The table that holds them."),
    .key("measure", "The number that changed, such as `churn_rate`."),
    .key("month", "The month."),
    .key("against", "The month it is compared with, at the same age."),
    .key("currency", "The currency of an amount; empty for others."),
    .key(
      "dimension", "What the change is split by, of `mrr` also `movement`; empty for the whole."),
    Column(
      "value", .key,
      "The value of the dimension; empty: unknown. `(not in the view)`: what the view leaves out. Of `movement` a column of `recurring`."
    ),
    Column("before", .rate, "The number in the month compared with; a movement has none."),
    Column("after", .rate, "The number in the month; a movement has none."),
    Column(
      "mix", .rate, "The part of `total` that comes from another share of this value.",
      isChange: true),
    Column(
      "rate", .rate, "The part of `total` that comes from another rate of this value.",
      isChange: true),
    Column("total", .rate, "What this value adds to the change of the whole.", isChange: true),
    Column("low", .rate, "Lower bound of `rate`: Newcombe's 95 % interval.", isChange: true),
    Column("high", .rate, "Upper bound of `rate`.", isChange: true),
    Definition.state(),
    .text("product_id", "The id of the product in a row by product; else empty."),
  ]

  private static let refundDelayColumns: [Column] = [
    .key("source", "Where it comes from."),
    .key("month", "The month of the sale."),
    .count("months_since", "The months from the sale to the refund."),
    .count("charges", "Paid charges of the month."),
    .count("refunded", "Of these: refunded in full, so many months later or earlier."),
    Column("cumulative_rate", .rate, "`refunded / charges`."),
    Definition.state(),
  ]
}
