import Metrics

/// The help of a single table, from the catalogue.
enum SingleTableHelp {
  static func discussion(_ kind: TableKind) -> String {
    let definition = Definition.definition(of: kind)
    let columns = definition.columns.map(\.column.name).joined(separator: ", ")
    return """
      \(definition.sentence)

      \(definition.caveat)

      One row per \(definition.rowIs): \(columns). See subreport metrics \(kind.rawValue).
      """
  }
}
