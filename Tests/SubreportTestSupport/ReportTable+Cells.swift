package import Tables

extension ReportTable {
  /// Returns the cells of a column in the rows whose keys after the source are these, in order.
  package subscript(column name: String, keys values: [String]) -> [Cell] {
    guard let index = columns.firstIndex(where: { $0.name == name }) else { return [] }
    let keyIndices = columns.indices.filter { columns[$0].kind == .key }
    return rows.filter { row in
      zip(keyIndices.dropFirst(), values).allSatisfy { row[$0] == .text($1) }
    }.map { $0[index] }
  }

  /// Returns a row by the names of its columns.
  package func row(_ index: Int) -> [String: Cell] {
    Dictionary(uniqueKeysWithValues: zip(columns.map(\.name), rows[index]))
  }

  /// Returns a row's cells under some columns as texts; a missing cell is empty.
  package func texts(_ columns: [String], row: Int = 0) -> [String] {
    columns.map { name in
      guard let index = self.columns.firstIndex(where: { $0.name == name }), row < rows.count
      else { return "(none)" }
      return rows[row][index].text
    }
  }
}

extension ReportTable.Cell {
  /// The cell as a test writes it.
  package var text: String {
    switch self {
    case .missing: ""
    case .text(let text): text
    case .count(let count): "\(count)"
    case .money(let milliunits): "\(milliunits)"
    case .hundredths(let hundredths): "\(hundredths)"
    case .ratio(let numerator, let denominator): "\(numerator)/\(denominator)"
    case .fraction(let fraction): "\(fraction)"
    }
  }
}

/// Returns cells after the keys of a row with nothing but the state.
func withoutNumbers(_ cells: [ReportTable.Cell]) -> [ReportTable.Cell] {
  cells.map { cell -> ReportTable.Cell in
    if case .text = cell { cell } else { .missing }
  }
}
