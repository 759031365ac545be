package import Counting
package import Pipeline
import PriceImpact
import Storage
package import SubscriptionModel
import Tables

/// The cells of `price_impact.csv`, of the whole population, in which a subscription counts.
package struct ImpactCells: Sendable {
  /// A charge at whose end a subscription counts in a row.
  package struct Counted: Equatable, Sendable {
    /// The index of the charge among those of its chain, from 0.
    package let charge: Int
    /// The values that choose the row: `product=Pro Monthly country=US effective=2026-05-26`.
    package let row: String
    /// The columns that count it, in the order of the table.
    package let columns: [String]
  }

  /// A row with the columns that have a number.
  private struct Row {
    let explained: ExplainedImpact
    let name: String
    let columns: [ImpactColumn]
  }

  private let rows: [Row]
  private let changes: [PriceChange]
  private let completeness: Completeness

  /// Takes the rows of a run.
  ///
  /// - Parameters:
  ///   - result: The result of a run that has looked for price changes.
  ///   - source: The source of the rows.
  ///   - completeness: The days that the data of the source cover.
  package init(_ result: RunResult, _ source: Source, _ completeness: Completeness) {
    let names = PriceTable.impact.allColumns.map(\.column.name)
    rows = result.priceTableMaker.explainedRows(view: .whole, of: source).map { explained in
      let cells = Dictionary(zip(names, explained.cells)) { first, _ in first }
      let keys = ["product", "country", "effective"].map { key in
        "\(key)=\(cells[key].map(Self.text) ?? "")"
      }
      return Row(
        explained: explained, name: keys.joined(separator: " "),
        columns: ImpactColumn.columns(of: source).filter {
          $0.part != nil && cells[$0.name] ?? .missing != .missing
        })
    }.sorted { $0.name.precedes($1.name) }
    changes = result.prices.first { $0.source == source }?.changes ?? []
    self.completeness = completeness
  }

  private static func text(_ cell: ReportTable.Cell) -> String {
    if case .text(let text) = cell { text } else { "" }
  }

  /// Returns the rows in which a chain counts, and where.
  ///
  /// - Parameters:
  ///   - chain: The chain.
  ///   - terms: The terms that its charges refer to by index.
  /// - Returns: The charges with the cells that they add to, charge by charge.
  package func counted(_ chain: PricedChain, _ terms: [ChargeTerms]) -> [Counted] {
    guard !rows.isEmpty else { return [] }
    var fold = ImpactFold(changes: changes, completeness: completeness, lastDay: nil)
    var found: [Counted] = []
    for heard in fold.hear(chain, terms) {
      for row in rows {
        for addition in row.explained.additions(of: heard) {
          let columns = row.columns.filter { $0.part?.value(of: addition) != nil }
          guard !columns.isEmpty else { continue }
          found.append(
            Counted(
              charge: addition.charge - chain.charges.startIndex, row: row.name,
              columns: columns.map(\.name)))
        }
      }
    }
    return found.enumerated().sorted {
      ($0.element.charge, $0.offset) < ($1.element.charge, $1.offset)
    }
    .map(\.element)
  }
}
