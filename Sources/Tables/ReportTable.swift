import Storage
package import SubscriptionModel

/// A finished table, independent of how it is printed.
///
/// Numbers are exact (integers and ratios of integers) until a renderer rounds them for display.
package struct ReportTable: Equatable, Sendable {
  /// A column: its name and the kind of its cells.
  package struct Column: Equatable, Sendable {
    /// The kind of a column's cells, for alignment and number styles.
    package enum Kind: Sendable {
      /// A text that identifies the row: source, month, dimension, currency.
      case key
      /// Any other text: a state, a path, a note.
      case text
      /// A whole number.
      case count
      /// A fraction, printed with six decimals in CSV and as a percentage in Markdown.
      case rate
      /// An amount of one currency, in milliunits.
      case money
      /// Any other decimal number, such as days with two decimals.
      case number
    }

    /// The name as CSV headers print it, such as `churn_rate`.
    package let name: String
    /// The kind of the cells.
    package let kind: Kind
    /// Whether the cells are differences, which people see with a sign: `+8`, `-3.10 points`.
    package let isChange: Bool

    /// The id beside the name of a product, the last column of views by product, by which tables of other sources and
    /// runs can be joined.
    package static let productID = Column("product_id", .text)

    package init(_ name: String, _ kind: Kind, isChange: Bool = false) {
      self.name = name
      self.kind = kind
      self.isChange = isChange
    }
  }

  /// One value of a row.
  package enum Cell: Hashable, Sendable {
    /// Unknown; prints as nothing (JSON: `null`), never as 0.
    case missing
    /// A text, printed as it is (escaped by the renderer).
    case text(String)
    /// A whole number.
    case count(Int)
    /// An exact fraction; the denominator is never 0.
    case ratio(numerator: Int128, denominator: Int128)
    /// A statistic in floating point, such as the bound of an interval.
    case fraction(Double)
    /// An amount in milliunits: 9.99 is 9,990.
    case money(milliunits: Int128)
    /// A number of hundredths: 1.25 is 125.
    case hundredths(Int)

    /// Returns whether two values are the same; texts by their bytes.
    package static func == (left: Cell, right: Cell) -> Bool {
      switch (left, right) {
      case (.missing, .missing): true
      case (.text(let one), .text(let other)): one.isSame(as: other)
      case (.count(let one), .count(let other)): one == other
      case (.ratio(let one, let ofOne), .ratio(let other, let ofOther)):
        one == other && ofOne == ofOther
      case (.fraction(let one), .fraction(let other)): one == other
      case (.money(let one), .money(let other)): one == other
      case (.hundredths(let one), .hundredths(let other)): one == other
      default: false
      }
    }

    package func hash(into hasher: inout Hasher) {
      switch self {
      case .missing: hasher.combine(0)
      case .text(let text): hasher.combine(ExactText(text))
      case .count(let count): hasher.combine(count)
      case .ratio(let numerator, let denominator):
        hasher.combine(numerator)
        hasher.combine(denominator)
      case .fraction(let number): hasher.combine(number)
      case .money(let milliunits): hasher.combine(milliunits)
      case .hundredths(let number): hasher.combine(number)
      }
    }

    /// Returns an exact fraction, or `missing` when the denominator is 0.
    package static func rate(_ numerator: Int, of denominator: Int) -> Cell {
      guard denominator != 0 else { return .missing }
      return .ratio(numerator: Int128(numerator), denominator: Int128(denominator))
    }
  }

  /// A line above a table on a terminal, with what all its rows have in common.
  package struct Heading: Equatable, Sendable {
    /// The line, which names the unit of changes of rates, which are in points, so the cells do not.
    package let text: String
    /// The currency of all amounts; blank where a column has it, or there are none.
    package let currency: String

    package init(_ text: String, currency: String = "") {
      (self.text, self.currency) = (text, currency)
    }
  }

  /// The table's name, such as `churn`; file names begin with it.
  package let name: String
  /// The view's dimensions by name, in order; empty for the whole population.
  package let dimensions: [String]
  /// The columns, in the order they are printed.
  package let columns: [Column]
  /// The rows, sorted by their keys; each has one cell per column.
  package var rows: [[Cell]]
  /// The line above the table on a terminal; `nil` for none.
  package var heading: Heading?

  /// Creates a table with one cell per column in each row; `heading` is the line above it on a terminal.
  package init(
    name: String, dimensions: [String], columns: [Column], rows: [[Cell]], heading: Heading? = nil
  ) {
    precondition(rows.allSatisfy { $0.count == columns.count }, "a row has one cell a column")
    self.name = name
    self.dimensions = dimensions
    self.columns = columns
    self.rows = rows
    self.heading = heading
  }

  /// `churn`, or `churn-by-country-product` for a view.
  package var fileStem: String {
    dimensions.isEmpty ? name : name + "-by-" + dimensions.joined(separator: "-")
  }

  /// Returns the columns of a table and their meanings, as a table.
  package static func columns(_ columns: [Definition.Column], of name: String) -> ReportTable {
    ReportTable(
      name: name, dimensions: [], columns: [Column("column", .key), Column("meaning", .text)],
      rows: columns.map { [.text($0.column.name), .text($0.meaning)] })
  }
}

/// Selects rows by their months.
extension ReportTable {
  /// Returns the table with the rows of some months in a column; a table without months stays whole.
  package func inMonths(
    _ isKept: (Month) -> Bool, _ system: MonthSystem, in name: String = "month"
  ) -> ReportTable {
    guard let index = columns.firstIndex(where: { $0.name == name }) else { return self }
    var table = self
    table.rows = rows.filter { row in
      guard case .text(let text) = row[index] else { return false }
      return system.month(named: text).map(isKept) == true
    }
    return table
  }
}

/// Access to cells by the names of their columns, and selection of columns.
extension ReportTable {
  /// A row whose cells can be read by the names of their columns.
  package struct NamedRow: Sendable {
    fileprivate let places: [String: Int]
    fileprivate let cells: [Cell]

    /// Returns a cell; `missing` if the table lacks the column.
    package func cell(_ column: String) -> Cell { places[column].map { cells[$0] } ?? .missing }

    /// Returns the count in a column; `nil` if the cell is not a count.
    package subscript(_ column: String) -> Int? {
      if case .count(let count) = cell(column) { count } else { nil }
    }

    /// Returns the text in a column; blank if the cell is not a text.
    package func text(_ column: String) -> String {
      if case .text(let text) = cell(column) { text } else { "" }
    }

    package var source: String { text("source") }
    package var key: String { "\(source) \(text("month"))" }
  }

  /// The rows, for access by the names of the columns.
  package var namedRows: [NamedRow] {
    let places = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1.name, $0) })
    return rows.map { NamedRow(places: places, cells: $0) }
  }

  /// Returns the table with some of its columns, chosen by name, in their order.
  package func keeping(_ isKept: (String) -> Bool) -> ReportTable {
    keeping(columns.indices.filter { isKept(columns[$0].name) })
  }

  /// The table without columns that are empty in all rows; a table without rows keeps all.
  package var withoutEmptyColumns: ReportTable {
    if rows.isEmpty { return self }
    return keeping(columns.indices.filter { index in rows.contains { !$0[index].isEmpty } })
  }

  func keeping(_ places: [Int]) -> ReportTable {
    ReportTable(
      name: name, dimensions: dimensions, columns: places.map { columns[$0] },
      rows: rows.map { row in places.map { row[$0] } }, heading: heading)
  }
}

extension ReportTable.Cell {
  /// Whether the cell prints as nothing: unknown, or a key without a value, such as the currency of a rate.
  package var isEmpty: Bool { self == .missing || self == .text("") }
}

extension ReportTable.Column {
  /// Whether the column tells rows of a table apart: a key, the paid period of retention or the line of a settlement.
  package var identifies: Bool { kind == .key || ["k", "months", "step", "line"].contains(name) }
}

extension [ReportTable.Column] {
  /// Columns that identify a row besides: two changes of a price may have one day, some lines have several causes, and
  /// months before and after an increase are numbers.
  private static let identifying: Set<String> = [
    "cause", "month", "months_since", "new_price", "old_price",
  ]

  /// The places of the columns that identify a row.
  package var keyPlaces: [Int] {
    indices.filter { place in
      let column = self[place]
      // The bank's currency may become known later.
      return column.identifies && column.name != "amount_currency"
        || Self.identifying.contains(column.name)
    }
  }
}

/// The columns that pages read, so that a renamed column does not compile.
package enum ColumnName: String, CaseIterable, Sendable {
  case open, started, converted, reactivated, recovered, churned, close, unexplained
  case firstSeen = "first_seen"
  case switchedIn = "switched_in"
  case enteredRetry = "entered_retry"
  case switchedOut = "switched_out"
  case closeObserved = "close_observed"
  case activeStart = "active_start"
  case churnRate = "churn_rate"
  case due, renewed, lapsed, pending
  case renewalRate = "renewal_rate"
  case k, kept, lost, survival, low, high
  case atRisk = "at_risk"
  case trials
  case notConverted = "not_converted"
  case charges
  case refundsFull = "refunds_full"
  case refundsPartial = "refunds_partial"
  case refundedProceeds = "refunded_proceeds"
  case netProceeds = "net_proceeds"
}

extension ReportTable.NamedRow {
  /// Returns a cell; `missing` if the table lacks the column.
  package func cell(_ column: ColumnName) -> ReportTable.Cell { cell(column.rawValue) }

  /// Returns the count in a column; `nil` if it is not known.
  package subscript(_ column: ColumnName) -> Int? { self[column.rawValue] }

  /// Returns the amount in a column in milliunits; `nil` if it is not known.
  package func money(_ column: ColumnName) -> Int128? {
    if case .money(let milliunits) = cell(column) { milliunits } else { nil }
  }

  /// Returns the fraction in a column of statistics; `nil` if it is not known.
  package func fraction(_ column: ColumnName) -> Double? {
    if case .fraction(let fraction) = cell(column) { fraction } else { nil }
  }

  /// The row's currency; blank for a row without one.
  package var currency: String { text("currency") }
}
