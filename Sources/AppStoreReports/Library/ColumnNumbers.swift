/// The numbers of a report's columns by all names that Apple has given to them.
struct ColumnNumbers: Sendable {
  private var numbers: [String: Int] = [:]

  init(_ header: ReportHeader) {
    for (number, name) in header.columnNames.enumerated() { add(name, number) }
    guard let layout = ReportLayout.all.first(where: { $0.kind == header.kind }) else { return }
    for column in layout.signature + layout.needed + layout.optional {
      guard let number = header.field(column) else { continue }
      for name in column.names { add(name, number) }
    }
  }

  /// Adds a name, as it is spelled and for comparison; the first column with a name keeps it.
  private mutating func add(_ name: String, _ number: Int) {
    for name in [name, comparableName(name)] where numbers[name] == nil { numbers[name] = number }
  }

  /// Returns the number of a column, from 0; `nil` if the report lacks it.
  func number(of name: String) -> Int? { numbers[name] ?? numbers[comparableName(name)] }
}
