import Storage

/// A numerator and a denominator in two months.
package struct TwoMonths: Equatable, Sendable {
  package var before = Ratio()
  package var after = Ratio()

  package init() {}

  init(before: Ratio, after: Ratio) { (self.before, self.after) = (before, after) }

  /// A rate's counts.
  package struct Ratio: Equatable, Sendable {
    package var numerator: Int
    package var denominator: Int

    package init(numerator: Int = 0, denominator: Int = 0) {
      (self.numerator, self.denominator) = (numerator, denominator)
    }

    /// The rate as a cell; missing when the denominator is 0.
    package var cell: ReportTable.Cell { .rate(numerator, of: denominator) }

    /// Whether an interval of the rate can be computed.
    var hasInterval: Bool { denominator > 0 && (0...denominator).contains(numerator) }

    /// Returns the counts of several months together.
    static func sum(_ ratios: [Ratio]) -> Ratio {
      ratios.reduce(into: Ratio()) { sum, ratio in
        sum.numerator += ratio.numerator
        sum.denominator += ratio.denominator
      }
    }

    static func - (whole: Ratio, part: Ratio) -> Ratio {
      Ratio(
        numerator: whole.numerator - part.numerator,
        denominator: whole.denominator - part.denominator)
    }
  }
}

/// What one value of a dimension adds to the change of a rate of the whole: PAGE.md, "Drivers".
///
/// Source: E. M. Kitagawa, "Components of a difference between two rates", JASA 50 (1955). All numbers are exact
/// fractions. Example: A 6/100 → 6/100, B 8/100 → 24/200 and C 0/0 → 3/0 add 1/200, 1/40 and 1/100, together the
/// change of the whole from 14/200 to 33/300, 1/25.
package struct RateChange {
  /// The contribution; all values of a dimension have the same denominator.
  package let total: ExactFraction
  /// The part from another rate of this value.
  package let rate: ExactFraction
  /// The part from another share of this value in the whole.
  package var mix: ExactFraction { total - rate }
  /// The 95 % interval of `rate`; `nil` where it has none.
  package let interval: Interval?

  /// Creates the contribution of a value; no denominator of the whole is 0.
  package init(_ part: TwoMonths, of whole: TwoMonths) {
    let (n0, d0) = (Int128(part.before.numerator), Int128(part.before.denominator))
    let (n1, d1) = (Int128(part.after.numerator), Int128(part.after.denominator))
    let (allN0, allD0) = (Int128(whole.before.numerator), Int128(whole.before.denominator))
    let (allN1, allD1) = (Int128(whole.after.numerator), Int128(whole.after.denominator))
    let both = allD0 * allD1
    total = ExactFraction(
      2 * both * (n1 * allD0 - n0 * allD1)
        - (d1 * allD0 - d0 * allD1) * (allN0 * allD1 + allN1 * allD0),
      over: 2 * both * both)
    guard d0 > 0, d1 > 0 else {
      rate = ExactFraction((d1 == 0 ? n1 * allD0 : 0) - (d0 == 0 ? n0 * allD1 : 0), over: both)
      interval = nil
      return
    }
    let weights = d0 * allD1 + d1 * allD0
    rate = ExactFraction(weights * (n1 * d0 - n0 * d1), over: 2 * both * d0 * d1)
    guard part.before.hasInterval, part.after.hasInterval else {
      interval = nil
      return
    }
    let difference = Statistics.difference(
      WeightedRate(part.after.numerator, of: part.after.denominator),
      WeightedRate(part.before.numerator, of: part.before.denominator))
    let weight = Double(weights) / Double(2 * both)
    interval = Interval(low: difference.low * weight, high: difference.high * weight)
  }
}

/// A finished table whose rows are found by source and month, and by the value of the view's dimension.
struct KeyedTable: Sendable {
  /// The rows of a month by value, by source and month.
  private let rows: [String: [ExactText: [ReportTable.NamedRow]]]
  /// The view's dimension; `nil` for the whole population.
  private let dimension: String?

  /// Indexes a table of one view without or with one dimension: of refunds the rows dated by their sale, of recurring
  /// revenue those by price whose value is known.
  init(_ table: ReportTable) {
    dimension = table.dimensions.first
    rows = table.namedRows.reduce(into: [:]) { [dimension] rows, row in
      guard ["", "sale"].contains(row.text("dating")) else { return }
      let basis = row.text("basis")
      guard basis.isEmpty || basis == "price" && !row.text("currency").isEmpty else { return }
      rows[row.key, default: [:]][ExactText(dimension.map(row.text) ?? ""), default: []].append(row)
    }
  }

  /// Returns the cells of a column in a month, each with the value of the view's dimension and the currency; these are
  /// blank where there is none; without a value those of all.
  func cells(
    _ column: String, source: String, month: String, of value: String? = nil
  ) -> [(value: String, currency: String, cell: ReportTable.Cell)] {
    let ofMonth = rows["\(source) \(month)"] ?? [:]
    let own = value.map { ofMonth[ExactText($0)] ?? [] } ?? ofMonth.values.flatMap(\.self)
    return own.map { row in
      (dimension.map(row.text) ?? "", row.text("currency"), row.cell(column))
    }
  }

  /// Returns the counts of a column in a month by value, summed over currencies; `nil` when one is not known.
  func counts(_ column: String, source: String, month: String) -> [ExactText: Int]? {
    var counts: [ExactText: Int] = [:]
    for (value, _, cell) in cells(column, source: source, month: month) {
      guard case .count(let count) = cell else { return nil }
      counts[value, default: 0] += count
    }
    return counts
  }
}
