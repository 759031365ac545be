import Tables

/// The prose of METRICS.md: the Markdown files in `Definitions`, embedded when the program is built.
///
/// Comments in the code cite sections and rules by number, so a number never changes its meaning. The files
/// contain words, sentences and tables. Definitions in the code replace these lines of a file:
/// - `{{table churn}}`: the definition of a table, with its columns and the text of `table-churn.md`;
/// - `{{tools all}}`: what the texts of other tools say;
/// - `{{columns price_impact}}`: one row for each column of `price_impact.csv`, or of `reconcile.csv`.
enum DefinitionTexts {
  /// The sections, in order.
  static var sections: [String] {
    [
      PackageResources.words_md, PackageResources.chains_md, PackageResources.receipts_md,
      PackageResources.events_md, PackageResources.tables_md, PackageResources.price_increases_md,
      PackageResources.settlement_md, PackageResources.rows_md,
      PackageResources.receipt_tables_md, PackageResources.plans_md, PackageResources.revenue_md,
      PackageResources.headlines_md,
    ].map(filled)
  }

  /// Returns the rules behind one table, beyond its definition.
  ///
  /// - Parameter table: The table.
  /// - Returns: The text that follows the table's columns in section 5.
  static func details(of table: TableKind) -> String {
    let bytes =
      switch table {
      case .churn: PackageResources.table_churn_md
      case .renewals: PackageResources.table_renewals_md
      case .lapses: PackageResources.table_lapses_md
      case .refunds: PackageResources.table_refunds_md
      case .retention: PackageResources.table_retention_md
      case .movement: PackageResources.table_movement_md
      case .proceeds: PackageResources.table_proceeds_md
      case .trials: PackageResources.table_trials_md
      case .commitments: PackageResources.table_commitments_md
      case .recurring: PackageResources.table_recurring_md
      case .lifetime: PackageResources.table_lifetime_md
      case .status: PackageResources.table_status_md
      case .definitions: PackageResources.table_definitions_md
      }
    return filled(bytes)
  }

  private static func filled(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in
        guard line.hasPrefix("{{"), line.hasSuffix("}}") else { return String(line) }
        let words = line.dropFirst(2).dropLast(2).split(separator: " ").map(String.init)
        // The replaced line has no line break at its end, so the replacement must not have one.
        return String(content(words[0], words[1]).dropLast())
      }
      .joined(separator: "\n")
  }

  private static func content(_ kind: String, _ name: String) -> String {
    if kind == "tools" { return CataloguePage.tools(isMarkdown: true) }
    if kind == "table", let table = TableKind(rawValue: name) {
      return CataloguePage.markdown(.definition(of: table), heading: "###")
    }
    guard kind == "columns", let columns = ColumnMeanings.columns(of: name) else {
      preconditionFailure("the definitions ask for what the code does not know: \(kind) \(name)")
    }
    return CataloguePage.rows(columns)
  }
}
