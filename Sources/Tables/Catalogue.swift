package import SubscriptionModel

extension Definition {
  /// Every definition, in the order of the tables.
  package static let all: [Definition] = TableKind.allCases.map { definition(of: $0) }

  /// The definitions for all sources, made once: each lookup of a column needs one.
  private static let complete = TableKind.allCases.reduce(into: [TableKind: Definition]()) {
    $0[$1] = made($1, SourceWording(sources: Set(Source.allCases)), nil)
  }

  /// Returns the definition of a table.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - sources: The sources of the report; sentences about other sources are left out.
  ///   - target: The currency to which the report converts amounts; `nil` without a conversion.
  /// - Returns: The definition.
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
    }
  }

  /// Returns the columns of a table with their meanings in the rows of one source.
  ///
  /// METRICS.md has one meaning for all sources, and rules below the columns; a page has these meanings alone.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - source: The source of the rows.
  /// - Returns: The columns in the order of the table.
  package static func columns(of table: TableKind, from source: Source) -> [Column] {
    definition(of: table, for: [source]).columns.map { $0.onPage(of: source) }
  }

  /// Returns how other sources of a page define a rate, as one sentence in Markdown.
  ///
  /// - Parameters:
  ///   - table: The table of the rate.
  ///   - shown: The source whose definition stands before.
  ///   - others: The other sources whose rate is on the page.
  /// - Returns: Such as: `events` count Apple's `Cancel` events; blank where all define it alike.
  package static func difference(
    of table: TableKind, shown: Source, others: Set<Source>
  ) -> String {
    guard table == .churn || table == .renewals else { return "" }
    let isOfChurn = table == .churn
    let chains = others.filter { $0.isOfChains && $0 != shown }
    var parts: [String] = []
    if shown == .events {
      let tolerance = SourceWording(sources: chains).tolerance
      let words =
        isOfChurn
        ? "count the paid periods that ended in the month and were not followed by a new charge within 60 days (a monthly instalment: 90)"
        : "divide the paid periods followed by another charge within \(tolerance) by those that were due to renew"
      if !chains.isEmpty { parts.append("\(names(chains)) \(words)") }
    } else {
      let words =
        isOfChurn
        ? "`events` count Apple's `Cancel` events of the month, after failed payments up to 60 days later"
        : "`events` divide Apple's renewals by renewals, `Cancel` events and entries into billing retry or a grace period"
      if others.contains(.events) { parts.append(words) }
      if !isOfChurn, !chains.isEmpty {
        let tolerance = SourceWording(sources: chains).tolerance
        parts.append("\(names(chains)) take a charge within \(tolerance)")
      }
    }
    return parts.isEmpty ? "" : parts.joined(separator: "; ") + "."
  }

  private static func names(_ sources: Set<Source>) -> String {
    sources.sorted().map { "`\($0.rawValue)`" }.joined(separator: " and ")
  }
}
