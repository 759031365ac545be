import SubscriptionModel

extension ImpactReport {
  /// Returns a view of `price_impact.csv`.
  ///
  /// - Parameters:
  ///   - reports: The sources that have increases.
  ///   - view: The view.
  ///   - names: The texts behind the symbols.
  /// - Returns: The table, with a header even when it has no row.
  public static func table(
    of reports: [ImpactReport], by view: ImpactView, _ names: Names
  ) -> ReportTable {
    let rows = reports.flatMap { $0.impacts(by: view) }.map { $0.row(names) }
    return ReportTable(
      name: PriceTable.impact.rawValue, dimensions: view.dimensions,
      columns: PriceTable.impact.columns(for: view.dimensions),
      rows: rows.sorted(by: KeyedRow.precedes).map(\.cells))
  }

  /// Returns `price_impact-months.csv`: renewals around each increase.
  ///
  /// - Parameters:
  ///   - reports: The sources that have increases.
  ///   - names: The texts behind the symbols.
  /// - Returns: The table, with a header even when it has no row.
  public static func monthTable(of reports: [ImpactReport], _ names: Names) -> ReportTable {
    let rows = reports.flatMap { report in
      report.impacts(by: .whole).flatMap { impact in
        let months = report.months(around: impact.changes)
        return impact.monthRows(months.treated, "treated", names)
          + impact.monthRows(months.control, "control", names)
      }
    }
    return ReportTable(
      name: PriceTable.months.rawValue, dimensions: [], columns: PriceTable.months.columns(for: []),
      rows: rows.sorted(by: KeyedRow.precedes).map(\.cells))
  }
}

extension PriceImpact {
  /// What a pooled row prints for storefront and currency.
  static let all = "*"

  private func keys(_ names: Names) -> [String] {
    let key = changes[0].key
    return [
      source.rawValue, names.product(product), isPooled ? Self.all : names.text(key.country),
      isPooled ? Self.all : names.text(key.currency), effective.description,
    ]
  }

  /// The row, with all of its cells, and the keys that it is sorted by.
  fileprivate func row(_ names: Names) -> KeyedRow {
    let keys = keys(names)
    let cohort = cohort.map { [$0.text(names)] } ?? []
    let price = { (milliunits: Int64?) -> ReportTable.Cell in
      isPooled ? .missing : milliunits.map { .money(milliunits: Int128($0)) } ?? .missing
    }
    var cells: [ReportTable.Cell] = keys.map { .text($0) }
    cells += [
      .text(effectiveExisting.description), price(changes[0].oldPrice), price(changes[0].newPrice),
    ]
    cells += cohort.map { .text($0) }
    cells += countCells + rateCells + moneyCells(names) + breakEvenCells + [state.cell]
    return KeyedRow(
      keys: (keys + [effectiveExisting.description] + cohort).map { .text($0) }, cells: cells)
  }

  private var countCells: [ReportTable.Cell] {
    let origins = Set(changes.map(\.origin))
    let count = { (fact: ExposureFact) -> ReportTable.Cell in .count(exposure[fact]) }
    let known = { (fact: ExposureFact) -> ReportTable.Cell in
      source.knowsReasons ? .count(exposure[fact]) : .missing
    }
    return [
      origins.count == 1 ? .text(changes[0].origin.rawValue) : .missing,
      .count(exposure.reached + exposure[.notReached]), count(.notReached), count(.preserved),
      .count(exposure.reached), count(.renewedNewPrice), count(.renewedOldPrice),
      count(.renewedOtherPrice), count(.changedProduct), count(.changedToCheaper),
      count(.recovered), count(.lapsed), known(.lapsedPriceReason), count(.pending),
      exposure[.refundUndecided] == 0 ? count(.refunded) : .missing,
      known(.consentAsked), known(.consentGiven), known(.consentPending), known(.notified),
    ]
  }

  private var rateCells: [ReportTable.Cell] {
    let isKnown = comparison.verdict != .tooFew
    let hasControl = comparison.control != nil
    let interval = comparison.renewalRate.map(Statistics.wilson)
    return [
      isKnown ? .rate(exposure.continued, of: exposure.reached) : .missing,
      .fraction(interval?.low), .fraction(interval?.high), .count(comparison.baselineDue),
      .fraction(comparison.baselineRate?.rate),
      comparison.control.map { .text($0.rawValue) } ?? .missing,
      hasControl ? .count(comparison.controlBeforeDue) : .missing,
      .fraction(comparison.controlBeforeRate?.rate),
      hasControl ? .count(comparison.controlAfterDue) : .missing,
      .fraction(comparison.controlAfterRate?.rate), .count(comparison.unmatched),
      .fraction(comparison.excessChurn?.value), .fraction(comparison.excessChurn?.low),
      .fraction(comparison.excessChurn?.high), .text(comparison.verdict.rawValue),
    ]
  }

  private func moneyCells(_ names: Names) -> [ReportTable.Cell] {
    guard let money else { return [ReportTable.Cell](repeating: .missing, count: 8) }
    return [
      .text(names.text(money.currency)), .money(milliunits: money.actual),
      .money(milliunits: money.counterfactual), .money(milliunits: money.priceEffect),
      .money(milliunits: money.volumeEffect), .money(milliunits: money.mixEffect),
      .money(milliunits: money.shareEffect), .money(milliunits: money.netEffect),
    ]
  }

  private var breakEvenCells: [ReportTable.Cell] {
    let observed = comparison.observedLoss
    let loss: ReportTable.Cell =
      breakEven.map { prices in
        .ratio(
          numerator: Int128(prices.newPrice - prices.oldPrice),
          denominator: Int128(prices.newPrice))
      } ?? .missing
    return [
      loss, .fraction(breakEven?.churn), .fraction(observed?.value), .fraction(observed?.low),
      .fraction(observed?.high), breakEven?.verdict.map { .text($0.rawValue) } ?? .missing,
    ]
  }

  fileprivate func monthRows(
    _ months: [ImpactMonth], _ group: String, _ names: Names
  ) -> [KeyedRow] {
    months.map { month in
      let keys = keys(names) + [group]
      let interval =
        comparison.verdict == .tooFew ? nil : Statistics.wilson(month.renewed, of: month.due)
      let cells: [ReportTable.Cell] = [
        .count(month.month), .count(month.due), .count(month.renewed),
        interval == nil ? .missing : .rate(month.renewed, of: month.due), .fraction(interval?.low),
        .fraction(interval?.high),
      ]
      return KeyedRow(
        keys: keys.map { .text($0) } + [.number(month.month)],
        cells: keys.map { .text($0) } + cells)
    }
  }
}

extension ReportTable.Cell {
  /// A statistic, or `missing`.
  fileprivate static func fraction(_ value: Double?) -> ReportTable.Cell {
    value.map { .fraction($0) } ?? .missing
  }
}
