import Counting
import Storage
package import SubscriptionModel

/// The changes of one month or of several, each since its own earlier month.
package struct DriverComparisons: Sendable {
  /// The months, the newest last.
  package let pairs: [(month: Month, earlier: Month)]
  private let drivers: [Drivers]
  private let months: MonthSystem

  /// Joins the contributions of some months, each compared with another one.
  package init(
    _ pairs: [(month: Month, earlier: Month)], _ drivers: [Drivers], _ months: MonthSystem
  ) {
    (self.pairs, self.drivers, self.months) = (pairs, drivers, months)
  }

  /// Whether no number has a row.
  package var isEmpty: Bool { drivers.allSatisfy(\.rows.isEmpty) }

  /// Whether recurring revenue is in the rows and no movement of it: a snapshot knows none.
  package var lacksMovements: Bool {
    let rows = drivers.flatMap(\.rows).filter { $0.headline == .mrr }
    return !rows.isEmpty && rows.allSatisfy { $0.sourceName == "snapshot" }
  }

  /// The months in words, such as `2026-09 against 2026-08`.
  package var words: String {
    guard let first = pairs.first, let last = pairs.last else { return "" }
    guard pairs.count > 1 else { return text(of: first) }
    let distances = Set(pairs.map { $0.month - $0.earlier })
    let others =
      distances == [1]
      ? "the month before"
      : distances == [12] ? "the same month of the year before" : months.name(first.earlier)
    return "\(months.name(first.month)) to \(months.name(last.month)), each against \(others)"
  }

  /// The title of a page.
  package var title: String {
    guard pairs.count == 1, let pair = pairs.first else { return "What changed in \(words)" }
    return "What changed from \(months.name(pair.earlier)) to \(months.name(pair.month))"
  }

  /// Returns the rows of all months, `drivers.csv`; for readers, words stand in place of blank values.
  package func table(forReaders isForReaders: Bool) -> ReportTable {
    let tables = drivers.map { isForReaders ? $0.readersTable : $0.table }
    return ReportTable(
      name: HeadlineTable.drivers.rawValue, dimensions: [],
      columns: HeadlineTable.drivers.allColumns.map(\.column), rows: tables.flatMap(\.rows))
  }

  /// The rows in one table for each number, month, source and currency, with that in its heading; for terminals.
  ///
  /// The columns of rates have an interval, and the parts of another share and of another rate.
  package var tables: [ReportTable] {
    drivers.flatMap { ofMonth in
      let all = ofMonth.readersTable
      let rows = Array(zip(ofMonth.rows, all.rows))
      return ofMonth.rows.filter { $0.split == nil }.map { whole in
        let own = rows.filter { driver, _ in
          driver.headline == whole.headline && driver.source == whole.source
            && driver.currency == whole.currency
        }
        let isRate = whole.headline.isRate
        let money = whole.currency.isEmpty ? "" : " in \(whole.currency)"
        let table = ReportTable(
          name: all.name, dimensions: [], columns: all.columns, rows: own.map(\.1),
          heading: ReportTable.Heading(
            "\(whole.headline.rawValue)\(money), \(text(of: (whole.month, whole.against))), from \(whole.sourceName)\(isRate ? "; changes in points" : "")",
            currency: whole.currency))
        let common: Set = ["source", "table", "measure", "month", "against", "currency"]
        let ofRates: Set = ["mix", "rate", "low", "high"]
        return table.keeping { !common.contains($0) && (isRate || !ofRates.contains($0)) }
      }
    }
  }

  /// The columns for readers; the others are for programs.
  package var columns: Set<String> {
    var names: Set = [
      "measure", "currency", "dimension", "value", "before", "after", "mix", "rate", "total", "low",
      "high", "state",
    ]
    // Conversions are of the last month whose trials are decided.
    if Set(drivers.flatMap(\.rows).map(\.month)).count > 1 { names.insert("month") }
    // With one source for each number, notes say where it is not the usual one.
    let hasSeveral = drivers.contains { ofMonth in
      let wholes = ofMonth.rows.filter { $0.split == nil }
      return Dictionary(grouping: wholes, by: \.headline).values.contains { rows in
        Set(rows.map(\.source)).count > 1
      }
    }
    if hasSeveral { names.insert("source") }
    return names
  }

  /// Which numbers cannot be compared in their own source, and which source stands in its place.
  package var uncompared: [String] {
    struct Reason: Hashable {
      var source: String
      var instead: String
    }
    var found: [Reason: [String: [String]]] = [:]
    for (pair, ofMonth) in zip(pairs, drivers) {
      for number in ofMonth.uncompared {
        let others = number.others.map(number.headline.name)
        let reason = Reason(
          source: number.headline.name(of: number.source),
          instead: others.isEmpty ? "no other source has both" : "\(others.inWords()) in its place")
        found[reason, default: [:]][number.headline.rawValue, default: []]
          .append(text(of: pair))
      }
    }
    let names = drivers.flatMap(\.uncompared).map(\.headline.rawValue).unique
    return found.sorted { ($0.key.source, $0.key.instead) < ($1.key.source, $1.key.instead) }
      .flatMap { reason, byName in
        Set(byName.values).sorted { $0.lexicographicallyPrecedes($1) }.map { pairs in
          let own = names.filter { byName[$0] == pairs }
          return
            "\(own.inWords()): \(pairs.inWords()) cannot be compared in \(reason.source), where one of the months is partial or missing; \(reason.instead)"
        }
      }
  }

  private func text(of pair: (month: Month, earlier: Month)) -> String {
    "\(months.name(pair.month)) against \(months.name(pair.earlier))"
  }
}
