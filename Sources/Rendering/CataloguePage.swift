public import Metrics

/// Prints definitions: `subreport metrics`, and the project's METRICS.md.
public enum CataloguePage {
  /// Returns definitions for a terminal.
  ///
  /// - Parameter definitions: The definitions in order.
  /// - Returns: The text.
  public static func plain(_ definitions: [Definition]) -> String {
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

        """
    }.joined(separator: "\n")
  }

  /// Returns definitions as Markdown.
  ///
  /// - Parameters:
  ///   - definitions: The definitions in order.
  ///   - isWhole: Whether it is the whole page, with a heading of its own.
  /// - Returns: The text.
  public static func markdown(_ definitions: [Definition], isWhole: Bool) -> String {
    let heading = """
      # Metrics

      What each table means. Made by `make docs` from the catalogue in the code; do not edit.

      Every table begins with `source` and its keys, then the dimensions of the view. Rates are \
      fractions with six decimals in CSV and percentages in Markdown. An empty cell means not known; \
      0 means zero.


      """
    return (isWhole ? heading : "")
      + definitions.map { definition in
        let columns = definition.columns.map {
          "| `\($0.column.name)` | \($0.meaning.replacing("|", with: "\\|")) |\n"
        }
        return """
          ## \(definition.title)

          \(definition.sentence)

          \(definition.caveat)

          One row per \(definition.rowIs), from \(sources(definition)). File `\(definition.table.rawValue).csv`, \
          views `\(definition.table.rawValue)-by-….csv`.

          | column | meaning |
          |---|---|
          \(columns.joined())
          """
      }.joined(separator: "\n")
  }

  /// Returns definitions as a JSON array.
  ///
  /// - Parameter definitions: The definitions in order.
  /// - Returns: The text.
  public static func json(_ definitions: [Definition]) -> String {
    let objects = definitions.map { definition in
      let columns = definition.columns.map {
        "{\"name\": \(JSONText.quoted($0.column.name)), \"meaning\": \(JSONText.quoted($0.meaning))}"
      }
      let sources = definition.sourceNames.map(JSONText.quoted)
      return """
        {"name": \(JSONText.quoted(definition.table.rawValue)), \
        "title": \(JSONText.quoted(definition.title)), \
        "definition": \(JSONText.quoted(definition.sentence)), \
        "caveat": \(JSONText.quoted(definition.caveat)), \
        "row": \(JSONText.quoted(definition.rowIs)), \
        "sources": [\(sources.joined(separator: ", "))], \
        "columns": [\(columns.joined(separator: ", "))]}
        """
    }
    return "[\n" + objects.joined(separator: ",\n") + "\n]\n"
  }

  private static func sources(_ definition: Definition) -> String {
    definition.sourceNames.map { "`\($0)`" }.joined(separator: ", ")
  }
}
