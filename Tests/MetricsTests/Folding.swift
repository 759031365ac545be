import Counting
import SubreportTestSupport
import SubscriptionModel
import Tables

/// The views that random worlds are compared in.
let comparedViews: [[Dimension]] = [
  [], [.startMonth], [.product], [.country], [.offer], [.country, .product],
]

extension WorldBuilder {
  /// Which days of the world are there.
  func completeness(missing: Set<Day> = []) -> Completeness {
    let days = (0...(asOf - firstFileDay)).map { firstFileDay + $0 }
    return Completeness(
      firstDay: firstFileDay, asOf: asOf, presentDays: Set(days).subtracting(missing),
      monthSystem: monthSystem)
  }

  /// Returns an empty tally of source `subscribers`.
  func emptyTally(_ views: [[Dimension]], filter: Filter = Filter()) -> Tally {
    let months = Month(year: 2023, month: 1)...Month(year: 2031, month: 1)
    return Tally(
      source: .subscribers, views: views, filter: filter, months: months, monthSystem: monthSystem)
  }

  /// Returns a fold of nobody.
  func fold(
    _ views: [[Dimension]], missing: Set<Day>, filter: Filter = Filter(),
    lastDay: Day = .last
  ) -> ChainFold {
    ChainFold(
      terms: terms, completeness: completeness(missing: missing),
      tally: emptyTally(views, filter: filter), lastDay: lastDay)
  }

  /// Returns the tally of some of the subscribers.
  func tally(
    of some: [Int], _ views: [[Dimension]], missing: Set<Day> = [], filter: Filter = Filter(),
    lastDay: Day = .last
  ) -> Tally {
    var fold = fold(views, missing: missing, filter: filter, lastDay: lastDay)
    for subscriber in some { fold.add(history(subscriber)) }
    return fold.tally
  }

  /// Returns a maker of tables; products print as their ids.
  func tables(
    _ tally: Tally, _ views: [[Dimension]], missing: Set<Day> = [],
    conversion: CurrencyConversion? = nil
  ) -> TableMaker {
    TableMaker(
      sources: [SourceReport(tally: tally, completeness: completeness(missing: missing))],
      views: views, names: Names(symbols: symbols, products: [:], apps: [:]),
      conversion: conversion)
  }

  /// Returns a maker of the tables of all subscribers.
  func tables(_ views: [[Dimension]] = [[]], missing: Set<Day> = []) -> TableMaker {
    tables(tally(of: Array(subscribers.indices), views, missing: missing), views, missing: missing)
  }
}

extension ReportTable {
  /// Returns the cells of a column in the rows whose keys are these, in order.
  subscript(column name: String, keys values: [String]) -> [Cell] {
    guard let index = columns.firstIndex(where: { $0.name == name }) else { return [] }
    let keyIndices = columns.indices.filter { columns[$0].kind == .key }
    return rows.filter { row in
      zip(keyIndices.dropFirst(), values).allSatisfy { row[$0] == .text($1) }
    }.map { $0[index] }
  }
}
