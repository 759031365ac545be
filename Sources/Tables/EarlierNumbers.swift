import Counting
import SubscriptionModel

/// The numbers of earlier months with which a condition compares: METRICS.md section 11, "Conditions".
///
/// Rates that drivers explain are those of the age that the tested month has, because its lapses may still be recovered
/// and its refunds still come; other numbers are those that the table has today.
struct EarlierNumbers {
  /// Why a number has no earlier ones.
  struct Unknown: Error {
    /// Such as `2026-08 is partial`.
    let why: String

    init(_ why: String) { self.why = why }
  }

  /// The months before with which a rate is compared, and how many of them must be known.
  private static let (months, needed) = (12, 6)

  private let condition: Condition
  private let table: ReportTable
  /// The rows of the month before, by what tells them from each other.
  private let rows: [[String]: ReportTable.NamedRow]
  private let month: Month
  private let system: MonthSystem
  private let headlines: HeadlineMaker

  init(
    _ condition: Condition, _ table: ReportTable, _ month: Month, _ maker: TableMaker,
    _ system: MonthSystem
  ) {
    (self.condition, self.table, self.month, self.system) = (condition, table, month, system)
    headlines = HeadlineMaker(
      maker, tables: [condition.table: [table]], month: month, months: system, headlineSource: nil)
    let before = system.name(month - 1)
    rows = Dictionary(
      table.namedRows.filter { $0.text("month") == before }.map { (Self.key($0, table), $0) }
    ) { first, _ in first }
  }

  /// Returns what tells a row from the others of its month.
  private static func key(_ row: ReportTable.NamedRow, _ table: ReportTable) -> [String] {
    table.columns.filter { $0.kind == .key && $0.name != "month" }.map { row.text($0.name) }
  }

  /// Whether the number is a rate of all currencies and of the month of the sale, as `headlines.csv` has it.
  var isOfWhole: Bool { if case .number = condition.bound { false } else { condition.rate != nil } }

  /// Returns the rate of the tested month.
  ///
  /// - Throws: ``Unknown`` where the month is partial.
  func whole(_ source: String) throws(Unknown) -> ReportTable.Cell {
    guard let ratio = known(source, month) else {
      throw Unknown("\(system.name(month)) is partial or not known")
    }
    return ratio.cell
  }

  /// Returns the rate of a month at the age of the tested one; `nil` where it is not known or the month is partial.
  private func known(_ source: String, _ month: Month) -> TwoMonths.Ratio? {
    guard let rate = condition.rate, let source = Source(rawValue: source) else { return nil }
    return headlines.known(rate, from: source, in: month)
  }

  /// Returns the number of the month before.
  ///
  /// - Throws: ``Unknown`` where one of the two months is partial, or has no such number.
  func previous(of row: ReportTable.NamedRow) throws(Unknown) -> ReportTable.Cell {
    let before = month - 1
    var cell = ReportTable.Cell.missing
    if isOfWhole {
      cell = known(row.source, before)?.cell ?? .missing
    } else {
      if row.text("state") == Self.partial { throw Unknown("\(system.name(month)) is partial") }
      if let earlier = rows[Self.key(row, table)], earlier.text("state") != Self.partial {
        cell = earlier.cell(condition.column)
      }
    }
    guard cell != .missing else { throw Unknown("\(system.name(before)) is partial or not known") }
    return cell
  }

  /// Returns how a rate departs from those of the twelve months before; `nil` where chance can explain it.
  ///
  /// - Throws: ``Unknown`` where too few of them are known.
  func departure(
    of row: ReportTable.NamedRow, _ cell: ReportTable.Cell
  ) throws(Unknown) -> Condition.Reference? {
    guard case .ratio(let numerator, let denominator) = cell else { return nil }
    let earlier = (1...Self.months).compactMap { known(row.source, month - $0) }
      .filter(\.hasInterval)
    guard earlier.count >= Self.needed else {
      throw Unknown(
        "of the \(Self.months) months before \(earlier.count) are known and not partial; it takes \(Self.needed)"
      )
    }
    let now = TwoMonths.Ratio(numerator: Int(numerator), denominator: Int(denominator))
    guard now.hasInterval else { return nil }
    let difference = Statistics.departure(of: now, from: earlier)
    guard !difference.spansZero else { return nil }
    return .unusual(months: earlier.count, .sum(earlier), difference)
  }

  private static let partial = SourceReport.State.partial.rawValue
}
