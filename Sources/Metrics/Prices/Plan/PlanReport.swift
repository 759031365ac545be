public import SubscriptionModel

/// What planned prices would mean: the rows of `price_plan.csv`, and what a page says of them.
public struct PlanReport: Sendable {
  /// One planned price, with what was found.
  public struct Entry: Sendable {
    /// The planned price.
    public let planned: PlannedPrice
    /// The price that was charged last, in milliunits; `nil` when nobody paid a standard price.
    public let oldPrice: Int64?
    /// Subscriptions that would meet it, if all renew until then.
    public let due: Int
    /// Of these: so close to that renewal that Apple may have checked it.
    public let preflight: Int
    /// The last week in which one would meet it, by its Monday.
    public let lastWeek: Day?
    /// Whether customers must agree.
    public let needsConsent: ConsentRules.Need

    /// Whether the price is above the one that is paid; a plan that is not is a mistake.
    public var isIncrease: Bool { oldPrice.map { $0 < planned.newPrice } ?? false }
  }

  /// The planned prices, in the order of the plan.
  public let entries: [Entry]
  private let tally: PlanTally

  /// Prepares the rows of a source.
  ///
  /// - Parameters:
  ///   - planned: The planned prices.
  ///   - tally: Who would meet them.
  ///   - report: The source.
  ///   - rules: When customers must agree.
  ///   - names: The texts behind the symbols.
  public init(
    _ planned: [PlannedPrice], _ tally: PlanTally, of report: SourceReport, rules: ConsentRules,
    _ names: Names
  ) {
    self.tally = tally
    entries = planned.enumerated().map { index, planned in
      let current = tally.current[index]
      let increases = report.priceChanges.filter { change in
        change.kind == .increase && change.key.storefront == planned.key
          && change.key.plan == planned.plan ?? current?.plan && change.date < planned.date
      }
      let need = current.map { current in
        rules.need(
          (names.text(planned.key.country), names.text(planned.key.currency)),
          oldPrice: current.price, newPrice: planned.newPrice, term: current.term,
          date: planned.date, lastIncrease: increases.map(\.date).max(),
          firstDay: report.completeness.firstDay)
      }
      let weeks = tally.weeks[index]
      return Entry(
        planned: planned, oldPrice: current?.price,
        due: weeks.values.reduce(0) { $0 + $1.due },
        preflight: weeks.values.reduce(0) { $0 + $1.preflight }, lastWeek: weeks.keys.max(),
        needsConsent: need ?? .unknown)
    }
  }

  /// Returns `price_plan.csv`.
  ///
  /// - Parameter names: The texts behind the symbols.
  /// - Returns: The table, with a header even when nobody would meet a price.
  public func table(_ names: Names) -> ReportTable {
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
          ])
      }
    }
    return ReportTable(
      name: PriceTable.plan.rawValue, dimensions: [], columns: PriceTable.plan.columns(for: []),
      rows: rows.sorted(by: KeyedRow.precedes).map(\.allCells))
  }
}
