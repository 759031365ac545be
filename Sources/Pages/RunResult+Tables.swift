package import Pipeline
import Storage
import SubscriptionModel
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
    let hidden = plan.views.indices.filter { !shownViews.contains(plan.views[$0]) }
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
      tables[kind, default: []].append(try table.get())
    }
    return tables
  }
}
