import Storage
import SubscriptionModel
import Tables

/// The formulas of a row of `drivers` with their numbers: METRICS.md, section 12.
struct DriverFormulas {
  /// The sums of contributions by `before` and `after`, in the order of the table.
  typealias Sums = [String: [(name: String, sum: Int128)]]

  static let fileName = HeadlineTable.drivers.rawValue + ".csv"
  static let months = ["before", "after"]

  private let driver: Driver
  private let sums: Sums
  /// The counts of a rate; `nil` for a count or an amount, and where a month's counts are not known.
  private let change: RateWords?

  init(_ driver: Driver, _ sums: Sums) {
    (self.driver, self.sums) = (driver, sums)
    let counts = Self.months.compactMap { Self.ratio(driver, sums[$0]) }
    change =
      driver.counts != nil && counts.count == 2 ? RateWords(driver, counts[0], counts[1]) : nil
  }

  /// Returns the formulas of the columns that a question asks for.
  func asked(_ question: Question) -> [Formula] {
    formulas.filter { $0.column.map(question.asks(for:)) ?? false }
  }

  /// The formulas of the numbers whose parts are known, in the order of the columns.
  private var formulas: [Formula] {
    guard driver.counts != nil else { return amounts }
    let ofMonths = Self.months.compactMap { name -> Formula? in
      guard let ratio = Self.ratio(driver, sums[name]), ratio.denominator != 0 else { return nil }
      return formula(name, ratio.words, ratio.cell)
    }
    return ofMonths + (change?.formulas.map(formula) ?? [])
  }

  /// Returns the number of a month's contributions as a rate.
  private static func ratio(
    _ driver: Driver, _ sums: [(name: String, sum: Int128)]?
  ) -> TwoMonths.Ratio? {
    guard let names = driver.headline.ratio, let sums else { return nil }
    let sum = { (column: String) in sums.first { $0.name == column }.map { Int($0.sum) } }
    guard let numerator = sum(names.numerator), let denominator = sum(names.denominator) else {
      return nil
    }
    return TwoMonths.Ratio(numerator: numerator, denominator: denominator)
  }

  private func formula(_ name: String, _ text: String, _ result: ReportTable.Cell) -> Formula {
    Formula(name, text, result, driver.cell(name), in: Self.fileName)
  }

  /// The intervals of the two rates from which `low` and `high` are computed, in words; none where these are empty.
  ///
  /// Example: `Wilson's 95 % interval of 15/111 is 0.083634 to 0.211045, of 4/109 it is 0.014362 to 0.090577`.
  var inputsOfInterval: [Formula] {
    guard driver.cell("low") != .missing, let change, let bounds = change.bounds else { return [] }
    let text = { (bounds: Interval) in
      "\(Formula.text(.fraction(bounds.low))) to \(Formula.text(.fraction(bounds.high)))"
    }
    return [
      Formula(
        "Wilson's 95 % interval of \(change.own.after.words) is \(text(bounds.after)), of \(change.own.before.words) it is \(text(bounds.before))"
      )
    ]
  }

  /// The counts of the whole, and how to ask for their list; none for the whole itself, and without a rate.
  var ofWhole: [Formula] {
    guard driver.split != nil, let names = driver.headline.ratio, let counts = driver.counts
    else { return [] }
    let (before, after) = (counts.whole.before.words, counts.whole.after.words)
    return [
      Formula(
        "the whole, \(names.numerator)/\(names.denominator): \(before) before and \(after) after; the row without a dimension lists them"
      )
    ]
  }

  // MARK: Counts and amounts

  /// The amounts of a movement by month, which are its total; one that is subtracted has a minus sign.
  private var movement: [Formula] {
    let sign: Int128 = isSubtracted ? -1 : 1
    let months = sums.sorted { $0.key.precedes($1.key) }
    let words = months.flatMap { month, own in
      own.map { "\($0.name) \(month) \(driver.headline.measure.text($0.sum))" }
    }
    let total = months.reduce(Int128(0)) { sum, month in
      month.value.reduce(sum) { $0 + sign * $1.sum }
    }
    let text = words.joined(separator: isSubtracted ? " - " : " + ")
    return [
      formula("total", isSubtracted ? "- \(text)" : text, driver.headline.measure.cell(total))
    ]
  }

  /// Whether the movement reduces the number, or the later month is the one compared with.
  private var isSubtracted: Bool {
    let isGain = Definition.movements(isConverted: false).contains {
      $0.column == driver.value && $0.isGain
    }
    return isGain == (driver.month < driver.against)
  }

  private var amounts: [Formula] {
    if driver.split == .movement { return movement }
    let cell = driver.headline.measure.cell
    let subtracted = driver.headline.comparedColumn.flatMap {
      ColumnMakeup.of($0, in: driver.headline.table, from: driver.source)?.subtracted
    }
    let isAdded = { (part: String) in subtracted?.contains(part) != true }
    var totals: [Int128] = []
    var formulas: [Formula] = []
    for name in Self.months {
      guard let own = sums[name] else { continue }
      let total = own.reduce(0) { isAdded($1.name) ? $0 + $1.sum : $0 - $1.sum }
      let parts = own.enumerated().map { place, part in
        let sign = isAdded(part.name) ? (place == 0 ? "" : "+ ") : "- "
        return "\(sign)\(part.name) \(Formula.text(cell(part.sum)))"
      }
      formulas.append(formula(name, parts.joined(separator: " "), cell(total)))
      totals.append(total)
    }
    guard totals.count == 2 else { return formulas }
    let change = "\(Formula.text(cell(totals[1]))) - \(Formula.text(cell(totals[0])))"
    return formulas + [formula("total", change, cell(totals[1] - totals[0]))]
  }
}

/// The counts of a rate in two months, and the formulas of its change.
private struct RateWords {
  let own: TwoMonths
  let whole: TwoMonths
  /// Whether the row is the whole, without a dimension.
  let isWhole: Bool

  init(_ driver: Driver, _ before: TwoMonths.Ratio, _ after: TwoMonths.Ratio) {
    var own = TwoMonths()
    (own.before, own.after) = (before, after)
    (self.own, whole, isWhole) = (own, driver.counts?.whole ?? own, driver.split == nil)
  }

  /// The columns with their formulas and results.
  var formulas: [(name: String, text: String, result: ReportTable.Cell)] {
    let change = RateChange(own, of: whole)
    let parts = [
      ("mix", mix, change.mix.cell), ("rate", rate, change.rate.cell),
      ("total", total, change.total.cell),
    ]
    guard let interval = change.interval, let bounds else { return parts }
    let (after, before) = (own.after.words, own.before.words)
    let number = { (bound: Double) in Formula.text(.fraction(bound)) }
    let bound = { (sign: String, ofAfter: String, ofBefore: String) in
      "(\(difference) \(sign) √((\(ofAfter))² + (\(ofBefore))²)) × \(weight)"
    }
    let low = bound(
      "-", "\(after) - \(number(bounds.after.low))", "\(number(bounds.before.high)) - \(before)")
    let high = bound(
      "+", "\(number(bounds.after.high)) - \(after)", "\(before) - \(number(bounds.before.low))")
    return parts + [
      ("low", low, .fraction(interval.low)), ("high", high, .fraction(interval.high)),
    ]
  }

  /// Wilson's interval of each of the two rates; `nil` where one has none.
  var bounds: (before: Interval, after: Interval)? {
    let wilson = { (ratio: TwoMonths.Ratio) in
      Statistics.wilson(ratio.numerator, of: ratio.denominator)
    }
    guard let before = wilson(own.before), let after = wilson(own.after) else { return nil }
    return (before, after)
  }

  private var total: String {
    if isWhole { return difference }
    return
      "\(own.after.numerator)/\(whole.after.denominator) - \(own.before.numerator)/\(whole.before.denominator) - (\(shares)) × (\(whole.before.words) + \(whole.after.words)) / 2"
  }

  private var mix: String {
    guard hasBoth else { return "\(total) - (\(rate))" }
    let ofOwn = "(\(own.before.words) + \(own.after.words)) / 2"
    return "(\(shares)) × (\(ofOwn) - (\(whole.before.words) + \(whole.after.words)) / 2)"
  }

  private var rate: String {
    if hasBoth { return "\(weight) × (\(difference))" }
    let rate = { (own: TwoMonths.Ratio, whole: TwoMonths.Ratio) in
      own.denominator == 0 ? "\(own.numerator)/\(whole.denominator)" : "0"
    }
    return "\(rate(own.after, whole.after)) - \(rate(own.before, whole.before))"
  }

  private var hasBoth: Bool { own.before.denominator != 0 && own.after.denominator != 0 }

  /// The product's (or country's) shares of the whole in the two months.
  private var shares: String {
    "\(own.after.denominator)/\(whole.after.denominator) - \(own.before.denominator)/\(whole.before.denominator)"
  }

  /// The mean of these shares.
  private var weight: String {
    "(\(own.before.denominator)/\(whole.before.denominator) + \(own.after.denominator)/\(whole.after.denominator)) / 2"
  }

  private var difference: String { "\(own.after.words) - \(own.before.words)" }
}

extension TwoMonths.Ratio {
  fileprivate var words: String { "\(numerator)/\(denominator)" }
}

/// The row `(not in the view)` of `drivers`: what the other rows of a dimension leave of the whole.
struct DriverRest {
  /// A count or an amount of the row in one month.
  struct Part {
    /// `before` or `after`.
    let month: String
    /// The column of the table that has the number.
    let column: String
    /// The number of the whole, the sum of the other rows, and the number of the row.
    let whole, others, own: Int128
    let measure: Measure

    /// The number that the other rows leave.
    var rest: Int128 { whole - others }

    /// Such as `churned before = 12 of the whole - 10 of the other rows = 2`.
    var formula: Formula {
      let sentence =
        "\(column) \(month) = \(measure.text(whole)) of the whole - \(measure.text(others)) of the other rows = \(measure.text(rest))"
      guard rest != own else { return Formula(sentence) }
      return Formula("\(sentence), but the row has \(measure.text(own))", holds: false)
    }
  }

  let driver: Driver
  private let whole: Driver?
  private let others: [Driver]

  /// Finds the whole and the other rows of the dimension.
  init(_ driver: Driver, _ drivers: Drivers) {
    let ofNumber = drivers.rows.filter {
      $0.headline == driver.headline && $0.source == driver.source
        && $0.against == driver.against && $0.currency == driver.currency
    }
    self.driver = driver
    whole = ofNumber.first { $0.split == nil }
    others = ofNumber.filter {
      $0.split == driver.split && $0.value != HeadlineMaker.notInView
    }
  }

  /// The counts or amounts of both months.
  var parts: [Part] {
    guard let names = driver.headline.ratio else {
      let column = driver.headline.comparedColumn ?? driver.headline.rawValue
      return DriverFormulas.months.map { month in
        let number = { (one: Driver) in driver.headline.measure.number(one.cell(month)) ?? 0 }
        return part(month, column, whole.map(number) ?? 0, number)
      }
    }
    let columns: [(String, KeyPath<TwoMonths.Ratio, Int>)] = [
      (names.numerator, \.numerator), (names.denominator, \.denominator),
    ]
    let months: [(String, KeyPath<TwoMonths, TwoMonths.Ratio>)] = [
      ("before", \.before), ("after", \.after),
    ]
    return months.flatMap { month, ratio in
      columns.map { column, count in
        let number = { (counts: TwoMonths?) in
          Int128(counts?[keyPath: ratio.appending(path: count)] ?? 0)
        }
        return part(month, column, number(driver.counts?.whole)) { number($0.counts?.own) }
      }
    }
  }

  private func part(
    _ month: String, _ column: String, _ whole: Int128, _ number: (Driver) -> Int128
  ) -> Part {
    Part(
      month: month, column: column, whole: whole, others: others.reduce(0) { $0 + number($1) },
      own: number(driver), measure: driver.headline.measure)
  }
}
