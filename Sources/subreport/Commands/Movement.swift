import Metrics

/// `subreport movement`.
enum Movement: NamedTable {
  static let kind = TableKind.movement
  static let abstract = "Everyone who came and went between the beginning and the end of a month."
}
