import Counting
import Storage
package import SubscriptionModel

extension HeadlineMaker {
  /// The value in the row for the difference between the whole and the sum of a view's rows.
  package static let notInView = "(not in the view)"

  /// Whose changes are split.
  package enum DriverSources: Sendable {
    /// The headline's source; none where its months cannot be compared.
    case ofHeadlines
    /// The headline's source; where its months cannot be compared, each other source whose months can.
    case comparable
    /// Each source that has the number and whose months can be compared.
    case all
  }

  /// Splits the change of each headline between two months, for each of the `earlier` months: PAGE.md, "Drivers".
  ///
  /// The tables must have a view of each dimension of `splits` alone.
  package func drivers(
    of headlines: [Headline] = Headline.driven, against earlier: [Month], by splits: [DriverSplit],
    from sources: DriverSources = .ofHeadlines
  ) -> Drivers {
    var drivers = Drivers(month: month, months: months)
    for headline in headlines {
      guard let own = report(for: headline) else { continue }
      for earlier in earlier {
        let compared = compared(headline, own, with: earlier, sources)
        for (comparison, state) in compared {
          add(comparison, state, by: splits, to: &drivers)
        }
        if !compared.contains(where: { $0.comparison.report.source == own.source }) {
          drivers.uncompared.append(
            Drivers.Uncompared(
              headline: headline, source: own.source, against: earlier,
              others: compared.map(\.comparison.report.source)))
        }
      }
    }
    return drivers
  }

  /// Returns the sources whose change of a number is split, each with the state of its two months.
  ///
  /// Conversions are those of the last decided month and of one that is as much earlier.
  private func compared(
    _ headline: Headline, _ own: SourceReport, with earlier: Month, _ sources: DriverSources
  ) -> [(comparison: Comparison, state: SourceReport.State)] {
    func comparable(
      _ report: SourceReport
    ) -> (comparison: Comparison, state: SourceReport.State)? {
      guard let later = self.month(of: headline, report) else { return nil }
      let comparison = Comparison(
        headline: headline, report: report, month: later, against: later - (self.month - earlier))
      return comparedState(headline, report, later, with: comparison.against)
        .map { (comparison: comparison, state: $0) }
    }
    let ofHeadline = [own].compactMap { comparable($0) }
    if sources == .ofHeadlines || sources == .comparable && !ofHeadline.isEmpty {
      return ofHeadline
    }
    return sourceOrder.unique.compactMap { source in
      maker.sources.first { $0.source == source && has(headline, $0) }.flatMap { comparable($0) }
    }
  }

  /// Adds the change of a number between two months, and its parts by each dimension.
  private func add(
    _ comparison: Comparison, _ state: SourceReport.State, by splits: [DriverSplit],
    to drivers: inout Drivers
  ) {
    let headline = comparison.headline
    let own = comparison.report.source.dimensions
    let splits = splits.filter { split in
      headline.isSplit(by: split) && split.dimension.map(own.contains) ?? true
    }
    for part in headline.isRate ? rateParts(comparison) : amountParts(comparison, splits) {
      drivers.rows.append(comparison.driver(part.currency, nil, "", part.whole, state))
      for by in splits {
        guard let split = part.split(by) else { continue }
        drivers.rows += split.rows.map { value, numbers in
          let own = rowState(comparison, by, value, state)
          var driver = comparison.driver(part.currency, by, value, numbers, own)
          if by == .of(.product), !value.isEmpty, value != Self.notInView {
            driver.productID = maker.names.productID(ofPrinted: value)
          }
          return driver
        }
        drivers.checks.append(check(split, comparison, part.currency, by))
      }
    }
  }

  private func check(
    _ split: Split, _ comparison: Comparison, _ currency: String, _ by: DriverSplit
  ) -> Drivers.Check {
    let headline = comparison.headline
    let scope = [
      headline.name(of: comparison.report.source), headline.rawValue,
      months.name(comparison.month),
      "against", months.name(comparison.against), currency, "by", by.rawValue,
    ]
    return Drivers.Check(
      scope: scope.filter { !$0.isEmpty }.joined(separator: " "), expected: split.expected,
      found: split.found, holds: split.holds)
  }

  /// A headline, its source, and the month that the headline month is compared with.
  private struct Comparison {
    var headline: Headline
    var report: SourceReport
    var month: Month
    var against: Month

    func driver(
      _ currency: String, _ split: DriverSplit?, _ value: String, _ numbers: Driver.Numbers,
      _ state: SourceReport.State
    ) -> Driver {
      Driver(
        headline: headline, source: report.source, month: month, against: against,
        currency: currency, split: split, value: value, numbers: numbers, state: state)
    }
  }

  /// A number of one currency, and how to split its change.
  private struct Part {
    var currency = ""
    var whole: Driver.Numbers
    /// Splits the change; `nil` when a count is not known.
    var split: (DriverSplit) -> Split?
  }

  /// The contributions of a dimension's values or of movements, and whether they add up to the change.
  private struct Split {
    /// The contributions, the largest first.
    var rows: [(value: String, numbers: Driver.Numbers)]
    var expected: ReportTable.Cell
    var found: ReportTable.Cell
    var holds: Bool
  }

  /// Returns the worse state of a value's rows in both months; one without a row has the state of the whole.
  private func rowState(
    _ comparison: Comparison, _ split: DriverSplit, _ value: String,
    _ whole: SourceReport.State
  ) -> SourceReport.State {
    guard value != Self.notInView, comparison.headline.isRate, let dimension = split.dimension
    else { return whole }
    return [comparison.month, comparison.against].compactMap {
      state(comparison.headline, comparison.report, by: [dimension], value: value, in: $0)
    }.min() ?? whole
  }

  // MARK: Rates

  /// Returns one part; none if the rate of a month is not known.
  private func rateParts(_ comparison: Comparison) -> [Part] {
    guard let whole = twoMonths(comparison, by: [])?[""], whole.before.denominator > 0,
      whole.after.denominator > 0
    else { return [] }
    return [
      Part(whole: Self.numbers(whole, of: whole, RateChange(whole, of: whole))) { split in
        guard let dimension = split.dimension, let parts = twoMonths(comparison, by: [dimension])
        else { return nil }
        return Self.split(whole, parts)
      }
    ]
  }

  /// Returns the counts of both months by value, those of the earlier month at the same age.
  private func twoMonths(
    _ comparison: Comparison, by view: [Dimension]
  ) -> [ExactText: TwoMonths]? {
    let (headline, report) = (comparison.headline, comparison.report)
    guard let after = ratios(headline, report, by: view, in: comparison.month),
      let before = ratios(
        headline, report, by: view, in: comparison.against, atAgeOf: comparison.month)
    else { return nil }
    var both: [ExactText: TwoMonths] = [:]
    for (value, ratio) in before { both[value, default: TwoMonths()].before = ratio }
    for (value, ratio) in after { both[value, default: TwoMonths()].after = ratio }
    return both
  }

  private static func split(_ whole: TwoMonths, _ parts: [ExactText: TwoMonths]) -> Split {
    var parts = parts.filter { $0.value != TwoMonths() }
    let rest = parts.values.reduce(whole) { rest, part in
      TwoMonths(before: rest.before - part.before, after: rest.after - part.after)
    }
    if rest != TwoMonths() { parts[notInView] = rest }
    let changes = parts.map {
      (value: $0.key.text, counts: $0.value, change: RateChange($0.value, of: whole))
    }
    let sorted = changes.sorted {
      comesFirst(($0.change.total.numerator, $0.value), ($1.change.total.numerator, $1.value))
    }
    let change = RateChange(whole, of: whole).total
    let sum = changes.reduce(Int128(0)) { $0 + $1.change.total.numerator }
    return Split(
      rows: sorted.map { ($0.value, numbers($0.counts, of: whole, $0.change)) },
      expected: change.cell, found: ExactFraction(sum, over: change.denominator).cell,
      holds: sum == change.numerator)
  }

  private static func numbers(
    _ counts: TwoMonths, of whole: TwoMonths, _ change: RateChange
  ) -> Driver.Numbers {
    var numbers = Driver.Numbers(
      before: counts.before.cell, after: counts.after.cell, total: change.total.cell)
    (numbers.mix, numbers.rate) = (change.mix.cell, change.rate.cell)
    numbers.interval = change.interval
    numbers.counts = (counts, whole)
    return numbers
  }

  /// Returns whether a contribution comes before another: the larger first, equal ones by the bytes of their values.
  private static func comesFirst(
    _ left: (total: Int128, value: String), _ right: (total: Int128, value: String)
  ) -> Bool {
    left.total.magnitude != right.total.magnitude
      ? left.total.magnitude > right.total.magnitude
      : left.value.precedes(right.value)
  }

  // MARK: Counts and money

  /// Returns one part for each currency; one without a currency for a count.
  private func amountParts(_ comparison: Comparison, _ splits: [DriverSplit]) -> [Part] {
    guard let afters = amounts(comparison, by: [], in: comparison.month),
      let befores = amounts(comparison, by: [], in: comparison.against)
    else { return [] }
    let split = splits.compactMap(\.dimension).reduce(into: [:]) {
      $0[$1] = amountsByCurrency(comparison, $1)
    }
    let movements = splits.contains(.movement) ? movements(comparison) : nil
    // The whole population has one amount for each currency.
    let currencies = Set(afters.keys).union(befores.keys).sorted {
      $0.currency.precedes($1.currency)
    }
    return currencies.map { key in
      let (currency, after, before) = (key.currency, afters[key] ?? 0, befores[key] ?? 0)
      return Part(
        currency: currency, whole: numbers(comparison, before: before, after: after)
      ) { by in
        guard let dimension = by.dimension else {
          return movements.map {
            self.split(comparison, $0[currency] ?? [], change: after - before)
          }
        }
        return split[dimension].map {
          self.split(comparison, $0[currency] ?? [:], before: before, after: after)
        }
      }
    }
  }

  /// Returns the amounts of a month; for `active` those of the column `close_observed`.
  private func amounts(
    _ comparison: Comparison, by view: [Dimension], in month: Month
  ) -> [AmountKey: Int128]? {
    amounts(
      comparison.headline, comparison.report, by: view, in: month,
      column: comparison.headline.comparedColumn)
  }

  /// A movement of recurring revenue: the column, and its part of the change.
  private typealias Movement = (column: String, total: Int128)

  /// Returns the movements from the earlier month to the later one by currency; `nil` when one is not known.
  ///
  /// With a conversion `fx` is one of them: what the amounts of each month's start gained by the month's rate.
  private func movements(_ comparison: Comparison) -> [String: [Movement]]? {
    let (first, last) = (
      min(comparison.against, comparison.month), max(comparison.against, comparison.month)
    )
    let isBack = comparison.month < comparison.against
    var found: [String: [Movement]] = [:]
    for (column, isGain) in Definition.movements(isConverted: maker.conversion != nil) {
      var sums: [String: Int128] = [:]
      for number in 1...(last - first) {
        guard
          let amounts = amounts(
            comparison.headline, comparison.report, by: [], in: first + number, column: column)
        else { return nil }
        for (key, amount) in amounts { sums[key.currency, default: 0] += amount }
      }
      for (currency, sum) in sums where sum != 0 {
        found[currency, default: []].append((column, isGain == isBack ? -sum : sum))
      }
    }
    return found
  }

  private func split(_ comparison: Comparison, _ movements: [Movement], change: Int128) -> Split {
    let cell = { self.cell(comparison.headline, $0) }
    let sum = movements.reduce(Int128(0)) { $0 + $1.total }
    return Split(
      rows: movements.sorted { Self.comesFirst(($0.total, $0.column), ($1.total, $1.column)) }
        .map {
          ($0.column, Driver.Numbers(before: .missing, after: .missing, total: cell($0.total)))
        },
      expected: cell(change), found: cell(sum), holds: sum == change)
  }

  /// Returns the amounts of both months by currency and value; `nil` when one is not known.
  private func amountsByCurrency(
    _ comparison: Comparison, _ dimension: Dimension
  ) -> [String: [ExactText: (before: Int128, after: Int128)]]? {
    guard let befores = amounts(comparison, by: [dimension], in: comparison.against),
      let afters = amounts(comparison, by: [dimension], in: comparison.month),
      // A snapshot has no rows by a dimension that it lacks.
      !befores.isEmpty || !afters.isEmpty
    else { return nil }
    var found: [String: [ExactText: (before: Int128, after: Int128)]] = [:]
    for (key, amount) in befores {
      found[key.currency, default: [:]][key.value, default: (0, 0)].before = amount
    }
    for (key, amount) in afters {
      found[key.currency, default: [:]][key.value, default: (0, 0)].after = amount
    }
    return found
  }

  private func split(
    _ comparison: Comparison, _ amounts: [ExactText: (before: Int128, after: Int128)],
    before: Int128, after: Int128
  ) -> Split {
    var parts = amounts.map { (value: $0.key.text, before: $0.value.before, after: $0.value.after) }
      .filter { $0.before != 0 || $0.after != 0 }
    let rest = parts.reduce((before, after)) { ($0.0 - $1.before, $0.1 - $1.after) }
    if rest != (0, 0) { parts.append((Self.notInView, rest.0, rest.1)) }
    parts.sort {
      Self.comesFirst(($0.after - $0.before, $0.value), ($1.after - $1.before, $1.value))
    }
    let sum = parts.reduce(Int128(0)) { $0 + $1.after - $1.before }
    return Split(
      rows: parts.map { ($0.value, numbers(comparison, before: $0.before, after: $0.after)) },
      expected: cell(comparison.headline, after - before), found: cell(comparison.headline, sum),
      holds: sum == after - before)
  }

  private func numbers(_ comparison: Comparison, before: Int128, after: Int128) -> Driver.Numbers {
    let cell = { self.cell(comparison.headline, $0) }
    return Driver.Numbers(before: cell(before), after: cell(after), total: cell(after - before))
  }
}
