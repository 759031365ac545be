package import SubscriptionModel

/// The definition of a table, the only source of its wording and columns.
///
/// The columns of every file, `subreport metrics`, METRICS.md and the sentences of `summary.md` are made from
/// definitions.
package struct Definition: Sendable {
  /// A column with its meaning.
  package struct Column: Sendable {
    /// The column's name and kind.
    package let column: ReportTable.Column
    /// What the column holds, as one sentence.
    package let meaning: String

    package init(
      _ name: String, _ kind: ReportTable.Column.Kind, _ meaning: String, isChange: Bool = false
    ) {
      column = ReportTable.Column(name, kind, isChange: isChange)
      self.meaning = meaning
    }
  }

  /// The table's name.
  package let table: TableKind
  /// A heading for people.
  package let title: String
  /// The sentence that defines the table's main number.
  package let sentence: String
  /// The limits of the number, to read before comparing it with another system's.
  package let caveat: String
  /// The sources from which the table can be made.
  package let sources: [Source]
  /// The names of those sources.
  package var sourceNames: [String] { sources.map(\.rawValue) }
  /// What one row stands for, such as `month × cohort`.
  package let rowIs: String
  /// The columns after the keys.
  package let columns: [Column]

  /// The names of the keys before (`leading`) and after (`trailing`) the view's dimensions.
  package var keys: (leading: [String], trailing: [String]) {
    switch table {
    case .refunds: (["source", "dating", "month"], ["currency"])
    case .proceeds: (["source", "month"], ["currency"])
    case .retention: (["source"], [])
    case .commitments: (["source", "month"], ["currency"])
    case .churn, .renewals, .lapses, .movement, .trials: (["source", "month"], [])
    }
  }

  /// Returns all columns of one view of the table.
  ///
  /// - Parameter dimensions: The view's dimensions.
  /// - Returns: Keys, dimensions and the columns of the catalogue, in order.
  package func columns(for dimensions: [Dimension]) -> [ReportTable.Column] {
    let names = keys.leading + dimensions.map(\.rawValue) + keys.trailing
    return names.map { ReportTable.Column($0, .key) } + columns.map(\.column)
  }
}

/// The tables of METRICS.md section 5, in the order reports list them.
package enum TableKind: String, CaseIterable, Sendable {
  case churn, renewals, lapses, refunds, retention, movement, proceeds, trials
  /// Instalments, METRICS.md section 10; only written if there are any.
  case commitments
}
