package import Counting
package import SubscriptionModel
package import Tables

/// The effect of planned prices: the rows of `price_plan.csv` and the numbers for the page.
package struct PlanReport: Sendable {
  /// One planned price with its counts.
  package struct Entry: Sendable {
    package let planned: PlannedPrice
    /// The current price, in milliunits; `nil` if no standard price was charged.
    package let oldPrice: Int64?
    /// The subscriptions that would meet the new price if all renew until then.
    package let due: Int
    /// The subscriptions at most ten days before that renewal, which Apple may already have checked.
    package let preflight: Int
    /// The Monday of the last week in which a subscription would meet the price; `nil` if none would.
    package let lastWeek: Day?
    /// Whether customers must agree to the new price.
    package let needsConsent: ConsentRules.Need

    /// Whether the planned price is above the current one; otherwise the plan has a mistake.
    package var isIncrease: Bool { oldPrice.map { $0 < planned.newPrice } ?? false }
  }

  /// The planned prices, in the order of the plan.
  package let entries: [Entry]
  private let tally: PlanTally

  /// Creates the rows of a source, given the counts of subscriptions that would meet the planned prices.
  package init(
    _ planned: [PlannedPrice], _ tally: PlanTally, of report: PriceReport, rules: ConsentRules,
    _ names: Names
  ) {
    self.tally = tally
    entries = planned.enumerated().map { index, planned in
      let current = tally.current[index]
      let increases = report.changes.filter { change in
        change.kind == .increase && change.key.storefront == planned.key
          && change.key.plan == planned.plan ?? current?.plan && change.date < planned.date
      }
      let need = current.map { current in
        rules.need(
          (names.text(planned.key.country), names.text(planned.key.currency)),
          oldPrice: current.price, newPrice: planned.newPrice, term: current.term,
          date: planned.date, lastIncrease: increases.map(\.date).max(),
          firstDay: report.report.completeness.firstDay)
      }
      let weeks = tally.weeks[index]
      return Entry(
        planned: planned, oldPrice: current?.price,
        due: weeks.values.reduce(0) { $0 + $1.due },
        preflight: weeks.values.reduce(0) { $0 + $1.preflight }, lastWeek: weeks.keys.max(),
        needsConsent: need ?? .unknown)
    }
  }

  /// Returns `price_plan.csv`; only a header if no subscription would meet a price.
  package func table(_ names: Names) -> ReportTable {
    let rows = zip(entries, tally.weeks).flatMap { entry, weeks in
      weeks.map { monday, week in
        let key = entry.planned.key
        return KeyedRow(
          keys: [
            .text(DimensionValue.week(monday).text(names)), .text(names.product(key.product)),
            .text(names.text(key.country)), .text(names.text(key.currency)),
          ],
          cells: [
            .count(week.due), .count(week.preflight), .text(entry.needsConsent.rawValue),
            .productID(key.product, names),
          ])
      }
    }
    return PriceTable.plan.table(rows)
  }
}

/// A price that the user plans to set: a row of `--plan`, METRICS.md section 6.
package struct PlannedPrice: Equatable, Sendable {
  /// The product, storefront and currency.
  package var key: StorefrontKey
  /// The billing plan; `nil` for every plan of the product.
  package var plan: BillingPlan?
  /// The first day on which renewals are to cost the new price.
  package var date: Day
  /// The price, in milliunits.
  package var newPrice: Int64

  package init(key: StorefrontKey, plan: BillingPlan? = nil, date: Day, newPrice: Int64) {
    self.key = key
    self.plan = plan
    self.date = date
    self.newPrice = newPrice
  }
}
