public import SubscriptionModel

/// The definition of a table, the only source of its wording and columns.
///
/// The columns of every file, `subreport metrics`, METRICS.md and the sentences of `summary.md` are made from
/// definitions.
public struct Definition: Sendable {
  /// A column with its meaning.
  public struct Column: Sendable {
    /// The column's name and kind.
    public let column: ReportTable.Column
    /// What the column holds, as one sentence.
    public let meaning: String

    package init(_ name: String, _ kind: ReportTable.Column.Kind, _ meaning: String) {
      column = ReportTable.Column(name, kind)
      self.meaning = meaning
    }
  }

  /// The table's name.
  public let table: TableKind
  /// A heading for people.
  public let title: String
  /// The sentence that defines the table's main number.
  public let sentence: String
  /// The limits of the number, to read before comparing it with another system's.
  public let caveat: String
  /// The sources from which the table can be made.
  public let sources: [Source]
  /// The names of those sources.
  public var sourceNames: [String] { sources.map(\.rawValue) }
  /// What one row stands for, such as `month × cohort`.
  public let rowIs: String
  /// The columns after the keys.
  public let columns: [Column]

  /// The names of the keys before (`leading`) and after (`trailing`) the view's dimensions.
  public var keys: (leading: [String], trailing: [String]) {
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
  public func columns(for dimensions: [Dimension]) -> [ReportTable.Column] {
    let names = keys.leading + dimensions.map(\.rawValue) + keys.trailing
    return names.map { ReportTable.Column($0, .key) } + columns.map(\.column)
  }
}

/// The tables of METRICS.md section 5, in the order reports list them.
public enum TableKind: String, CaseIterable, Sendable {
  case churn, renewals, lapses, refunds, retention, movement, proceeds, trials
  /// Instalments, METRICS.md section 10; only written if there are any.
  case commitments
}
