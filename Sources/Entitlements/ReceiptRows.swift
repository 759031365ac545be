import Storage
package import SubscriptionModel
package import Tables

/// The rows of one receipt table: METRICS.md section 9.
///
/// Each thread adds the rows of its customers; at the end the rows are merged and sorted.
package struct ReceiptRows: Sendable {
  /// The tables with rows for single customers.
  package enum Kind: String, CaseIterable, Sendable {
    /// One row for each period.
    case timeline
    /// One row for each chain.
    case chains
    /// One row for each customer, app and group.
    case eligibility
    /// One row for each customer and item of content that the customer may read.
    case access
  }

  /// The table.
  package let kind: Kind
  /// The rows so far, in no order.
  private(set) var rows: [[ReportTable.Cell]] = []
  private let symbols: [String]
  private let content: ContentCatalogue

  /// Creates a table without rows.
  ///
  /// - Parameters:
  ///   - kind: The table.
  ///   - symbols: The text of each symbol.
  ///   - content: The content; only `access` needs it.
  package init(
    _ kind: Kind, symbols: [String], content: ContentCatalogue = ContentCatalogue(items: [])
  ) {
    self.kind = kind
    self.symbols = symbols
    self.content = content
  }

  /// Adds the rows of one customer.
  ///
  /// - Parameters:
  ///   - history: The builder with the customer's chains.
  ///   - customer: The text that identifies the customer.
  package mutating func add(_ history: borrowing ReceiptHistory, customer: String) {
    let more =
      switch kind {
      case .timeline: timelineRows(history)
      case .chains: history.chains.map { chainCells($0, history.periods) }
      case .eligibility: eligibilityRows(history)
      case .access: accessRows(history, content)
      }
    for cells in more { rows.append([.text(customer)] + cells) }
  }

  /// Adds the rows of other customers.
  ///
  /// - Parameter other: Rows of the same table.
  package mutating func merge(_ other: ReceiptRows) {
    precondition(kind == other.kind, "rows of the same table")
    rows += other.rows
  }

  /// Returns the table, sorted by its first columns, then by start, then by all other columns.
  ///
  /// - Returns: The table; only a header if it has no rows.
  package func table() -> ReportTable {
    let columns = kind.columns
    let keys = columns.indices.filter {
      columns[$0].kind == .key || columns[$0].name == "first_start"
    }
    let order = keys + columns.indices.filter { !keys.contains($0) }
    return ReportTable(
      name: kind.rawValue, dimensions: [], columns: columns,
      rows: rows.sorted { left, right in
        for column in order where left[column] != right[column] {
          return left[column].rawText.precedes(right[column].rawText)
        }
        return false
      })
  }

  // MARK: Cells

  func cell(_ symbol: Symbol) -> ReportTable.Cell {
    symbol == .blank ? .missing : .text(symbols[Int(symbol)])
  }

  func cell(_ instant: Instant?) -> ReportTable.Cell {
    instant.map { .text($0.description) } ?? .missing
  }

  func cell(_ isTrue: Bool) -> ReportTable.Cell { .text(isTrue ? "yes" : "no") }

  func cell(_ word: String?) -> ReportTable.Cell { word.map { .text($0) } ?? .missing }

  func cell(_ ownership: TransactionCopy.Ownership) -> ReportTable.Cell {
    .text(ownership == .family ? "family" : "purchased")
  }
}

extension ReceiptRows.Kind {
  /// The table's columns.
  package var columns: [ReportTable.Column] {
    let groups: [(names: String, kind: ReportTable.Column.Kind)] =
      switch self {
      case .timeline:
        [
          ("customer app group ownership product start", .key),
          ("end expires kind paid cut refunded refund_date", .text),
          ("gap_before_seconds active_period", .count), ("fate reason", .text), ("price", .money),
          ("currency plan", .text), ("instalment of", .count),
        ]
      case .chains:
        [
          ("customer app group ownership type", .key),
          ("state reason as_of first_start last_end start_month", .text),
          ("active_periods covered_seconds charges paid_charges lapses refunds", .count),
        ]
      case .eligibility:
        [
          ("customer app group", .key),
          ("introductory introductory_reason promotional promotional_reason", .text),
          ("win_back win_back_reason win_back_offers", .text),
        ]
      case .access:
        [("customer content", .key), ("published reason period_start period_end", .text)]
      }
    return groups.flatMap { names, kind in
      names.split(separator: " ").map { ReportTable.Column(String($0), kind) }
    }
  }
}

extension ReportTable.Cell {
  /// The value as text without escaping, by which rows of receipt tables are sorted.
  fileprivate var rawText: String {
    switch self {
    case .missing: ""
    case .text(let text): text
    case .count(let count): String(count)
    case .money(let milliunits): priceText(Int64(milliunits), currency: "")
    case .ratio, .fraction, .hundredths: preconditionFailure("no cell of a receipt table")
    }
  }
}
