package import SubscriptionModel

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

  /// Returns what `explain` shows of a column.
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - table: The table.
  /// - Returns: The kind; `nil` for a column that cannot be explained from any source.
  package static func kind(of column: String, in table: TableKind) -> ColumnKind? {
    Source.allCases.lazy.compactMap { of(column, in: table, from: $0)?.kind }.first
  }

  /// Returns the columns of a table that can be explained, by kind.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - source: The source of the rows; `nil` for columns of any source.
  /// - Returns: The kinds that the table has, each with its columns in the order of the table.
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
