import Counting
package import SubscriptionModel

/// The definition of a table, the only source of its wording and columns.
///
/// The columns of every file, `subreport metrics`, METRICS.md and the sentences of `summary.md` are made from
/// definitions.
package struct Definition: Sendable {
  /// A column: its name, its kind, its meaning, what its cells are made of, and how much it matters.
  package struct Column: Sendable {
    /// The column's name and kind.
    package let column: ReportTable.Column
    /// What the column holds, as one sentence.
    package let meaning: String
    /// Its place among the columns that matter most, from 1; `nil` for any other column.
    var rank: Int?
    fileprivate var makeup: ColumnMakeup?
    /// What `events` have in place of it, if they count it in another way.
    fileprivate var makeupInEvents: ColumnMakeup?
    /// The sources that fill it.
    fileprivate var sources: [Source] = []
    /// The meaning on a page with chains alone, or with events alone, if it differs.
    fileprivate var meaningInChains: String?
    fileprivate var meaningInEvents: String?

    package init(
      _ name: String, _ kind: ReportTable.Column.Kind, _ meaning: String, isChange: Bool = false
    ) {
      column = ReportTable.Column(name, kind, isChange: isChange)
      self.meaning = meaning
    }
  }

  /// The table's name.
  package let table: TableKind
  /// A heading for people.
  package let title: String
  /// The sentence that defines the table's main number.
  package let sentence: String
  /// The limits of the number, to read before comparing it with another system's.
  package let caveat: String
  /// The sources from which the table can be made.
  package let sources: [Source]
  /// The names of those sources.
  package var sourceNames: [String] {
    sources.flatMap { source -> [String] in
      let name = source.name(in: table)
      return table == .definitions && name != source.rawValue ? [source.rawValue, name] : [name]
    }
  }
  /// What one row stands for, such as `month × cohort`.
  package let rowIs: String
  /// The names of the keys before (`leading`) and after (`trailing`) the view's dimensions.
  package let keys: (leading: [String], trailing: [String])
  /// The columns that say how large a row is, such as `active_start`; the first that a source has counts.
  let sizes: [String]
  /// The columns after the keys.
  package let columns: [Column]

  /// Returns all columns of one view: keys, dimensions and the columns of the catalogue, in order; of products also
  /// their ids.
  package func columns(for dimensions: [Dimension]) -> [ReportTable.Column] {
    let names = keys.leading + dimensions.map(\.rawValue) + keys.trailing
    let ids = dimensions.contains(.product) ? [ReportTable.Column.productID] : []
    return names.map { ReportTable.Column($0, .key) } + columns.map(\.column) + ids
  }

  /// Returns the cells of rows in order, one for each of ``columns(for:)``.
  func cells(
    of rows: consuming [KeyedRow], by dimensions: [Dimension], _ names: Names
  ) -> [[ReportTable.Cell]] {
    var cells = KeyedRow.cellsInOrder(of: rows)
    guard let place = dimensions.firstIndex(of: .product) else { return cells }
    for row in cells.indices {
      guard case .text(let name) = cells[row][keys.leading.count + place] else { continue }
      cells[row].append(.text(names.productID(ofPrinted: name)))
    }
    return cells
  }

  /// Returns the formula with which the meaning of a column begins, such as `mrr / active`; `nil` for another meaning.
  package static func formula(of column: String, in table: TableKind) -> String? {
    let meaning = definition(of: table).columns.first { $0.column.name == column }?.meaning ?? ""
    guard meaning.hasPrefix("`") else { return nil }
    return String(meaning.dropFirst().prefix { $0 != "`" })
  }
}

/// The tables of METRICS.md section 5, in the order reports list them.
package enum TableKind: String, CaseIterable, Sendable {
  case churn, renewals, lapses, refunds, retention, movement, proceeds, trials
  /// Instalments, METRICS.md section 10; only written if there are any.
  case commitments
  /// Monthly recurring revenue, METRICS.md section 11.
  case recurring
  /// What a started subscription has brought, METRICS.md section 11.
  case lifetime
  /// Who is paid, free, in grace or in retry at the end of a month, METRICS.md section 11.
  case status
  /// The numbers as other tools define them, METRICS.md section 11.
  case definitions
}

extension Definition.Column {
  /// Returns what its cells are made of in the rows of a source; `nil` for none, and for keys and states.
  package func makeup(from source: Source) -> ColumnMakeup? {
    let own = source == .events ? makeupInEvents ?? makeup : makeup
    guard sources.contains(source), let own else { return nil }
    return source.hasProceeds || !own.needsProceeds ? own : nil
  }

  /// Returns the column with its meaning on a page that shows one source.
  func onPage(of source: Source) -> Self {
    let own = source == .events ? meaningInEvents : meaningInChains
    return own.map { Self(column.name, column.kind, $0) } ?? self
  }

  package static func key(_ name: String, _ meaning: String) -> Self { Self(name, .key, meaning) }
  package static func text(_ name: String, _ meaning: String) -> Self { Self(name, .text, meaning) }
  package static func count(_ name: String, _ meaning: String) -> Self {
    Self(name, .count, meaning)
  }
  package static func rate(_ name: String, _ meaning: String) -> Self { Self(name, .rate, meaning) }
  package static func money(_ name: String, _ meaning: String) -> Self {
    Self(name, .money, meaning)
  }

  /// A column of counts, with its place among the columns that matter most (`rank`, from 1).
  ///
  /// `makeup` is `nil` for a key; that of `events` may differ, as may the meaning on a page of one source that follows
  /// chains, or of `events`.
  static func count(
    _ name: String, _ makeup: ColumnMakeup?, ofEvents: ColumnMakeup? = nil,
    from sources: [Source] = Source.allCases, rank: Int? = nil, _ meaning: String,
    inChains: String? = nil, inEvents: String? = nil
  ) -> Self {
    var column = made(name, .count, makeup, from: sources, rank: rank, meaning)
    column.makeupInEvents = ofEvents
    (column.meaningInChains, column.meaningInEvents) = (inChains, inEvents)
    return column
  }

  static func rate(
    _ name: String, _ makeup: ColumnMakeup, from sources: [Source] = Source.allCases,
    rank: Int? = nil, _ meaning: String
  ) -> Self { made(name, .rate, makeup, from: sources, rank: rank, meaning) }

  static func money(
    _ name: String, _ makeup: ColumnMakeup, rank: Int? = nil, _ meaning: String
  ) -> Self { made(name, .money, makeup, rank: rank, meaning) }

  static func number(_ name: String, _ makeup: ColumnMakeup, _ meaning: String) -> Self {
    made(name, .number, makeup, meaning)
  }

  private static func made(
    _ name: String, _ kind: ReportTable.Column.Kind, _ makeup: ColumnMakeup?,
    from sources: [Source] = Source.allCases, rank: Int? = nil, _ meaning: String
  ) -> Self {
    var column = Self(name, kind, meaning)
    (column.makeup, column.sources, column.rank) = (makeup, sources, rank)
    return column
  }
}

/// Columns that several tables have.
extension Definition {
  /// The sources that follow chains of charges.
  static let ofChains = Source.allCases.filter(\.isOfChains)
  static let failedPayment = "Payment failed; the outcome is counted when it comes."
  static let canceledAtEnd = "`Cancel` events at the end of a paid period."

  /// Returns a rate with its 95 % Wilson interval, `low` and `high`.
  ///
  /// In the rank the interval follows the rate, or has one of its own where amounts of money come before it.
  static func rate(
    _ name: String, _ numerator: String, of denominator: String,
    from sources: [Source] = Source.allCases, rank: Int = 1, intervalRank: Int? = nil
  ) -> [Column] {
    let afterRate = intervalRank ?? rank + 1
    return [
      .rate(
        name, .ratio(numerator, of: denominator), from: sources, rank: rank,
        "`\(numerator) / \(denominator)`."),
      .rate(
        "low", .bound(numerator, of: denominator, isHigh: false), from: sources, rank: afterRate,
        "Lower bound of the 95 % Wilson interval of the rate."),
      .rate(
        "high", .bound(numerator, of: denominator, isHigh: true), from: sources,
        rank: afterRate + 1,
        "Upper bound of the 95 % Wilson interval of the rate."),
    ]
  }

  static func state(rank: Int? = nil) -> Column {
    var column = Column.text(
      "state",
      "`final`; `provisional` while the number can still change; `partial` when days of its data are missing or subscriptions older than the data may not have been seen yet."
    )
    column.rank = rank
    return column
  }
}

/// The parts of definitions whose wording depends on the sources of a report.
struct SourceWording {
  private let hasReceipts: Bool
  private let hasReports: Bool
  private let hasEvents: Bool
  /// Whether all numbers come from `events`, which count what Apple reports and know no charges.
  let isOfEventsAlone: Bool

  init(sources: Set<Source>) {
    hasReceipts = sources.contains(.receipts)
    hasReports = sources != [.receipts]
    hasEvents = sources.contains(.events)
    isOfEventsAlone = sources == [.events]
  }

  /// The longest gap that does not interrupt a subscription.
  var tolerance: String { pick("2 days", receipts: "1 hour or, in the sandbox, 1 minute") }

  /// The time at which the subscriptions active at the start of a month are counted.
  var monthStart: String {
    pick("on the last day before the month", receipts: "in the last second before the month")
  }

  /// The end of the data on a subscription.
  var endOfData: String {
    pick("the end of the data", receipts: "the newest record of the subscription")
  }

  /// The beginning of the data on a subscription.
  var startOfData: String { pick("the first file", receipts: "the first purchase in the records") }

  private func pick(_ reports: String, receipts: String) -> String {
    if !hasReceipts { return reports }
    return hasReports ? "\(reports) (`receipts`: \(receipts))" : receipts
  }

  /// Returns the text for all sources, followed by the texts for the sources of the report.
  func text(
    _ all: String = "", reports: String = "", receipts: String = "", events: String = ""
  ) -> String {
    [all, hasReports ? reports : "", hasReceipts ? receipts : "", hasEvents ? events : ""]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }
}
