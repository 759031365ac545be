package import SubscriptionModel

extension Definition {
  /// Every definition, in the order of the tables.
  package static let all: [Definition] = TableKind.allCases.map { definition(of: $0) }

  /// The definitions for all sources, made once: each lookup of a column needs one.
  private static let complete = TableKind.allCases.reduce(into: [TableKind: Definition]()) {
    $0[$1] = made($1, SourceWording(sources: Set(Source.allCases)), nil)
  }

  /// Returns the definition of a table, without the sentences about other sources than those of the report.
  package static func definition(
    of table: TableKind, for sources: Set<Source> = Set(Source.allCases),
    convertedTo target: String? = nil
  ) -> Definition {
    if target == nil, sources.count == Source.allCases.count, let known = complete[table] {
      return known
    }
    return made(table, SourceWording(sources: sources), target)
  }

  private static func made(
    _ table: TableKind, _ words: SourceWording, _ target: String?
  ) -> Definition {
    switch table {
    case .churn: churn(words)
    case .renewals: renewals(words)
    case .lapses: lapses(words)
    case .refunds: refunds(words)
    case .retention: retention(words)
    case .movement: movement(words)
    case .proceeds: proceeds(words, target)
    case .trials: trials(words)
    case .commitments: commitments
    case .recurring: recurring(words)
    case .lifetime: lifetime(words)
    case .status: status(words)
    case .definitions: others(words)
    }
  }

  /// Returns the columns of a table with their meanings in the rows of one source.
  ///
  /// METRICS.md has one meaning for all sources, and rules below the columns; a page has these meanings alone.
  package static func columns(of table: TableKind, from source: Source) -> [Column] {
    definition(of: table, for: [source]).columns.map { $0.onPage(of: source) }
  }
}
