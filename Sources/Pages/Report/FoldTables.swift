import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// The folded tables of a section by product and by country.
extension ReportData {
  /// A column of a table with its cells, each of all rows of a product or country: refunds have one for each currency.
  private typealias Column = (heading: String, cell: ([Row]) -> String)

  /// Returns the numbers of a table in one month by product, and by country.
  ///
  /// - Parameters:
  ///   - kind: The table.
  ///   - source: The source of its rows.
  ///   - month: The month; the caption names it.
  /// - Returns: A table for each view with more than one value; the largest first.
  func split(_ kind: TableKind, _ source: Source, in month: Month) -> [Fold.Table] {
    let columns = Self.columns(kind)
    guard let size = Self.sizes[kind] else { return [] }
    return [Dimension.product, .country].compactMap { dimension -> Fold.Table? in
      let rows = rows(kind, source, by: [dimension], in: month)
      let groups = Dictionary(grouping: rows) { ExactText($0.text(dimension.rawValue)) }
        .map { (name: $0, rows: $1, size: Self.sum($1, size) ?? 0) }
        .sorted { ($1.size, $0.name) < ($0.size, $1.name) }
      guard groups.count > 1 else { return nil }
      return Fold.Table(
        caption: "By \(dimension.words), \(PageText.long(month, months))",
        headings: [(dimension.words, false)] + columns.map { ($0.heading, true) },
        rows: groups.prefix(Self.foldedRows).map { name, rows, _ in
          [name.text.isEmpty ? "unknown" : name.text] + columns.map { $0.cell(rows) }
        }
      ).withoutZeros(in: Flows.besides)
    }
  }

  /// The column that says how large a row is.
  private static let sizes: [TableKind: ColumnName] = [
    .movement: .closeObserved, .churn: .activeStart, .trials: .trials, .refunds: .charges,
  ]

  private static func columns(_ kind: TableKind) -> [Column] {
    let count = { (heading: String, column: ColumnName) -> Column in
      (heading, { sum($0, column).map(PageText.count) ?? "" })
    }
    let share = { (above: ColumnName, below: ColumnName) -> Column in
      (
        "share",
        { rows in
          guard let above = sum(rows, above), let below = sum(rows, below), below > 0 else {
            return ""
          }
          return PageText.percent(above, of: below)
        }
      )
    }
    let flow = { (heading: String, size: @escaping (Flows) -> Int) -> Column in
      (heading, { Flows($0.first).map { PageText.count(size($0)) } ?? "" })
    }
    return switch kind {
    case .movement:
      [
        count("start", .open), flow("came", \.came), flow("went", \.went),
        (Flows.besides[0], { Flows($0.first).map { PageText.signed($0.changed) } ?? "" }),
        (Flows.besides[1], { Flows($0.first).map { PageText.signed($0.unexplained) } ?? "" }),
        count("end", .closeObserved),
      ]
    case .churn:
      [count("at start", .activeStart), count("left", .churned), share(.churned, .activeStart)]
    case .trials:
      [count("trials", .trials), count("became paying", .converted), count("undecided", .pending)]
    case .refunds:
      [count("charges", .charges), count("refunded", .refundsFull), share(.refundsFull, .charges)]
    default: []
    }
  }
}
