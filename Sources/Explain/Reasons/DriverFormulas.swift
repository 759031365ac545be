import Rendering
import SubscriptionModel
import Tables

/// The formulas of a row of `drivers` with their numbers: METRICS.md, section 11.
struct DriverFormulas {
  /// The sums of contributions by `before` and `after`, in the order of the table.
  typealias Sums = [String: [(name: String, sum: Int128)]]

  static let fileName = HeadlineTable.drivers.rawValue + ".csv"

  private let driver: Driver
  private let sums: Sums

  init(_ driver: Driver, _ sums: Sums) { (self.driver, self.sums) = (driver, sums) }

  /// Returns the formulas of the columns that a question asks for.
  func asked(_ question: Question) -> [Formula] {
    formulas.filter { $0.column.map(question.asks(for:)) ?? false }
  }

  /// The formulas of the numbers whose parts are known, in the order of the columns.
  private var formulas: [Formula] {
    guard let counts = driver.counts else { return amounts }
    let ofMonths = ["before", "after"].compactMap { name -> Formula? in
      guard let ratio = ratio(name), ratio.denominator != 0 else { return nil }
      return formula(name, Self.text(ratio), ratio.cell)
    }
    guard let before = ratio("before"), let after = ratio("after") else { return ofMonths }
    var own = TwoMonths()
    (own.before, own.after) = (before, after)
    return ofMonths + rates(own, counts.whole)
  }

  /// Returns the number of a month's contributions as a rate.
  private func ratio(_ name: String) -> TwoMonths.Ratio? {
    guard let names = driver.headline.ratio, let own = sums[name] else { return nil }
    let sum = { (column: String) in own.first { $0.name == column }.map { Int($0.sum) } }
    guard let numerator = sum(names.numerator), let denominator = sum(names.denominator) else {
      return nil
    }
    return TwoMonths.Ratio(numerator: numerator, denominator: denominator)
  }

  private func formula(_ name: String, _ text: String, _ result: ReportTable.Cell) -> Formula {
    Formula(name, text, result, driver.cell(name), in: Self.fileName)
  }

  // MARK: Rates

  private func rates(_ own: TwoMonths, _ whole: TwoMonths) -> [Formula] {
    let change = RateChange(own, of: whole)
    var formulas = [
      formula("mix", mix(own, whole), change.mix.cell),
      formula("rate", Self.rate(own, whole), change.rate.cell),
      formula("total", total(own, whole), change.total.cell),
    ]
    if let interval = change.interval, let bounds = Self.bounds(own) {
      let (after, before) = (Self.text(own.after), Self.text(own.before))
      let number = { (bound: Double) in Formula.text(.fraction(bound)) }
      let bound = { (sign: String, ofAfter: String, ofBefore: String) in
        "(\(Self.difference(own)) \(sign) √((\(ofAfter))² + (\(ofBefore))²)) × \(Self.weight(own, whole))"
      }
      let low = bound(
        "-", "\(after) - \(number(bounds.after.low))", "\(number(bounds.before.high)) - \(before)")
      let high = bound(
        "+", "\(number(bounds.after.high)) - \(after)", "\(before) - \(number(bounds.before.low))")
      formulas += [
        formula("low", low, .fraction(interval.low)),
        formula("high", high, .fraction(interval.high)),
      ]
    }
    return formulas
  }

  /// The intervals of the two rates from which `low` and `high` are computed, in words; none where these are empty.
  ///
  /// Example: `Wilson's 95 % interval of 15/111 is 0.083634 to 0.211045, of 4/109 it is 0.014362 to 0.090577`.
  var inputsOfInterval: [Formula] {
    var own = TwoMonths()
    guard driver.cell("low") != .missing, let before = ratio("before"), let after = ratio("after")
    else { return [] }
    (own.before, own.after) = (before, after)
    guard let bounds = Self.bounds(own) else { return [] }
    let text = { (bounds: Interval) in
      "\(Formula.text(.fraction(bounds.low))) to \(Formula.text(.fraction(bounds.high)))"
    }
    return [
      Formula(
        "Wilson's 95 % interval of \(Self.text(after)) is \(text(bounds.after)), of \(Self.text(before)) it is \(text(bounds.before))"
      )
    ]
  }

  /// Returns Wilson's interval of each of the two rates; `nil` where one has none.
  private static func bounds(_ own: TwoMonths) -> (before: Interval, after: Interval)? {
    let wilson = { (ratio: TwoMonths.Ratio) in
      Statistics.wilson(ratio.numerator, of: ratio.denominator)
    }
    guard let before = wilson(own.before), let after = wilson(own.after) else { return nil }
    return (before, after)
  }

  private func total(_ own: TwoMonths, _ whole: TwoMonths) -> String {
    guard driver.dimension != nil else { return Self.difference(own) }
    let (before, after) = (own.before, own.after)
    let (whole0, whole1) = (whole.before, whole.after)
    let shares =
      "\(after.denominator)/\(whole1.denominator) - \(before.denominator)/\(whole0.denominator)"
    return
      "\(after.numerator)/\(whole1.denominator) - \(before.numerator)/\(whole0.denominator) - (\(shares)) × (\(Self.text(whole0)) + \(Self.text(whole1))) / 2"
  }

  private func mix(_ own: TwoMonths, _ whole: TwoMonths) -> String {
    let (before, after) = (own.before, own.after)
    guard before.denominator != 0, after.denominator != 0 else {
      return "\(total(own, whole)) - (\(Self.rate(own, whole)))"
    }
    let shares =
      "\(after.denominator)/\(whole.after.denominator) - \(before.denominator)/\(whole.before.denominator)"
    let own = "(\(Self.text(before)) + \(Self.text(after))) / 2"
    return
      "(\(shares)) × (\(own) - (\(Self.text(whole.before)) + \(Self.text(whole.after))) / 2)"
  }

  private static func rate(_ own: TwoMonths, _ whole: TwoMonths) -> String {
    let (before, after) = (own.before, own.after)
    guard before.denominator != 0, after.denominator != 0 else {
      let gained =
        after.denominator == 0 ? "\(after.numerator)/\(whole.after.denominator)" : "0"
      let lost =
        before.denominator == 0 ? "\(before.numerator)/\(whole.before.denominator)" : "0"
      return "\(gained) - \(lost)"
    }
    return "\(weight(own, whole)) × (\(difference(own)))"
  }

  /// The mean of the product's (or country's) shares of the whole in the two months.
  private static func weight(_ own: TwoMonths, _ whole: TwoMonths) -> String {
    let (before, after) = (own.before.denominator, own.after.denominator)
    return
      "(\(before)/\(whole.before.denominator) + \(after)/\(whole.after.denominator)) / 2"
  }

  private static func difference(_ own: TwoMonths) -> String {
    "\(text(own.after)) - \(text(own.before))"
  }

  private static func text(_ ratio: TwoMonths.Ratio) -> String {
    "\(ratio.numerator)/\(ratio.denominator)"
  }

  // MARK: Counts and amounts

  private var amounts: [Formula] {
    let isMoney = driver.headline == .netProceeds
    let cell = { (number: Int128) -> ReportTable.Cell in
      isMoney ? .money(milliunits: number) : .count(Int(number))
    }
    var totals: [Int128] = []
    var formulas: [Formula] = []
    for name in ["before", "after"] {
      guard let own = sums[name] else { continue }
      let isAdded = { (part: String) in !ColumnMakeup.subtracted.contains(part) }
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

  /// The counts of the whole, and how to ask for their list; none for the whole itself, and without a rate.
  var ofWhole: [Formula] {
    guard driver.dimension != nil, let names = driver.headline.ratio, let counts = driver.counts
    else { return [] }
    let (before, after) = (Self.text(counts.whole.before), Self.text(counts.whole.after))
    return [
      Formula(
        "the whole, \(names.numerator)/\(names.denominator): \(before) before and \(after) after; the row without a dimension lists them"
      )
    ]
  }
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
    let isMoney: Bool

    /// The number that the other rows leave.
    var rest: Int128 { whole - others }

    /// Such as `churned before = 12 of the whole - 10 of the other rows = 2`.
    var formula: Formula {
      let sentence =
        "\(column) \(month) = \(text(whole)) of the whole - \(text(others)) of the other rows = \(text(rest))"
      guard rest != own else { return Formula(sentence) }
      return Formula("\(sentence), but the row has \(text(own))", holds: false)
    }

    private func text(_ number: Int128) -> String {
      isMoney ? NumberStyle.money(milliunits: number) : String(number)
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
    whole = ofNumber.first { $0.dimension == nil }
    others = ofNumber.filter {
      $0.dimension == driver.dimension && $0.value != HeadlineMaker.notInView
    }
  }

  /// The counts or amounts of both months.
  var parts: [Part] {
    guard let names = driver.headline.ratio else {
      let column = driver.headline.comparedColumn ?? driver.headline.rawValue
      return ["before", "after"].map { month in
        Part(
          month: month, column: column, whole: Self.number(whole?.cell(month)),
          others: others.reduce(0) { $0 + Self.number($1.cell(month)) },
          own: Self.number(driver.cell(month)), isMoney: driver.headline == .netProceeds)
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
        let number = { (counts: TwoMonths?) in Int128(counts?[keyPath: ratio][keyPath: count] ?? 0)
        }
        return Part(
          month: month, column: column, whole: number(driver.counts?.whole),
          others: others.reduce(0) { $0 + number($1.counts?.own) },
          own: number(driver.counts?.own), isMoney: false)
      }
    }
  }

  private static func number(_ cell: ReportTable.Cell?) -> Int128 {
    switch cell {
    case .count(let count): Int128(count)
    case .money(let milliunits): milliunits
    default: 0
    }
  }
}
