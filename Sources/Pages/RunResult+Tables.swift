import Counting
package import Pipeline
import Storage
package import SubscriptionModel
package import Tables

extension RunResult {
  /// Returns every view of every table that the inputs allow, the whole population first.
  ///
  /// - Parameters:
  ///   - kinds: The tables to make.
  ///   - conversion: Adds converted columns beside the money columns.
  /// - Returns: The views of each table; tables that no source allows are left out.
  /// - Throws: ``ConversionError`` when a rate is missing.
  package func tables(
    _ kinds: [TableKind] = TableKind.allCases, conversion: CurrencyConversion? = nil
  ) throws(ConversionError) -> [TableKind: [ReportTable]] {
    let maker = tableMaker(conversion: conversion)
    let hidden = plan.views.indices.filter { isHidden(plan.views[$0]) }
    let wanted = kinds.flatMap { kind in
      maker.views(of: kind).filter { !hidden.contains($0) }.map { (kind, $0) }
    }
    let made = Workers.map(count: wanted.count, jobs: plan.jobs) { item in
      Result { () throws(ConversionError) in
        try maker.table(wanted[item].0, view: wanted[item].1)
      }
    }
    var tables: [TableKind: [ReportTable]] = [:]
    for (table, (kind, _)) in zip(made, wanted) {
      let table = try table.get()
      tables[kind, default: []].append(kind == .definitions ? inCompleteMonths(table) : table)
    }
    return tables
  }

  /// Returns the rows of months that are over at the as-of of their source.
  private func inCompleteMonths(_ table: ReportTable) -> ReportTable {
    var complete = table
    complete.rows = zip(table.rows, table.namedRows).filter { _, row in
      let report = sources.first { $0.source == Source.ofRows(row.source) }
      guard let report, let month = plan.monthSystem.month(named: row.text("month")) else {
        return false
      }
      return report.completeness.isOver(month)
    }.map(\.0)
    return complete
  }
}

extension Source {
  /// Returns the source of the input that rows are made from: those of `snapshot` are read with `events`.
  ///
  /// - Parameter name: The source that the rows name.
  /// - Returns: The source; `nil` for another name.
  package static func ofRows(_ name: String) -> Source? {
    Source(rawValue: name == "snapshot" ? Source.events.rawValue : name)
  }
}
