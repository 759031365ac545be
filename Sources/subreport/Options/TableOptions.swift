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

  private var columnNames: [String] {
    (columns ?? "").split(separator: ",").map { name in
      String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// The columns and rows that were asked for.
  var shape: TableShape {
    TableShape(columns: columnNames, order: sort.flatMap { TableShape.Order($0) }, top: top)
  }

  func validate() throws {
    guard top.map({ $0 > 0 }) != false else {
      throw ValidationError("--top: use a whole number of at least 1")
    }
    guard columns == nil || !columnNames.isEmpty else {
      throw ValidationError("--columns: name a column, such as month,churn_rate")
    }
    if let sort, TableShape.Order(sort) == nil {
      throw ValidationError(Self.unknownDirection(sort))
    }
  }

  /// Returns the message for an order such as `churn_rate:dsc`.
  private static func unknownDirection(_ sort: String) -> String {
    let word = String(sort.drop { $0 != ":" }.dropFirst())
    let question = Nearest.advice(word, among: TableShape.Order.directions.keys.sorted(), limit: 0)
    return
      "--sort \(sort): the word after the colon is asc or desc\(question.isEmpty ? "" : "; ")\(question)"
  }

  /// Refuses a column that none of the tables has; a terminal may have the column `trend` too.
  func refuseUnknownColumns(_ tables: [ReportTable], _ format: OutputFormat) throws(UsageError) {
    var names: [String] = []
    let all = tables.flatMap { $0.columns.map(\.name) } + (format == .table ? [Trend.column] : [])
    for name in all where !names.contains(name) { names.append(name) }
    guard let table = tables.first, let unknown = shape.unknownColumn(in: names) else { return }
    let option = shape.columns.contains(unknown) ? "--columns" : "--sort"
    let question = Nearest.advice(unknown, among: names, limit: 0)
    throw UsageError(
      "\(option) \(unknown): \(table.name) has no such column; \(question)\(question.isEmpty ? "its" : " Its") columns are \(joined(names, by: "and"))"
    )
  }
}

/// The option to set numbers beside those of an earlier month.
struct AgainstOptions: ParsableArguments {
  @Option(.against) var against: String?

  /// Which earlier month; `nil` for none.
  var earlier: ReportTable.Against? { against.flatMap(ReportTable.Against.init) }

  func validate() throws {
    guard let against, earlier == nil else { return }
    let words = ReportTable.Against.allCases.map(\.rawValue)
    throw ValidationError("--against \(against): \(Nearest.advice(against, among: words))")
  }
}
