import PriceImpact
import Rendering
import Settlement
package import Tables

/// The tables of a ledger: their names, and the columns that identify a row.
package enum LedgerTable {
  /// The name of the table of settlements.
  private static let reconcile = "reconcile"
  private static let ofPrices: [PriceTable] = [.changes, .impact]

  /// The names of the tables, in order.
  package static let names =
    TableKind.allCases.map(\.rawValue) + ofPrices.map(\.rawValue) + [reconcile]

  /// Returns the columns of a table with their meanings; `nil` for a name of no table.
  package static func columns(of name: String) -> [Definition.Column]? {
    guard names.contains(name) else { return nil }
    return ColumnMeanings.columns(of: name)?.filter { isKept($0.column.name) }
  }

  /// Whether a column can tell of a change; the id of a product says the same as its name.
  private static func isKept(_ column: String) -> Bool {
    column != ReportTable.Column.productID.name
  }

  /// Returns the tables of a run that its line has: those of the whole population.
  static func whole(
    _ tables: [TableKind: [ReportTable]], prices: [ReportTable], settlement: ReportTable?
  ) -> [ReportTable] {
    let counted = TableKind.allCases.compactMap { kind in
      tables[kind]?.first { $0.dimensions.isEmpty }
    }
    let names = Set(ofPrices.map(\.rawValue))
    let ofPrices = prices.filter { $0.dimensions.isEmpty && names.contains($0.name) }
    return counted + ofPrices.map { $0.keeping(isKept) } + [settlement].compactMap(\.self)
  }
}

extension [ReportTable.Column] {
  /// The lines of a settlement that have several rows, one for each cause.
  private static let linesByCause = [Bridge.Line.shareDifference, .otherRegion].map {
    ReportTable.Cell.text($0.name)
  }

  /// The names of the columns that identify a row.
  var keyNames: [String] { keyPlaces.map { self[$0].name } }

  /// The place of the month among the cells of a key; a settlement has its fiscal period there.
  var monthPlace: Int? { keyNames.firstIndex { $0 == "month" || $0 == "period" } }

  /// Returns the cells that identify a row.
  ///
  /// The cause of a line tells its rows apart if it has several. Of any other line it is a remark, which may change.
  func key(of row: [ReportTable.Cell]) -> [ReportTable.Cell] {
    var key = keyPlaces.map { row[$0] }
    let names = keyNames
    if let cause = names.firstIndex(of: "cause"), let line = names.firstIndex(of: "line"),
      !Self.linesByCause.contains(key[line])
    {
      key[cause] = .missing
    }
    return key
  }
}
