package import Counting
import Storage
package import SubscriptionModel

/// The rows of source `snapshot`, which only tables of money have: METRICS.md 11.2 and 11.4.
extension TableMaker {
  private struct Place: Hashable {
    var cohort: Int32
    var currency: Symbol
  }

  /// The subscriptions of a row, and their value in its own currency and in the one to convert to.
  private struct Stock {
    var active = 0
    var mrr = Int128(0)
    /// The value of each amount, to be converted again at the rate of the next month.
    var amounts: [Int64: Int] = [:]
  }

  /// The day of the snapshot of each month: its last day or, in the newest month, that of the newest report.
  private func days(_ report: SourceReport) -> [Month: Day] {
    Dictionary(
      report.tally.snapshotDays.map { (report.completeness.monthSystem.month(of: $0), $0) },
      uniquingKeysWith: max)
  }

  private func isFinal(_ month: Month, _ day: Day, _ report: SourceReport) -> Bool {
    report.completeness.monthSystem.lastDay(of: month) == day
  }

  private func keys(_ basis: String?, _ month: Month, _ report: SourceReport) -> [KeyedRow.Key] {
    ([Source.snapshot] + [basis].compactMap { $0 } + [report.name(month)]).map { .text($0) }
  }

  /// Makes the rows of `status`.
  func snapshotStatusRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    let row = RowCells(.status, report.source)
    var counts: [Int32: [Day: [StatusColumn: Int]]] = [:]
    for (key, count) in tally.snapshots.counts {
      counts[key.cohort, default: [:]][key.day, default: [:]][key.column.status, default: 0] +=
        count
    }
    return days(report).flatMap { month, day in
      counts.compactMap { cohort, counts -> KeyedRow? in
        guard let own = counts[day], own.values.contains(where: { $0 != 0 }) else { return nil }
        let cells = row.cells(report.stateOfSnapshot(of: day)) { counted, _ -> Int128? in
          guard case .status(let column) = counted, column != .suspended else { return nil }
          return Int128(own[column] ?? 0)
        }
        return KeyedRow(
          keys: keys(nil, month, report) + cohortKeys(Int(cohort), tally), cells: cells)
      }
    }
  }

  /// Makes the rows of `recurring`.
  func snapshotRecurringRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    [false, true].flatMap { snapshotRows(report, view, isOfProceeds: $0) }
  }

  private func snapshotRows(_ report: SourceReport, _ view: Int, isOfProceeds: Bool) -> [KeyedRow] {
    let tally = report.tally.views[view]
    var stocks: [Place: [Day: Stock]] = [:]
    for (key, count) in tally.snapshots.counts where key.column.isPaid && count != 0 {
      let value = monthlyValue(key, isOfProceeds: isOfProceeds)?.result
      let place = Place(cohort: key.cohort, currency: value?.currency ?? .blank)
      stocks[place, default: [:]][key.day, default: Stock()].active += count
      guard let value else { continue }
      stocks[place]?[key.day]?.mrr += Int128(count) * Int128(value.milliunits)
      stocks[place]?[key.day]?.amounts[value.milliunits, default: 0] += count
    }
    let row = RowCells(.recurring, report.source)
    let days = days(report)
    return stocks.flatMap { place, stocks in
      days.compactMap { month, day -> KeyedRow? in
        let before = days[month - 1].flatMap { isFinal(month - 1, $0, report) ? $0 : nil }
        let now = stocks[day] ?? Stock()
        let open = before.map { stocks[$0] ?? Stock() }
        guard now.active != 0 || place.currency != .blank && open.map({ $0.mrr != 0 }) ?? false
        else { return nil }
        let cells = cells(row, now, open, place.currency, month, report.stateOfSnapshot(of: day))
        return KeyedRow(
          keys: keys(isOfProceeds ? "proceeds" : "price", month, report)
            + cohortKeys(Int(place.cohort), tally)
            + [.text(names.text(place.currency))], cells: cells)
      }
    }
  }

  private func cells(
    _ row: RowCells, _ now: Stock, _ open: Stock?, _ currency: Symbol, _ month: Month,
    _ state: SourceReport.State
  ) -> [ReportTable.Cell] {
    let hasMoney = currency != .blank
    let arpu = { (mrr: Int128) -> ReportTable.Cell in
      now.active == 0
        ? .missing : .money(milliunits: mrr.dividedHalfUp(by: Int128(now.active)))
    }
    let cells = row.cells(state) { counted, _ -> Int128? in
      switch counted {
      case .recurring(.active): Int128(now.active)
      case .recurring(.mrr) where hasMoney: now.mrr
      case .recurring(.open) where hasMoney: open?.mrr
      default: nil
      }
    } other: { name, _ in
      guard hasMoney else { return .missing }
      switch name {
      case "arr": return .money(milliunits: 12 * now.mrr)
      case "arpu": return arpu(now.mrr)
      default: return .missing
      }
    }
    guard let conversion else { return cells }
    let converted = { (stock: Stock?, month: Month) -> Int128? in
      guard hasMoney, let stock else { return nil }
      return stock.amounts.reduce(0 as Int128?) { sum, entry in
        let one = conversion.convert(Int128(entry.key), from: names.text(currency), in: month)
        return sum.flatMap { sum in one.map { sum + Int128(entry.value) * $0 } }
      }
    }
    let money = { (sum: Int128?) -> ReportTable.Cell in
      sum.map { .money(milliunits: $0) } ?? .missing
    }
    let (mrr, before) = (converted(now, month), converted(open, month - 1))
    let atThisRate = converted(open, month)
    return zip(Definition.definition(of: .recurring).columns, cells).flatMap {
      column, cell -> [ReportTable.Cell] in
      guard column.column.kind == .money else { return [cell] }
      switch column.column.name {
      case "open":
        return [cell, money(before), money(before.flatMap { was in atThisRate.map { $0 - was } })]
      case "mrr": return [cell, money(mrr)]
      case "arr": return [cell, money(mrr.map { 12 * $0 })]
      case "arpu": return [cell, mrr.map(arpu) ?? .missing]
      default: return [cell, .missing]
      }
    }
  }

  /// Returns the day of the snapshot whose subscriptions a column counts in a month; `nil` if there is none.
  package func snapshotDay(of counted: Counted, in month: Month) -> Day? {
    guard let report = sources.first(where: { $0.source == .events }) else { return nil }
    let days = days(report)
    guard counted == .recurring(.open) else { return days[month] }
    return days[month - 1].flatMap { isFinal(month - 1, $0, report) ? $0 : nil }
  }

  /// Returns the monthly value of a subscription; `nil` if the report does not state its price or its plan.
  package func monthlyValue(_ key: SnapshotGrid.Key, isOfProceeds: Bool) -> MonthlyValue? {
    guard let value = key.value else { return nil }
    let amount = isOfProceeds ? \ChargeValue.proceeds : \.price
    let sold = sources.contains { $0.soldInInstalments.contains(value.product) }
    guard value.product != .blank, sold else { return value.monthly(amount, UsualTerms()) }
    // Of a product that is sold in instalments only a known price says which plan it is.
    guard let plans = sources.lazy.compactMap(\.plans).first,
      plans.hasInstalmentPrice(of: value.product)
    else { return nil }
    var own = value
    let isInstalment = plans.isInstalment(value, in: key.country, names.text(value.price.currency))
    if isInstalment { own.term = Term(months: 1) }
    own.product = .blank
    return own.monthly(amount, UsualTerms())
  }
}

extension Source {
  /// The name of the rows that tables of money have of snapshots, which are read with `events`.
  static let snapshot = "snapshot"

  /// Returns the name of its rows in a table.
  package func name(in table: TableKind) -> String {
    self == .events && table.isOfMoney ? Self.snapshot : rawValue
  }
}

extension SnapshotColumn {
  package var status: StatusColumn {
    switch self {
    case .standard: .standard
    case .introUpFront, .introAsYouGo: .introductory
    case .offerUpFront, .offerAsYouGo: .offers
    case .freeTrials: .freeTrials
    case .freeOffers: .freeOffers
    case .grace: .grace
    case .billingRetry: .billingRetry
    }
  }
}
