import Counting
package import Storage
package import SubscriptionModel

/// What a change is split by.
package enum DriverSplit: RawRepresentable, Hashable, Sendable {
  case of(Dimension)
  /// The movements of recurring revenue: the columns of `recurring` between `open` and `mrr`.
  case movement

  package init?(rawValue: String) {
    if rawValue == Self.movement.rawValue {
      self = .movement
    } else if let dimension = Dimension(rawValue: rawValue) {
      self = .of(dimension)
    } else {
      return nil
    }
  }

  package var rawValue: String { dimension?.rawValue ?? "movement" }

  /// The dimension; `nil` for movements.
  package var dimension: Dimension? { if case .of(let dimension) = self { dimension } else { nil } }

  package static let names = Dimension.allCases.map(\.rawValue) + [movement.rawValue]
}

/// What one value of a dimension adds to the change of a number between two months: a row of `drivers.csv`.
package struct Driver: Sendable {
  /// The cells of a contribution.
  struct Numbers {
    var before: ReportTable.Cell
    var after: ReportTable.Cell
    /// The part of a rate's contribution from another share; missing for a count or an amount.
    var mix = ReportTable.Cell.missing
    /// The part from another rate.
    var rate = ReportTable.Cell.missing
    var total: ReportTable.Cell
    /// The interval of `rate`.
    var interval: Interval?
    /// The counts of a rate: those of the value and those of the whole.
    var counts: (own: TwoMonths, whole: TwoMonths)?
  }

  /// The number that changed.
  package let headline: Headline
  /// Where it comes from.
  package let source: Source
  package let month: Month
  /// The month it is compared with.
  package let against: Month
  /// The currency of an amount; blank for others.
  package let currency: String
  /// What the change is split by; `nil` for the whole.
  package let split: DriverSplit?
  /// The value of the dimension; blank if it is unknown, and for the whole.
  package internal(set) var value: String
  /// The id of the product in a row by product; else blank.
  var productID = ""
  let numbers: Numbers
  let state: SourceReport.State

  /// The name of its source in the table.
  package var sourceName: String { headline.name(of: source) }

  /// The value in words: `all` for the whole, `unknown` where it is blank.
  package var shownValue: String {
    if split == nil { return "all" }
    return value.isEmpty ? "unknown" : value
  }

  /// The value in words of a page: a movement without underscores.
  package var shownWords: String {
    split == .movement ? value.replacing("_", with: " ") : shownValue
  }

  /// The contribution.
  package var total: ReportTable.Cell { numbers.total }

  /// The counts of a rate: those of the value and those of the whole; `nil` for a count or an amount.
  package var counts: (own: TwoMonths, whole: TwoMonths)? { numbers.counts }

  /// Returns the cell of one of ``columns``; missing where the row has no such number.
  package func cell(_ column: String) -> ReportTable.Cell {
    switch column {
    case "before": numbers.before
    case "after": numbers.after
    case "mix": numbers.mix
    case "rate": numbers.rate
    case "total": numbers.total
    case "low": numbers.interval.map { .fraction($0.low) } ?? .missing
    case "high": numbers.interval.map { .fraction($0.high) } ?? .missing
    default: .missing
    }
  }

  package static let columns = ["before", "after", "mix", "rate", "total", "low", "high"]

  /// Returns the exact sum of what several values of one dimension add to the change of one number; missing without
  /// any.
  package static func sum(of drivers: some Sequence<Driver>) -> ReportTable.Cell {
    drivers.reduce(.missing) { sum, driver in
      switch (sum, driver.total) {
      case (.missing, let total): total
      case (.count(let first), .count(let second)): .count(first + second)
      case (.money(let first), .money(let second)): .money(milliunits: first + second)
      case (.ratio(let first, let below), .ratio(let second, let other)) where below == other:
        .ratio(numerator: first + second, denominator: below)
      default: .missing
      }
    }
  }

  /// Whether the contribution is 0.
  package var isNone: Bool {
    switch numbers.total {
    case .ratio(let numerator, _): numerator == 0
    case .count(let count): count == 0
    case .money(let milliunits): milliunits == 0
    case .missing, .text, .fraction, .hundredths: false
    }
  }

  /// Whether chance may explain a rate's contribution: its interval holds 0, or it has none.
  package var isMaybeChance: Bool {
    guard headline.isRate else { return false }
    return numbers.interval.map { $0.low <= 0 && $0.high >= 0 } ?? true
  }

  /// The row of `drivers.csv`.
  func cells(_ months: MonthSystem) -> [ReportTable.Cell] {
    let keys = [
      sourceName, headline.table.rawValue, headline.rawValue, months.name(month),
      months.name(against), currency, split?.rawValue ?? "", value,
    ]
    return keys.map { .text($0) } + Self.columns.map(cell) + [state.cell, .text(productID)]
  }
}

/// What changed the headline numbers, and whether the parts add up.
package struct Drivers: Sendable {
  /// A tested identity: the totals of a dimension add up to the change of the whole.
  package struct Check: Sendable {
    /// The measure, the months, the currency and the dimension.
    package let scope: String
    /// The change of the whole.
    package let expected: ReportTable.Cell
    /// The sum of the totals.
    package let found: ReportTable.Cell
    /// Whether both are equal.
    package let holds: Bool
  }

  /// A number whose months cannot be compared in its own source: one is partial, or not in the data.
  package struct Uncompared: Sendable {
    package let headline: Headline
    /// Its own source.
    package let source: Source
    /// The earlier month.
    package let against: Month
    /// The sources whose changes are split in its place.
    package let others: [Source]
  }

  /// The contributions: each number as a whole, then its parts by dimension, the largest first.
  package internal(set) var rows: [Driver] = []
  /// The identities of the rows.
  package internal(set) var checks: [Check] = []
  /// The numbers whose own source cannot be compared.
  package internal(set) var uncompared: [Uncompared] = []
  /// The later month.
  package let month: Month
  let months: MonthSystem

  /// `drivers.csv`.
  package var table: ReportTable { table(rows) }

  /// Returns the contributions of an app's products to counts and amounts, for its page.
  ///
  /// A product adds as much to its app as to all apps. To a rate it adds another part of the app's, which `drivers.csv` does
  /// not have.
  ///
  /// A change of another source than the app's own number is left out: Sales reports name no app, so the net proceeds
  /// of an app come from another source than those of the whole. Apps are named as tables print them.
  package func products(
    of app: String, _ apps: [ExactText: String], in values: [HeadlineValue]
  ) -> Drivers {
    var own = Drivers(month: month, months: months)
    own.rows = rows.filter { row in
      row.split == .of(.product) && !row.headline.isRate
        && !values.contains { $0.headline == row.headline && $0.source != row.source }
        && apps[ExactText(row.value)].map { $0.isSame(as: app) } ?? false
    }
    return own
  }

  /// The table with words in place of blank values: `all` for the whole, `unknown` for a part without a value.
  package var readersTable: ReportTable {
    table(
      rows.map { row in
        var row = row
        row.value = row.shownValue
        return row
      })
  }

  private func table(_ rows: [Driver]) -> ReportTable {
    ReportTable(
      name: HeadlineTable.drivers.rawValue, dimensions: [],
      columns: HeadlineTable.drivers.allColumns.map(\.column),
      rows: rows.map { $0.cells(months) })
  }
}
