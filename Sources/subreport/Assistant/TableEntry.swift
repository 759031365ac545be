import PriceImpact
import Rendering
import Tables

/// The definition of a table of the folder of `report`, whatever its kind.
struct TableEntry {
  let name: String
  /// The meaning of its main number, or of its rows.
  let sentence: String
  /// The columns, without the keys of a table of metrics.
  let columns: [Definition.Column]
  /// The command that prints it; `nil` for a file of `report` alone.
  let command: String?
  /// The definition of a table of METRICS.md section 5; `nil` for others.
  let definition: Definition?

  private init(_ name: String, command: String? = nil, definition: Definition? = nil) {
    (self.name, self.command, self.definition) = (name, command, definition)
    sentence = ColumnMeanings.sentence(of: name)
    columns = ColumnMeanings.columns(of: name) ?? []
  }

  /// All tables in the order of reports.
  static let all: [TableEntry] =
    Definition.all.map {
      TableEntry($0.table.rawValue, command: $0.table.rawValue, definition: $0)
    }
    + HeadlineTable.allCases.map {
      TableEntry($0.rawValue, command: $0 == .drivers ? "drivers" : nil)
    }
    + PriceTable.allCases.map {
      TableEntry($0.rawValue, command: $0 == .impact ? "price-impact" : nil)
    }
    + [TableEntry("reconcile", command: "reconcile")]
    + SupportingTable.allCases.map { TableEntry($0.rawValue) }

  /// Returns a cell of the table's CSV as tables in JSON have it: counts and rates as numbers, amounts and words as texts.
  func value(_ cell: String, of column: String) -> JSONValue {
    let kind = columns.first { $0.column.name == column }?.column.kind
    switch kind {
    case .count?, .rate?, .number?: return Double(cell) == nil ? JSONValue(cell) : .number(cell)
    // A converted amount, such as net_EUR, has no entry.
    default: return JSONValue(SeparatedValues.withoutGuard(cell))
    }
  }

  /// The definition of the table, with the meaning of some of its columns.
  func defined(_ names: [String] = []) -> [JSONValue.Member] {
    let own = columns.filter { names.contains($0.column.name) }
    return [
      .init("definition", .text(ColumnMeanings.meaning(ofTable: name))),
      .init(
        "columns_mean",
        .object(own.map { .init($0.column.name, .text(InlineMarkdown.plain($0.meaning))) })),
    ]
  }
}
