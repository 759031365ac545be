import AppStoreReports
import Counting
import Pipeline
import SubscriptionModel
import Tables

/// A row of the headline month for the whole population, whose cells a file of evidence explains.
struct EvidenceRow {
  /// The cells that identify the row, in the order of the table.
  let keys: [ReportTable.Cell]
  let asked: AskedRow
  /// The row in terms of a fold.
  let counted: CountedRow

  /// Finds the rows of a table's view of the whole population that are from one source, in their order.
  ///
  /// They are those of a month; in a table without months, all. In the filter, names have been replaced by ids.
  ///
  /// - Throws: ``QuestionError`` when two rows have the same keys.
  static func rows(
    of kind: TableKind, _ source: Source, in table: ReportTable, month: Month, _ result: RunResult,
    _ filter: Filter, _ registries: Registries
  ) throws(QuestionError) -> [EvidenceRow] {
    let places = keyPlaces(table)
    let monthName = result.plan.monthSystem.name(month)
    var rows: [EvidenceRow] = []
    for row in table.rows {
      var (isAsked, conditions) = (true, [String]())
      for place in places {
        let text = Self.text(row[place])
        switch table.columns[place].name {
        case "source": isAsked = isAsked && text == source.name(in: kind)
        case "month": isAsked = isAsked && text == monthName
        case let name: conditions += text.map { ["\(name)=\($0)"] } ?? []
        }
      }
      guard isAsked else { continue }
      let question = try Question(kind.rawValue, where: conditions, from: [source])
      let asked = try AskedRow(question, in: table, month: monthName)
      rows.append(
        EvidenceRow(
          keys: places.map { row[$0] }, asked: asked,
          counted: asked.countedRow(
            question, month: month, result, filter, registries)))
    }
    return rows
  }

  /// Returns the places of the columns that identify a row of a whole population.
  static func keyPlaces(_ table: ReportTable) -> [Int] {
    table.columns.indices.filter { table.columns[$0].identifies }
  }

  private static func text(_ cell: ReportTable.Cell) -> String? {
    switch cell {
    case .text(let text): text
    case .count(let count): String(count)
    default: nil
    }
  }

  /// The row in words, such as `subscribers 2026-08 USD`.
  var name: String { keys.compactMap(Self.text).joined(separator: " ") }

  /// The number of contributions to its counts.
  var size: Int {
    asked.columns.reduce(0) { $0 + ($1.measure == .count ? Int($1.expected) : 0) }
  }

  /// Returns whether one fold can find the contributions to this row and to another one.
  ///
  /// It can tell currencies of charges, refunds and instalments apart, and paid periods of retention.
  func sharesFold(with other: EvidenceRow) -> Bool {
    let areBySale = counted.isDatedBySale == other.counted.isDatedBySale
    let haveK = counted.k != nil && other.counted.k != nil
    let haveCurrency = counted.currency != nil && other.counted.currency != nil
    return areBySale && (haveK || haveCurrency) && asked.columns.allSatisfy(Self.isToldApart)
  }

  private static func isToldApart(_ column: AskedRow.Column) -> Bool {
    column.counted.allSatisfy { counted in
      switch counted {
      case .charge, .refund, .atRisk, .kept, .lost, .commitment: true
      default: false
      }
    }
  }
}

/// Some rows of a table whose contributions one fold finds: several currencies, or several paid periods of retention.
struct EvidencePass {
  /// What tells the rows apart.
  private struct Key: Hashable {
    var currency: UInt32?
    var k: Int?
  }

  let rows: [EvidenceRow]
  /// All rows in terms of a fold.
  let row: CountedRow
  /// What their columns count.
  let counted: Set<Counted>
  private let places: [Key: Int]

  /// The most contributions that the rows of a pass have, unless there is only one row.
  private static let mostContributions = 500_000

  /// Returns the passes for the rows of a table, in their order.
  static func passes(for rows: [EvidenceRow]) -> [EvidencePass] {
    var (groups, size) = ([[EvidenceRow]](), 0)
    for row in rows {
      if let last = groups.last?.last, row.sharesFold(with: last),
        size + row.size <= mostContributions
      {
        groups[groups.count - 1].append(row)
        size += row.size
      } else {
        groups.append([row])
        size = row.size
      }
    }
    return groups.map(EvidencePass.init)
  }

  /// Creates a pass for rows that can share a fold: at least one.
  private init(_ rows: [EvidenceRow]) {
    self.rows = rows
    counted = rows.reduce(into: []) { all, row in
      for column in row.asked.columns { all.formUnion(column.counted) }
    }
    var row = rows[0].counted
    if rows.count > 1 {
      row.lastK = rows[rows.count - 1].counted.k
      row.currency = nil
    }
    self.row = row
    places = Dictionary(
      rows.enumerated().map { (Key(currency: $1.counted.currency, k: $1.counted.k), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the index of the row that counts a period or a refund; `nil` if none does.
  func place(of found: CountedPeriod) -> Int? {
    // The fold finds nothing that a single row does not count.
    if rows.count == 1 { return 0 }
    return places[Key(currency: row.k == nil ? found.currency : nil, k: found.k)]
  }
}
