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

  /// All kinds with their meanings, a sentence for each.
  package static let legend = allCases.map { kind in
    "\(kind.rawValue.first?.uppercased() ?? "")\(kind.rawValue.dropFirst()): \(kind.meaning)."
  }.joined(separator: " ")
}

extension ColumnMakeup {
  /// What `explain` shows of the column.
  package var kind: ColumnKind {
    switch self {
    case .counts, .money: .sum
    case .parts: .ofSums
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

  /// Returns the tables of a source that can be explained, each with its columns by kind.
  ///
  /// - Parameter source: The source of the rows.
  /// - Returns: Such as `retention (sum: at_risk, lost, kept; model: survival, low, high)`.
  package static func list(from source: Source) -> String {
    tables(from: source).map { table in
      let kinds = kinds(in: table, from: source).map { kind, columns in
        "\(kind.rawValue): \(columns.joined(separator: ", "))"
      }
      return "\(table.rawValue) (\(kinds.joined(separator: "; ")))"
    }.joined(separator: "; ")
  }
}
