import Counting
import Pipeline
import SubscriptionModel
import Tables
import Threads

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
    place(found.currency, found.k)
  }

  /// Returns the index of the row that counts a period or a refund of receipts; `nil` if none does.
  func place(of found: CountedReceipt) -> Int? { place(found.currency, found.k) }

  private func place(_ currency: UInt32?, _ k: Int?) -> Int? {
    rows.count == 1 ? 0 : places[Key(currency: row.k == nil ? currency : nil, k: k)]
  }
}

/// Folds kept charges once more on one thread, and collects the contributions to some rows.
struct EvidenceFold: ~Copyable {
  private var subscribers: ExplainedSubscribers
  private let pass: EvidencePass
  private var found: [[Contribution]]

  private init(_ pass: EvidencePass, _ charges: KeptCharges) {
    subscribers = ExplainedSubscribers(pass.row, pass.counted, charges)
    self.pass = pass
    found = pass.rows.map { _ in [] }
  }

  /// Returns the contributions to the rows of a pass.
  ///
  /// - Parameters:
  ///   - pass: The rows.
  ///   - charges: The charges of the run.
  ///   - jobs: The number of threads.
  /// - Returns: A list for each row, in the order of explanations.
  static func contributions(
    _ pass: EvidencePass, _ charges: KeptCharges, jobs: Int
  ) -> [[Contribution]] {
    var parts = Workers.run(
      count: ChargeStore.partitionCount, jobs: jobs, makeState: { EvidenceFold(pass, charges) },
      work: { $0.add(charges.bins.take($1), isUsable: charges.isUsable) },
      finish: { $0.found })
    var all = parts.popLast() ?? pass.rows.map { _ in [] }
    // Free each part before the next is added.
    while let part = parts.popLast() {
      for (place, list) in part.enumerated() { all[place] += list }
    }
    for place in all.indices { all[place].sort(by: Contribution.precedes) }
    return all
  }

  private mutating func add(_ parts: [ChargeStore.Partition], isUsable: [Bool]) {
    subscribers.load(parts, isUsable: isUsable)
    while let subscriber = subscribers.next() {
      for one in subscribers.found {
        guard let place = pass.place(of: one) else { continue }
        found[place].append(Contribution(one, subscribers.history, subscriber: subscriber))
      }
    }
  }
}
