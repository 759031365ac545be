import AppStoreReports
import Counting
import Files
import PriceImpact
import Storage
import SubscriptionModel
import Tables

/// Finds a run's price changes, measures the effect of increases, and projects planned prices.
struct PriceAssembly {
  /// The price results of a run.
  struct Outcome {
    /// The price changes of each source, and what the increases did.
    var prices: [PriceReport]
    /// The subscribers that planned prices would affect; `nil` without a plan.
    var plan: PlanReport?
    /// The problems with the user's files.
    var errors: [InputError]
  }

  private let plan: PricePlan
  private let registries: Registries
  private let names: Names
  /// Prices that rows mark as contingent, and those of instalments.
  private let contingent: MarkedPrices
  private let instalments: MarkedPrices
  /// The latest as-of for which a later run may reuse a source's tally of increases; `nil` if no run will.
  private let lastDay: (Source) -> Day?

  /// The days after as-of in which a planned price may begin; a later date is a typing error.
  private static let plannedDays = 731

  init(
    _ plan: PricePlan, _ registries: Registries, _ names: Names, termsWithPlans: [ChargeTerms],
    lastDay: @escaping (Source) -> Day?
  ) {
    contingent = .contingent(registries)
    instalments = .instalments(termsWithPlans)
    self.plan = plan
    self.registries = registries
    self.names = names
    self.lastDay = lastDay
  }

  /// Finds the price changes of each source, then runs the second pass over its chains.
  func outcome(
    for sources: [SourceReport], secondPass: (PriceReport, PriceFold) -> PriceFold.Part?
  ) -> Outcome {
    var stated = PriceRowMatcher(plan.increases, .changes, registries, names)
    var reports = sources.map { source in
      PriceReport(source, changes: source.priceChanges(stated: &stated, contingent, instalments))
    }
    var planned = PriceRowMatcher(plan.planned, .plan, registries, names)
    // Apply the plan to reports if there are any: they have all subscribers, receipts only captured customers.
    let ofPlan = sources.last { $0.source.isOfChains }?.source
    var report: PlanReport?
    var errors: [InputError] = []
    for index in reports.indices where reports[index].source.isOfChains {
      let source = reports[index].report
      let asOf = source.completeness.asOf
      let isOfPlan = source.source == ofPlan && !plan.planned.isEmpty
      let products = isOfPlan ? source.tally.prices?.products ?? [] : []
      let found = isOfPlan ? planned.found(in: products, asOf...(asOf + Self.plannedDays)) : []
      let prices = found.map {
        PlannedPrice(key: $0.key, plan: $0.row.plan, date: $0.row.date, newPrice: $0.row.newPrice)
      }
      guard
        let fold = PriceFold(
          reports[index].changes, source.completeness, prices, lastDay: lastDay(source.source)),
        let part = secondPass(reports[index], fold)
      else { continue }
      reports[index].impact = part.impact
      guard let tally = part.plan else { continue }
      let entries = PlanReport(prices, tally, of: reports[index], rules: plan.consent, names)
      errors += self.errors(in: entries, found)
      report = entries
    }
    // Add the errors of unmatched rows here, because without a matched row there is no second pass.
    errors = stated.errors + planned.errors + errors
    return Outcome(prices: reports, plan: report, errors: errors)
  }

  /// Returns an error for each planned price that is not above the present one.
  private func errors(in report: PlanReport, _ found: [PriceRowMatcher.Found]) -> [InputError] {
    zip(report.entries, found).compactMap { entry, found in
      guard let price = entry.oldPrice, !entry.isIncrease else { return nil }
      let text = { priceText($0, currency: found.row.currency) }
      return found.row.error(
        "new_price", found: text(entry.planned.newPrice),
        expected: "more than the present price \(text(price))")
    }
  }
}

extension SourceReport {
  /// Returns the changes of standard prices: those that the user states, and those found in the data.
  fileprivate func priceChanges(
    stated: inout PriceRowMatcher, _ contingent: MarkedPrices, _ instalments: MarkedPrices
  ) -> [PriceChange] {
    guard let prices = tally.prices, let seen = priceDays,
      let first = source == .receipts ? prices.firstDay : seen.lowerBound
    else { return [] }
    let days = first...max(first, seen.upperBound)
    let saysPlan = source.dimensions.contains(.plan)
    let given = stated.found(in: prices.products, days).compactMap { found in
      let plan = found.row.plan ?? .upfront
      // SALES rows have no plan, so they cannot show a change of an instalment price.
      if !saysPlan, plan == .commitment { return PriceChange?.none }
      return PriceChange(
        .increase, PriceKey(found.key, plan: saysPlan ? plan : .unknown), date: found.row.date,
        oldPrice: found.row.oldPrice, newPrice: found.row.newPrice)
    }
    return prices.changes(
      firstDay: first, asOf: seen.upperBound, contingent: contingent,
      instalments: saysPlan ? nil : instalments, given: given)
  }
}

/// Matches the rows of a user's price file to the products of the sources, and reports rows without a match.
struct PriceRowMatcher {
  /// A row with the product, storefront and currency that it matches.
  struct Found {
    var key: StorefrontKey
    var row: PricePlan.Row
  }

  private let rows: [PricePlan.Row]
  private let file: PriceFile
  private let registries: Registries
  private let names: Names
  /// For each row, whether it matches some source.
  private var isFound: [Bool]
  /// For each row, why it does not match the last source that it was compared with; `nil` if it matches.
  private var problems: [InputError?]

  init(
    _ rows: [PricePlan.Row], _ file: PriceFile, _ registries: Registries, _ names: Names
  ) {
    self.rows = rows
    self.file = file
    self.registries = registries
    self.names = names
    isFound = rows.map { _ in false }
    problems = rows.map { _ in nil }
  }

  /// The problems of the rows that match none of the sources so far.
  var errors: [InputError] {
    zip(isFound, problems).compactMap { isFound, problem in isFound ? nil : problem }
  }

  /// Returns the rows that match the products of a source, in the order of the file.
  mutating func found(in products: Set<Symbol>, _ days: ClosedRange<Day>) -> [Found] {
    var found: [Found] = []
    for (index, row) in rows.enumerated() {
      let ids = Set((names.productIDs(row.product) + [row.product]).map(registries.symbol))
        .intersection(products)
      guard let product = ids.first, ids.count == 1 else {
        note(
          index, "product", row.product,
          ids.isEmpty
            ? "a product of the reports, by Apple ID or name"
            : "an Apple ID: \(ids.count) products have the name")
        continue
      }
      guard days.contains(row.date) else {
        note(
          index, file.dateColumn, row.date.description,
          "a day from \(days.lowerBound) to \(days.upperBound)")
        continue
      }
      let key = StorefrontKey(
        product: product, country: registries.symbol(of: row.country),
        currency: registries.symbol(of: row.currency))
      guard !found.contains(where: { $0.key == key && $0.row.plan == row.plan }) else {
        note(index, "product", row.product, "one row for the product, storefront and currency")
        continue
      }
      isFound[index] = true
      found.append(Found(key: key, row: row))
    }
    return found
  }

  private mutating func note(_ index: Int, _ column: String, _ found: String, _ expected: String) {
    problems[index] = rows[index].error(column, found: found, expected: expected)
  }
}
