/// A number that other tools define otherwise, in the order of the table: METRICS.md 11.5.
package enum OtherMeasure: String, CaseIterable, Sendable {
  case active
  case churnRate = "churn_rate"
  case conversionRate = "conversion_rate"
  case mrr
  case refundRate = "refund_rate"
  case renewalRate = "renewal_rate"

  /// The tools whose text says enough to compute it.
  package var tools: [OtherTool] {
    OtherTool.allCases.filter { OtherTool.texts[.init(self, $0)] != nil }
  }

  /// Returns whether each currency has rows of its own; a currency may be unknown.
  package func hasCurrencies(_ tool: OtherTool) -> Bool {
    self == .mrr || self == .refundRate && tool == .apphud
  }
}

/// A row of `definitions`, in the order of the table: our number, a step to another tool's, or that number.
package enum OtherAxis: String, CaseIterable, Sendable {
  case ours
  case population, basis, denominator, date, recovery, product, refund, month
  case theirs
}

/// A tool whose published definitions are compared with ours, in the order of the table.
package enum OtherTool: String, CaseIterable, Sendable {
  case adapty, apphud, apple, chartmogul, recurly, revenuecat, revenuecat3

  /// Its name for people.
  package var title: String {
    switch self {
    case .adapty: "Adapty"
    case .apphud: "Apphud"
    case .apple: "Apple"
    case .chartmogul: "ChartMogul"
    case .recurly: "Recurly"
    case .revenuecat: "RevenueCat"
    case .revenuecat3: "RevenueCat charts v3"
    }
  }

  /// The address of the text.
  package var address: String {
    switch self {
    case .adapty: "https://adapty.io/docs/mrr"
    case .apphud: "https://docs.apphud.com/docs/charts"
    case .apple:
      "https://developer.apple.com/help/app-store-connect/view-sales-and-trends/view-subscription-data"
    case .chartmogul: "https://help.chartmogul.com/hc/en-us/articles/203299812"
    case .recurly: "https://recurly.com/blog/key-terms-related-to-churn-defined/"
    case .revenuecat, .revenuecat3:
      "https://www.revenuecat.com/docs/dashboard-and-metrics/charts"
    }
  }

  /// The day on which the text was read; texts change.
  package var readOn: String { self == .chartmogul ? "2026-11-29" : "2026-11-30" }

  struct TextKey: Hashable {
    var measure: OtherMeasure
    var tool: OtherTool

    init(_ measure: OtherMeasure, _ tool: OtherTool) { (self.measure, self.tool) = (measure, tool) }
  }

  /// Each tool's text about a number, in one sentence.
  static let texts: [TextKey: String] = [
    .init(.active, .apphud):
      "Only subscriptions at the standard price are active: no introductory and no promotional ones.",
    .init(.active, .apple):
      "A day is one of Pacific Time; paid offers are active, trials are not.",
    .init(.active, .chartmogul): "It counts customers, not subscriptions.",
    .init(.active, .recurly): "It counts customers, not subscriptions.",
    .init(.active, .revenuecat): "A subscription in a grace period is active.",
    .init(.churnRate, .chartmogul):
      "A customer churns, once a month, when no subscription is left; of the customers at the start of the month.",
    .init(.churnRate, .recurly):
      "A customer churns, once a month, when the last subscription expires, by the customers at the start of the month.",
    .init(.churnRate, .revenuecat):
      "A subscription that ends counts at the end of its grace period; those that came back in the month are subtracted.",
    .init(.churnRate, .revenuecat3):
      "A subscription that ends counts at the end of its grace period, also if it comes back later, and so does a change to another product.",
    .init(.conversionRate, .revenuecat):
      "Of the customers first seen in the month, those whose trial was followed by any payment that was not refunded.",
    .init(.conversionRate, .revenuecat3):
      "Only a payment that continues the trial is a conversion.",
    .init(.mrr, .adapty):
      "A week is 0.23 months, and a charge that is refunded counts on no day, also not on earlier ones.",
    .init(.mrr, .apphud): "It adds up proceeds, after the commission.",
    .init(.mrr, .chartmogul): "A period that a refund ended counts to its own end.",
    .init(.mrr, .revenuecat):
      "A week counts 4 times a month and a day 30 times; a subscription in a grace period counts.",
    .init(.refundRate, .apphud):
      "The amount of the month's refunds by the amount of the month's charges.",
    .init(.refundRate, .revenuecat): "A refund of a part is a refund too.",
    .init(.renewalRate, .apple):
      "A renewal with another product is none, and a month is one of Pacific Time.",
  ]

  /// Each measure of the tool with its sentence, in the order of the table.
  package var sentences: [(measure: OtherMeasure, text: String)] {
    OtherMeasure.allCases.compactMap { measure in
      Self.texts[TextKey(measure, self)].map { (measure, $0) }
    }
  }
}
