import AppStoreReports
import Metrics
import SubscriptionModel

/// Finds a run's price changes, measures the effect of increases, and projects planned prices.
struct PriceAssembly {
  /// The price results of a run.
  struct Outcome {
    /// The sources with their price changes and the effect of increases.
    var sources: [SourceReport]
    /// The subscribers that planned prices would affect; `nil` without a plan.
    var plan: PlanReport?
    /// The problems with the user's files.
    var errors: [InputError]
  }

  /// Prices that rows mark as contingent or as instalments.
  fileprivate struct Marked {
    let contingent: MarkedPrices
    let instalments: MarkedPrices
  }

  private let plan: PricePlan
  private let registries: Registries
  private let names: Names
  private let marked: Marked
  /// The last as-of to which a later run may bring a source's tally of increases; `nil` when it will not change.
  private let lastDay: (Source) -> Day?

  /// The days after as-of in which a planned price may begin; a later date is taken for a typing error.
  private static let plannedDays = 731

  init(
    _ plan: PricePlan, _ registries: Registries, _ names: Names, planned: [ChargeTerms],
    lastDay: @escaping (Source) -> Day?
  ) {
    marked = Marked(
      contingent: MarkedPrices.contingent(registries), instalments: .instalments(planned))
    self.plan = plan
    self.registries = registries
    self.names = names
    self.lastDay = lastDay
  }

  /// Finds price changes, then runs the second pass over chains.
  ///
  /// - Parameters:
  ///   - sources: The sources of the run.
  ///   - secondPass: Goes through the chains of a source a second time.
  /// - Returns: The sources with their changes, the plan's report and errors.
  func outcome(
    for sources: [SourceReport], secondPass: (SourceReport, PriceFold) -> PriceFold.Part?
  ) -> Outcome {
    var sources = sources
    var stated = PriceKeys(plan.increases, .changes, registries, names)
    for index in sources.indices { sources[index].findPriceChanges(stated: &stated, marked) }
    var planned = PriceKeys(plan.planned, .plan, registries, names)
    // Apply the plan to reports if there are any: they have all subscribers, receipts only captured customers.
    let ofPlan = sources.last { $0.source.isFollowed }?.source
    var report: PlanReport?
    var errors: [InputError] = []
    for index in sources.indices where sources[index].source.isFollowed {
      let isOfPlan = sources[index].source == ofPlan && !plan.planned.isEmpty
      let found = isOfPlan ? self.planned(in: sources[index], &planned) : []
      let prices = found.map {
        PlannedPrice(
          key: $0.key, plan: $0.row.plan, date: $0.row.date, newPrice: $0.row.newPrice)
      }
      guard
        let fold = PriceFold(
          sources[index], prices, lastDay: lastDay(sources[index].source)),
        let part = secondPass(sources[index], fold)
      else { continue }
      sources[index].impact = part.impact
      guard let tally = part.plan else { continue }
      let entries = PlanReport(prices, tally, of: sources[index], rules: plan.consent, names)
      errors += self.errors(in: entries, found)
      report = entries
    }
    // Add errors of rows that match nothing here: without any matching row there is no second pass.
    errors = stated.errors + planned.errors + errors
    return Outcome(sources: sources, plan: report, errors: errors)
  }

  private func planned(
    in report: SourceReport, _ keys: inout PriceKeys
  ) -> [PriceKeys.Found] {
    let asOf = report.completeness.asOf
    return keys.found(in: report.tally.prices?.products ?? [], asOf...(asOf + Self.plannedDays))
  }

  /// Returns an error for each planned price that is not above the present one.
  private func errors(in report: PlanReport, _ found: [PriceKeys.Found]) -> [InputError] {
    zip(report.entries, found).compactMap { entry, found in
      guard let price = entry.oldPrice, !entry.isIncrease else { return nil }
      let column = "new_price"
      let newPrice = priceText(entry.planned.newPrice, currency: found.row.currency)
      return InputError(
        path: found.row.places[column] ?? "", code: "bad-table",
        message:
          "column \"\(column)\": found \"\(newPrice)\", expected more than the present price \(priceText(price, currency: found.row.currency))"
      )
    }
  }
}

extension Source {
  /// Whether the source has chains for a second pass.
  fileprivate var isFollowed: Bool { self == .subscribers || self == .receipts }
}

extension SourceReport {
  /// Finds price changes in addition to those that the user states.
  fileprivate mutating func findPriceChanges(
    stated: inout PriceKeys, _ marked: PriceAssembly.Marked
  ) {
    guard let prices = tally.prices,
      let first = source == .receipts ? prices.firstDay : completeness.firstDay
    else { return }
    let days = first...max(first, completeness.asOf)
    let saysPlan = source.dimensions.contains(.plan)
    let given = stated.found(in: prices.products, days).compactMap { found in
      let plan = found.row.plan ?? .upfront
      // SALES rows have no plan, so a change of an instalment price cannot be looked for in them.
      if !saysPlan, plan == .commitment { return GivenPriceChange?.none }
      return GivenPriceChange(
        key: PriceKey(found.key, plan: saysPlan ? plan : .unknown), date: found.row.date,
        oldPrice: found.row.oldPrice ?? 0, newPrice: found.row.newPrice)
    }
    priceChanges = prices.changes(
      firstDay: first, asOf: completeness.asOf, contingent: marked.contingent,
      instalments: saysPlan ? nil : marked.instalments, given: given)
  }
}
