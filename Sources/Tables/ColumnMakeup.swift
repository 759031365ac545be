package import Counting
package import SubscriptionModel

/// What the cells of a column are made of.
package enum ColumnMakeup: Equatable, Sendable {
  /// Each contribution adds a number to the cell, mostly 1.
  case counts(Set<Counted>)
  /// Each contribution adds an amount to the cell.
  case money(Set<Counted>, Measure)
  /// Each contribution has a value, and the cell is the one at a rank, such as the median (50 percent).
  case rank(Set<Counted>, percent: Int)
  /// A column divided by another one.
  case ratio(String, of: String)
  /// A bound of the 95 % Wilson interval of a ratio.
  case bound(String, of: String, isHigh: Bool)
  /// The sum of columns; some are subtracted.
  case sum([String], minus: Set<String>)
  /// The cell is computed by a formula from these columns, of other rows too.
  case model([String])

  /// Returns what a column of a table is made of; `nil` for a column that cannot be explained.
  package static func of(
    _ column: String, in table: TableKind, from source: Source = .subscribers
  ) -> ColumnMakeup? {
    columns(of: table, from: source).first { $0.column.name == column }?.makeup(from: source)
  }

  /// What the column counts, and what each contribution adds; `nil` for a column that is computed from others.
  package var sum: (counted: Set<Counted>, measure: Measure)? {
    switch self {
    case .counts(let counted): (counted, .count)
    case .money(let counted, let measure): (counted, measure)
    case .rank(let counted, let percent): (counted, .rank(percent: percent))
    case .ratio, .bound, .sum, .model: nil
    }
  }

  /// The columns from which the cell is computed; `nil` for a sum or a rank.
  package var parts: [String]? {
    switch self {
    case .ratio(let above, let below), .bound(let above, let below, _): [above, below]
    case .sum(let names, _), .model(let names): names
    case .counts, .money, .rank: nil
    }
  }

  /// Whether it needs the developer's proceeds.
  var needsProceeds: Bool {
    if case .money(_, .proceeds) = self { return true }
    return (parts ?? []).contains { $0.hasSuffix("_proceeds") }
  }

  /// The parts that are subtracted; the others are added.
  package var subtracted: Set<String> { if case .sum(_, let names) = self { names } else { [] } }

  /// The tables that can be explained.
  package static let tables = tables(from: .subscribers)

  /// Returns the tables whose rows from a source can be explained.
  package static func tables(from source: Source) -> [TableKind] {
    TableKind.allCases.filter { !columns(of: $0, from: source).isEmpty }
  }

  /// Returns the names of the columns of a table that can be explained, in the order of the table.
  package static func names(in table: TableKind, from source: Source = .subscribers) -> [String] {
    columns(of: table, from: source).map(\.column.name)
  }

  private static func columns(of table: TableKind, from source: Source) -> [Definition.Column] {
    let definition = Definition.definition(of: table)
    guard definition.sources.contains(source) else { return [] }
    return definition.columns.filter { column in
      guard let makeup = column.makeup(from: source) else { return false }
      return source != .events || !table.isOfMoney || makeup.isOfSnapshots
    }
  }

  /// Whether snapshots have it, which know how many subscriptions there are and not what happened to them.
  private var isOfSnapshots: Bool {
    guard let counted = sum?.counted else { return [["mrr"], ["mrr", "active"]].contains(parts) }
    return counted.allSatisfy { one in
      switch one {
      case .recurring(let column): [.active, .open, .mrr].contains(column)
      case .status(let column): ![.suspended, .unresolved].contains(column)
      default: false
      }
    }
  }

  /// The number of facts, each counted once.
  static func facts(_ facts: [Fact]) -> ColumnMakeup { counts(Set(facts.map(Counted.fact))) }

  /// The number of subscriptions at one time.
  static func stock(_ counted: Counted) -> ColumnMakeup { counts([counted]) }
}

/// What `explain` shows of a column.
package enum ColumnKind: String, CaseIterable, Sendable {
  case sum
  case ofSums = "of sums"
  case rank, model

  /// What `explain` shows, as a part of a sentence.
  package var meaning: String {
    switch self {
    case .sum: "contributions that add up to the cell exactly"
    case .ofSums: "the parts from which the cell is computed, each of them explained"
    case .rank: "the values in order, with the chosen one marked"
    case .model: "the formula with its inputs, each of them explained"
    }
  }

  /// A column of the kind.
  private var example: String {
    switch self {
    case .sum: "churn.churned"
    case .ofSums: "churn.churn_rate"
    case .rank: "lapses.gap_days_median"
    case .model: "retention.survival"
    }
  }

  /// All kinds, a line for each: an example, the kind and its meaning.
  package static let legend = allCases.map { kind in
    "\(kind.example): \(kind.rawValue), \(kind.meaning)."
  }.joined(separator: "\n")
}

extension ColumnMakeup {
  /// What `explain` shows of the column.
  package var kind: ColumnKind {
    switch self {
    case .counts, .money: .sum
    case .ratio, .bound, .sum: .ofSums
    case .rank: .rank
    case .model: .model
    }
  }

  /// Returns what `explain` shows of a column; `nil` for one that cannot be explained from any source.
  package static func kind(of column: String, in table: TableKind) -> ColumnKind? {
    Source.allCases.lazy.compactMap { of(column, in: table, from: $0)?.kind }.first
  }

  /// Returns the columns of a table that can be explained from a source, or from any, by the kinds that it has.
  package static func kinds(
    in table: TableKind, from source: Source? = nil
  ) -> [(kind: ColumnKind, columns: [String])] {
    let names = Definition.definition(of: table).columns.map(\.column.name)
    let own = { (name: String) in
      source.map { of(name, in: table, from: $0)?.kind } ?? kind(of: name, in: table)
    }
    return ColumnKind.allCases.map { kind in (kind, names.filter { own($0) == kind }) }
      .filter { !$0.1.isEmpty }
  }
}

/// What a contribution adds to a cell.
package enum Measure: Equatable, Sendable {
  /// 1.
  case count
  /// The customer price that was paid or given back.
  case price
  /// The developer's proceeds of the charge, or those given back.
  case proceeds
  /// The monthly value of the charge, on the basis of the row.
  case value
  /// Days without a subscription; the cell is the value at a rank of all of them, such as the median (50 percent).
  case rank(percent: Int)

  /// Whether it adds an amount.
  package var isMoney: Bool { self == .price || self == .proceeds || self == .value }

  /// The rank in percent; `nil` if the cell is a sum.
  package var percent: Int? { if case .rank(let percent) = self { percent } else { nil } }
}
