package import Counting
package import SubscriptionModel
package import Tables

/// The views that random worlds are compared in.
package let comparedViews: [[Dimension]] = [
  [], [.startMonth], [.product], [.country], [.offer], [.country, .product],
]

extension WorldBuilder {
  /// Which days of the world are there.
  package func completeness(missing: Set<Day> = []) -> Completeness {
    let days = (0...(asOf - firstFileDay)).map { firstFileDay + $0 }
    return Completeness(
      firstDay: firstFileDay, asOf: asOf, presentDays: Set(days).subtracting(missing),
      monthSystem: monthSystem, transfers: transfers, hasStopped: hasStopped)
  }

  /// Returns an empty tally of source `subscribers`.
  package func emptyTally(_ views: [[Dimension]], filter: Filter = Filter()) -> Tally {
    let months = Month(year: 2023, month: 1)...Month(year: 2031, month: 1)
    return Tally(
      source: .subscribers, views: views, filter: filter, months: months,
      monthSystem: monthSystem, hasMoney: true, hasOthers: true)
  }

  /// Returns a fold without subscribers.
  package func fold(
    _ views: [[Dimension]], missing: Set<Day>, filter: Filter = Filter(),
    lastDay: Day = .last
  ) -> ChainFold {
    ChainFold(
      terms: terms, completeness: completeness(missing: missing),
      tally: emptyTally(views, filter: filter), lastDay: lastDay)
  }

  /// Returns the tally of some of the subscribers.
  package func tally(
    of some: [Int], _ views: [[Dimension]], missing: Set<Day> = [], filter: Filter = Filter(),
    lastDay: Day = .last
  ) -> Tally {
    var fold = fold(views, missing: missing, filter: filter, lastDay: lastDay)
    for subscriber in some { fold.add(history(subscriber)) }
    return fold.tally
  }

  /// Returns a maker of tables; products print as their ids.
  package func tables(
    _ tally: Tally, _ views: [[Dimension]], missing: Set<Day> = [],
    conversion: CurrencyConversion? = nil
  ) -> TableMaker {
    TableMaker(
      sources: [SourceReport(tally: tally, completeness: completeness(missing: missing))],
      views: views, names: Names(symbols: symbols, products: [:], apps: [:]),
      conversion: conversion)
  }

  /// Returns a maker of the tables of all subscribers.
  package func tables(_ views: [[Dimension]] = [[]], missing: Set<Day> = []) -> TableMaker {
    tables(tally(of: Array(subscribers.indices), views, missing: missing), views, missing: missing)
  }
}
