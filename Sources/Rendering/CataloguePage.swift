package import Tables

/// Prints definitions: `subreport metrics`, and the project's METRICS.md.
package enum CataloguePage {
  /// Returns definitions for a terminal; `isWhole` adds a line on where the rules are.
  package static func plain(_ definitions: [Definition], isWhole: Bool) -> String {
    definitions.map { definition in
      let width = definition.columns.map(\.column.name.count).max() ?? 0
      let columns = definition.columns.map { column in
        "  " + column.column.name
          + String(repeating: " ", count: width - column.column.name.count + 2)
          + column.meaning.replacing("`", with: "")
      }
      return """
        \(definition.table.rawValue): \(definition.title)

        \(definition.sentence.replacing("`", with: ""))
        \(definition.caveat.replacing("`", with: ""))

        One row per \(definition.rowIs), from \(sources(definition)).

        \(columns.joined(separator: "\n"))

        \(rest(definition))

        """
    }.joined(separator: "\n")
      + (isWhole ? "\nThe rules behind the tables: subreport metrics -f md\n" : "")
  }

  private static func rest(_ definition: Definition) -> String {
    definition.table == .definitions
      ? "What each tool's text says:\n" + tools(isMarkdown: false).dropLast()
      : "What explain shows of numbers from reports:\n" + kinds(definition)
  }

  /// Returns the text of each other tool about each number, its address and its day, as a table or as indented lines.
  static func tools(isMarkdown: Bool) -> String {
    let lines = OtherTool.allCases.map { tool in
      tool.sentences.map { measure, text in
        isMarkdown
          ? "| `\(tool.rawValue)` | `\(measure.rawValue)` | \(text) | [\(tool.readOn)](\(tool.address)) |\n"
          : "    \(measure.rawValue): \(text)\n"
      }.joined()
    }
    guard isMarkdown else {
      return zip(OtherTool.allCases, lines).map { tool, lines in
        "  \(tool.rawValue): \(tool.title), \(tool.address), read on \(tool.readOn)\n\(lines)"
      }.joined()
    }
    return "| tool | number | what its text says | read on |\n|---|---|---|---|\n" + lines.joined()
  }

  /// Returns the whole page as Markdown: every section of the rules, with every table.
  package static func markdown() -> String {
    """
    # Metrics

    What each number means, exactly. Made by `make docs`: the prose is in `Sources/Rendering/Definitions`.

    Rule 2.9 is rule 9 of section 2.


    """
      + DefinitionTexts.sections.joined(separator: "\n")
  }

  /// Returns one definition as Markdown, with the rules behind it.
  package static func markdown(_ definition: Definition, heading: String = "##") -> String {
    """
    \(heading) \(definition.title)

    \(definition.sentence)

    \(definition.caveat)

    One row per \(definition.rowIs), from \(sources(definition)). File \
    `\(definition.table.rawValue).csv`, views `\(definition.table.rawValue)-by-….csv`.

    | column | meaning |
    |---|---|
    \(rows(definition.columns))
    \(markdownKinds(definition))
    \(DefinitionTexts.details(of: definition.table))
    """
  }

  /// Returns a line for each kind of columns: what `explain` shows of them.
  private static func kinds(_ definition: Definition) -> String {
    ColumnMakeup.kinds(in: definition.table).map { kind, columns in
      "  \(kind.rawValue) (\(kind.meaning)): \(columns.joined(separator: ", "))"
    }.joined(separator: "\n")
  }

  /// Returns the kinds of columns for `explain` as one sentence, with its line break.
  private static func markdownKinds(_ definition: Definition) -> String {
    guard ColumnMakeup.tables.contains(definition.table) else { return "" }
    let kinds = ColumnMakeup.kinds(in: definition.table).map { kind, columns in
      "*\(kind.rawValue)* \(columns.map { "`\($0)`" }.joined(separator: ", "))"
    }
    return "For `explain`: \(kinds.joined(separator: "; ")).\n"
  }

  /// Returns columns and their meanings as rows of a Markdown table, each with its line break.
  static func rows(_ columns: [Definition.Column]) -> String {
    columns.map { column in
      let meaning = column.meaning.replacing("|", with: "\\|")
      return "| `\(column.column.name)` | \(meaning) |\n"
    }.joined()
  }

  package static func json(_ definitions: [Definition]) -> String {
    let objects = definitions.map { definition in
      let columns = definition.columns.map { column in
        let kind = ColumnMakeup.kind(of: column.column.name, in: definition.table)?.rawValue
        return """
          {"name": \(JSONText.quoted(column.column.name)), \
          "meaning": \(JSONText.quoted(column.meaning)), \
          "explain": \(kind.map(JSONText.quoted) ?? "null")}
          """
      }
      let sources = definition.sourceNames.map(JSONText.quoted)
      return """
        {"name": \(JSONText.quoted(definition.table.rawValue)), \
        "title": \(JSONText.quoted(definition.title)), \
        "definition": \(JSONText.quoted(definition.sentence)), \
        "caveat": \(JSONText.quoted(definition.caveat)), \
        "row": \(JSONText.quoted(definition.rowIs)), \
        "sources": [\(sources.joined(separator: ", "))], \
        "columns": [\(columns.joined(separator: ", "))]\(tools(of: definition))}
        """
    }
    return "[\n" + objects.joined(separator: ",\n") + "\n]\n"
  }

  /// Returns the member `tools` of `definitions`; blank for any other table.
  private static func tools(of definition: Definition) -> String {
    guard definition.table == .definitions else { return "" }
    let tools = OtherTool.allCases.flatMap { tool in
      tool.sentences.map { measure, text in
        """
        {"tool": \(JSONText.quoted(tool.rawValue)), "measure": \(JSONText.quoted(measure.rawValue)), \
        "text": \(JSONText.quoted(text)), "address": \(JSONText.quoted(tool.address)), \
        "read_on": \(JSONText.quoted(tool.readOn))}
        """
      }
    }
    return ", \"tools\": [\(tools.joined(separator: ", "))]"
  }

  private static func sources(_ definition: Definition) -> String {
    definition.sourceNames.map { "`\($0)`" }.joined(separator: ", ")
  }
}

/// The prose of METRICS.md: the Markdown files in `Definitions`, embedded when the program is built.
///
/// Comments in the code cite sections and rules by number, so a number never changes its meaning. The files
/// contain words, sentences and tables. Definitions in the code replace these lines of a file:
/// - `{{table churn}}`: the definition of a table, with its columns and the text of `table-churn.md`;
/// - `{{tools all}}`: what the texts of other tools say;
/// - `{{columns price_impact}}`: one row for each column of `price_impact.csv`, or of `reconcile.csv`.
enum DefinitionTexts {
  static var sections: [String] {
    [
      PackageResources.words_md, PackageResources.chains_md, PackageResources.receipts_md,
      PackageResources.events_md, PackageResources.tables_md, PackageResources.price_increases_md,
      PackageResources.settlement_md, PackageResources.rows_md,
      PackageResources.receipt_tables_md, PackageResources.plans_md, PackageResources.revenue_md,
      PackageResources.headlines_md,
    ].map(filled)
  }

  /// Returns the rules behind one table, which follow its columns in section 5.
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
