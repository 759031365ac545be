import Counting
import Pipeline
import Storage
import SubscriptionModel
import Tables

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
