import ArgumentParser
import Counting
import Rendering
import Scanning
import Tables

/// The options for the columns and rows of a printed table.
struct TableOptions: ParsableArguments {
  @Option(.sort) var sort: String?
  @Option(.top) var top: Int?
  @Option(.columns) var columns: String?
  @Flag(.noPager) var noPager = false

  /// The columns of ``columns``.
  private var columnNames: [String] {
    (columns ?? "").split(separator: ",").map { name in
      String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// The columns and rows that were asked for.
  var shape: TableShape {
    TableShape(columns: columnNames, order: sort.map(TableShape.Order.init), top: top)
  }

  func validate() throws {
    guard top.map({ $0 > 0 }) != false else {
      throw ValidationError("--top: use a whole number of at least 1")
    }
    guard columns == nil || !columnNames.isEmpty else {
      throw ValidationError("--columns: name a column, such as month,churn_rate")
    }
  }

  /// Refuses a column that none of the tables has; a terminal may have the column `trend` too.
  ///
  /// - Throws: `UsageError` with the nearest names.
  func refuseUnknownColumns(_ tables: [ReportTable], _ format: OutputFormat) throws(UsageError) {
    let names = tables.flatMap { $0.columns.map(\.name) } + (format == .table ? [Trend.column] : [])
    guard let unknown = shape.unknownColumn(in: names) else { return }
    let option = shape.columns.contains(unknown) ? "--columns" : "--sort"
    throw UsageError(
      "\(option) \(unknown): there is no such column; \(Nearest.advice(unknown, among: names))")
  }
}

/// What a single table is compared with: an earlier month, or nothing.
protocol ComparisonChoice: ParsableArguments {
  /// Which earlier month; `nil` for none.
  var earlier: ReportTable.Against? { get }
}

/// The comparison of a table without months: none.
struct NoComparison: ComparisonChoice {
  var earlier: ReportTable.Against? { nil }
}

/// The option to set numbers beside those of an earlier month.
struct AgainstOptions: ComparisonChoice {
  @Option(.against) var against: String?

  var earlier: ReportTable.Against? { against.flatMap(ReportTable.Against.init) }

  func validate() throws {
    guard let against, earlier == nil else { return }
    let words = ReportTable.Against.allCases.map(\.rawValue)
    throw ValidationError("--against \(against): \(Nearest.advice(against, among: words))")
  }
}
