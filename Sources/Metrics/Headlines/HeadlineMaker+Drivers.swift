public import SubscriptionModel

extension HeadlineMaker {
  /// A tested identity: the totals of a dimension add up to the change of the whole.
  public struct DriverCheck: Sendable {
    /// The measure, the months, the currency and the dimension.
    public let scope: String
    /// The change of the whole.
    public let expected: ReportTable.Cell
    /// The sum of the totals.
    public let found: ReportTable.Cell
    /// Whether both are equal.
    public let holds: Bool
  }

  /// The value of the row for what a view leaves out.
  public static let notInView = "(not in the view)"

  /// Returns what changed each number between two months: PAGE.md, "Drivers".
  ///
  /// - Parameters:
  ///   - earlier: The months to compare the headline month with.
  ///   - dimensions: What to split the changes by; views of one dimension that the tables have.
  /// - Returns: `drivers.csv`, and the identities of its rows.
  public func drivers(
    against earlier: [Month], by dimensions: [Dimension]
  ) -> (table: ReportTable, checks: [DriverCheck]) {
    var rows: [[ReportTable.Cell]] = []
    var checks: [DriverCheck] = []
    for headline in Headline.driven {
      guard let report = report(for: headline) else { continue }
      for month in earlier {
        guard let state = comparedState(headline, report, with: month) else { continue }
        let comparison = Comparison(headline: headline, report: report, against: month)
        let parts = headline.ratio == nil ? amountParts(comparison) : rateParts(comparison)
        for part in parts {
          rows.append(cells(part.wholeCells, comparison, part.currency, "", "", state))
          for dimension in dimensions where headline.isSplit(by: dimension) {
            guard report.source.dimensions.contains(dimension),
              let split = part.split(dimension)
            else { continue }
            for row in split.rows {
              let own = rowState(comparison, dimension, row.value, state)
              rows.append(
                cells(row.cells, comparison, part.currency, dimension.rawValue, row.value, own))
            }
            let scope = [
              report.source.rawValue, headline.rawValue, months.name(self.month), "against",
              months.name(month), part.currency, "by", dimension.rawValue,
            ]
            checks.append(
              DriverCheck(
                scope: scope.filter { !$0.isEmpty }.joined(separator: " "),
                expected: split.expected, found: split.found, holds: split.holds))
          }
        }
      }
    }
    let table = ReportTable(
      name: HeadlineTable.drivers.rawValue, dimensions: [],
      columns: HeadlineTable.drivers.allColumns.map(\.column), rows: rows)
    return (table, checks)
  }

  /// A number of the headline month, and the month it is compared with.
  private struct Comparison {
    var headline: Headline
    var report: SourceReport
    var against: Month
  }

  /// A number of one currency, and how to split its change.
  private struct Part {
    var currency = ""
    /// The cells from `before` to `high`.
    var wholeCells: [ReportTable.Cell]
    /// Splits the change by a dimension; `nil` when a count is not known.
    var split: (Dimension) -> Split?
  }

  /// The contributions of a dimension's values, the largest first.
  private struct Split {
    var rows: [(value: String, cells: [ReportTable.Cell])]
    var expected: ReportTable.Cell
    var found: ReportTable.Cell
    var holds: Bool
  }

  private func cells(
    _ numbers: [ReportTable.Cell], _ comparison: Comparison, _ currency: String,
    _ dimension: String, _ value: String, _ state: SourceReport.State
  ) -> [ReportTable.Cell] {
    let keys = [
      comparison.report.source.rawValue, comparison.headline.table.rawValue,
      comparison.headline.rawValue, months.name(month), months.name(comparison.against), currency,
      dimension, value,
    ]
    return keys.map { .text($0) } + numbers + [state.cell]
  }

  /// Returns the worse state of a value's rows in both months; one without a row has the state of the whole.
  private func rowState(
    _ comparison: Comparison, _ dimension: Dimension, _ value: String,
    _ whole: SourceReport.State
  ) -> SourceReport.State {
    guard value != Self.notInView else { return whole }
    return [month, comparison.against].compactMap {
      state(comparison.headline, comparison.report, by: [dimension], value: value, in: $0)
    }.min() ?? whole
  }

  // MARK: Rates

  private func rateParts(_ comparison: Comparison) -> [Part] {
    guard let whole = twoMonths(comparison, by: [])?[""], whole.before.denominator > 0,
      whole.after.denominator > 0
    else { return [] }
    return [
      Part(wholeCells: Self.cells(of: whole, RateChange(whole, of: whole))) { dimension in
        guard let parts = twoMonths(comparison, by: [dimension]) else { return nil }
        return Self.split(whole, parts)
      }
    ]
  }

  /// Returns the counts of both months by value, those of the earlier month at the same age.
  private func twoMonths(
    _ comparison: Comparison, by view: [Dimension]
  ) -> [String: TwoMonths]? {
    let (headline, report) = (comparison.headline, comparison.report)
    guard let after = ratios(headline, report, by: view, in: month),
      let before = ratios(headline, report, by: view, in: comparison.against, atSameAge: true)
    else { return nil }
    var both: [String: TwoMonths] = [:]
    for (value, ratio) in before { both[value, default: TwoMonths()].before = ratio }
    for (value, ratio) in after { both[value, default: TwoMonths()].after = ratio }
    return both
  }

  private static func split(_ whole: TwoMonths, _ parts: [String: TwoMonths]) -> Split {
    var parts = parts.filter { $0.value != TwoMonths() }
    let rest = parts.values.reduce(whole) { rest, part in
      TwoMonths(before: rest.before - part.before, after: rest.after - part.after)
    }
    if rest != TwoMonths() { parts[notInView] = rest }
    let changes = parts.map {
      (value: $0.key, counts: $0.value, change: RateChange($0.value, of: whole))
    }
    let sorted = changes.sorted {
      comesFirst(
        ($0.change.total.numerator, $0.value), ($1.change.total.numerator, $1.value))
    }
    let change = RateChange(whole, of: whole).total
    let sum = changes.reduce(Int128(0)) { $0 + $1.change.total.numerator }
    return Split(
      rows: sorted.map { ($0.value, cells(of: $0.counts, $0.change)) },
      expected: change.cell, found: ExactFraction(sum, over: change.denominator).cell,
      holds: sum == change.numerator)
  }

  private static func cells(of counts: TwoMonths, _ change: RateChange) -> [ReportTable.Cell] {
    [
      counts.before.cell, counts.after.cell, change.mix.cell, change.rate.cell, change.total.cell,
      change.interval.map { .fraction($0.low) } ?? .missing,
      change.interval.map { .fraction($0.high) } ?? .missing,
    ]
  }

  /// Whether a contribution stands before another: the larger, then the one whose value is less in UTF-8.
  private static func comesFirst(
    _ left: (total: Int128, value: String), _ right: (total: Int128, value: String)
  ) -> Bool {
    left.total.magnitude != right.total.magnitude
      ? left.total.magnitude > right.total.magnitude
      : left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
  }

  // MARK: Counts and money

  private func amountParts(_ comparison: Comparison) -> [Part] {
    guard let afters = amounts(comparison, by: [], in: month),
      let befores = amounts(comparison, by: [], in: comparison.against)
    else { return [] }
    let currencies = Set((Array(afters.keys) + befores.keys).map(\.currency))
    return currencies.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { currency in
      let (after, before) = (Self.sum(afters, currency), Self.sum(befores, currency))
      return Part(
        currency: currency, wholeCells: cells(comparison, before: before, after: after)
      ) { dimension in
        split(comparison, dimension, currency, before: before, after: after)
      }
    }
  }

  /// Returns the amounts of a month; `active` is what movement closes with.
  private func amounts(
    _ comparison: Comparison, by view: [Dimension], in month: Month
  ) -> [AmountKey: Int128]? {
    amounts(
      comparison.headline, comparison.report, by: view, in: month,
      column: comparison.headline == .active ? "close" : nil)
  }

  private static func sum(_ amounts: [AmountKey: Int128], _ currency: String) -> Int128 {
    amounts.reduce(0) { $1.key.currency == currency ? $0 + $1.value : $0 }
  }

  private func split(
    _ comparison: Comparison, _ dimension: Dimension, _ currency: String, before: Int128,
    after: Int128
  ) -> Split? {
    guard let befores = amounts(comparison, by: [dimension], in: comparison.against),
      let afters = amounts(comparison, by: [dimension], in: month)
    else { return nil }
    let keys = Set(befores.keys).union(afters.keys).filter { $0.currency == currency }
    var parts = keys.map { key in
      (value: key.value, before: befores[key] ?? 0, after: afters[key] ?? 0)
    }.filter { $0.before != 0 || $0.after != 0 }
    let rest = parts.reduce((before, after)) { ($0.0 - $1.before, $0.1 - $1.after) }
    if rest != (0, 0) { parts.append((Self.notInView, rest.0, rest.1)) }
    parts.sort {
      Self.comesFirst(($0.after - $0.before, $0.value), ($1.after - $1.before, $1.value))
    }
    let sum = parts.reduce(Int128(0)) { $0 + $1.after - $1.before }
    return Split(
      rows: parts.map { ($0.value, cells(comparison, before: $0.before, after: $0.after)) },
      expected: cell(comparison.headline, after - before), found: cell(comparison.headline, sum),
      holds: sum == after - before)
  }

  private func cells(
    _ comparison: Comparison, before: Int128, after: Int128
  ) -> [ReportTable.Cell] {
    let cell = { self.cell(comparison.headline, $0) }
    return [
      cell(before), cell(after), .missing, .missing, cell(after - before), .missing, .missing,
    ]
  }
}
