package import Counting
import Storage
package import SubscriptionModel
package import Tables

/// Makes the price tables of a run: METRICS.md section 6.
///
/// Products print by name, and only sources with prices have rows.
package struct PriceTableMaker: Sendable {
  let reports: [PriceReport]
  let names: Names

  /// Creates a maker.
  package init(_ reports: [PriceReport], names: Names) {
    self.reports = reports.sorted { $0.source < $1.source }
    self.names = names
  }

  /// Returns a view of `price_impact.csv`; only a header if it has no rows.
  package func impactTable(view: ImpactView) -> ReportTable {
    let rows = impactReports.flatMap { $0.impacts(by: view) }.map { $0.row(names) }
    return PriceTable.impact.table(rows, by: view.dimensions)
  }

  /// Returns `price_impact-months.csv`: the renewals before and after each increase; only a header if there are none.
  package func impactMonthsTable() -> ReportTable {
    PriceTable.months.table(impacts().flatMap { $0.monthRows(names) })
  }

  /// Returns the impact of each increase on the whole population, in the order of the table, for pages.
  package func impacts() -> [PriceImpact] {
    let impacts = impactReports.flatMap { $0.impacts(by: .whole) }
    return KeyedRow.order(of: impacts.map { $0.row(names) }).map { impacts[$0] }
  }

  /// Returns a source's rows of a view with the renewals that they count, in no order, for explanations.
  package func explainedRows(view: ImpactView, of source: Source) -> [ExplainedImpact] {
    impactReports.filter { $0.source == source }.flatMap { report in
      report.explained(by: view).map { explained in
        var explained = explained
        explained.cells = cells(of: explained.impact)
        return explained
      }
    }
  }

  /// Returns the cells of a row of `price_impact.csv`, its keys first.
  package func cells(of impact: PriceImpact) -> [ReportTable.Cell] { impact.row(names).allCells }

  private var impactReports: [ImpactReport] {
    reports.compactMap { report in report.impact.map { ImpactReport($0, of: report) } }
  }
}

extension PriceImpact {
  /// The storefront of a pooled row.
  static let all = "*"

  private func keys(_ names: Names) -> [KeyedRow.Key] {
    let key = changes[0].key
    let prices = isPooled ? (nil, nil) : (changes[0].oldPrice, changes[0].newPrice)
    let texts = [
      source.rawValue, names.product(product), isPooled ? Self.all : names.text(key.country),
      isPooled ? "" : names.text(key.currency), key.planName, effective.description,
      effectiveExisting.description,
    ]
    return texts.map { .text($0) } + [.milliunits(prices.0), .milliunits(prices.1)]
  }

  func row(_ names: Names) -> KeyedRow {
    let cohort = cohort.map { [KeyedRow.Key.text($0.text(names))] } ?? []
    var cells = countCells + rateCells + moneyCells(names) + breakEvenCells
    cells += [state.cell, .productID(product, names)]
    return KeyedRow(keys: keys(names) + cohort, cells: cells)
  }

  private var countCells: [ReportTable.Cell] {
    let origins = Set(changes.map(\.origin))
    let count = { (fact: ExposureFact) -> ReportTable.Cell in .count(exposure[fact]) }
    let known = { (fact: ExposureFact) -> ReportTable.Cell in
      source.hasReasons ? .count(exposure[fact]) : .missing
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
    let interval = comparison.renewalRate.map { Statistics.wilson($0) }
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
    let amounts = [
      money.actual, money.counterfactual, money.priceEffect, money.volumeEffect, money.mixEffect,
      money.shareEffect, money.netEffect,
    ]
    return [.text(names.text(money.currency))] + amounts.map { .money(milliunits: $0) }
  }

  private var breakEvenCells: [ReportTable.Cell] {
    let observed = comparison.observedLoss
    let loss: ReportTable.Cell =
      breakEven.map { .rate(Int($0.newPrice - $0.oldPrice), of: Int($0.newPrice)) } ?? .missing
    return [
      loss, .fraction(breakEven?.churn), .fraction(observed?.value), .fraction(observed?.low),
      .fraction(observed?.high), breakEven?.verdict.map { .text($0.rawValue) } ?? .missing,
    ]
  }

  fileprivate func monthRows(_ names: Names) -> [KeyedRow] {
    [("treated", treatedMonths), ("control", controlMonths)].flatMap { group, months in
      months.map { month in
        let interval = month.interval
        return KeyedRow(
          keys: keys(names) + [.text(group), .number(month.month)],
          cells: [
            .count(month.due), .count(month.renewed),
            .rate(month.renewed, of: month.due), .fraction(interval?.low),
            .fraction(interval?.high), .productID(product, names),
          ])
      }
    }
  }
}

extension ReportTable.Cell {
  /// Returns the cell of a product's id, as views by product have it.
  static func productID(_ product: Symbol, _ names: Names) -> ReportTable.Cell {
    .text(names.productID(ofPrinted: names.product(product)))
  }

  /// Returns the cell of a statistic; `missing` for `nil`.
  fileprivate static func fraction(_ value: Double?) -> ReportTable.Cell {
    value.map { .fraction($0) } ?? .missing
  }
}
