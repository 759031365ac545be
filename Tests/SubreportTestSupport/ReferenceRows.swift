import Tables

/// Returns rows in the order of their first cells: counts as numbers, texts by their bytes.
func sortedRows(_ rows: [[ReportTable.Cell]], keys: Int) -> [[ReportTable.Cell]] {
  rows.sorted { left, right in
    for (first, second) in zip(left.prefix(keys), right) where first != second {
      if case .count(let first) = first, case .count(let second) = second {
        return first < second
      }
      if case .text(let first) = first, case .text(let second) = second {
        return Array(first.utf8).lexicographicallyPrecedes(Array(second.utf8))
      }
    }
    return false
  }
}

/// Returns the cells `low` and `high` of a share; empty where it is none.
func intervalCells(_ count: Int, of total: Int?) -> [ReportTable.Cell] {
  guard let total, total > 0, count <= total,
    let interval = Statistics.wilson(count, of: total)
  else { return [.missing, .missing] }
  return [.fraction(interval.low), .fraction(interval.high)]
}

/// What k of `retention` counts: a period that was paid at once, or a whole term.
struct ReferencePaidPeriod {
  /// What became of it.
  enum Fate {
    case kept, lost, pending
  }

  /// How long ago it ended, or its scheduled end was: negative when that is to come.
  let age: Int
  /// How old it must be so that its fate is known.
  let decidedAt: Int
  let isLost: Bool
  /// Whether it is a term that defaulted, which is pending before its scheduled end too: METRICS.md 10.4.
  var isDefaulted = false

  /// Returns what became of a chain at its paid period k; `nil` when it has none, was lost or censored
  /// before.
  static func fate(of periods: [ReferencePaidPeriod], at k: Int) -> Fate? {
    guard k <= periods.count else { return nil }
    var isCensored = false
    for period in periods.prefix(k - 1) {
      isCensored = isCensored || period.age < period.decidedAt
      if period.isLost { return nil }
    }
    let own = periods[k - 1]
    guard !isCensored, own.age >= own.decidedAt else {
      let isPending = own.isDefaulted || own.age >= 0
      return isPending && own.age < own.decidedAt ? .pending : nil
    }
    return own.isLost ? .lost : .kept
  }

  /// Returns the rows of one cohort: k, at_risk, lost, kept, survival, low, high, state.
  static func rows(
    of chains: [[ReferencePaidPeriod]], isPartial: Bool
  ) -> [[ReportTable.Cell]] {
    var rows: [[ReportTable.Cell]] = []
    var survival = 1.0
    var steps: [(atRisk: Int, lost: Int)] = []
    for k in stride(from: 1, through: chains.map(\.count).max() ?? 0, by: 1) {
      let fates = chains.compactMap { fate(of: $0, at: k) }
      let lost = fates.count { $0 == .lost }
      let atRisk = lost + fates.count { $0 == .kept }
      guard atRisk > 0 else { continue }
      survival *= 1 - Double(lost) / Double(atRisk)
      steps.append((atRisk, lost))
      let interval = Statistics.kaplanMeier(steps).last?.interval
      let state = isPartial ? "partial" : fates.contains(.pending) ? "provisional" : "final"
      rows.append([
        .count(k), .count(atRisk), .count(lost), .count(atRisk - lost), .fraction(survival),
        interval.map { .fraction($0.low) } ?? .missing,
        interval.map { .fraction($0.high) } ?? .missing, .text(state),
      ])
    }
    return rows
  }
}

/// The counts of one row of `commitments`: METRICS.md 10.5.
struct ReferenceCommitmentCounts {
  /// What became of an instalment that was due.
  enum Payment {
    case paid, recovered, defaulted, pending
  }

  var running = 0
  var suspended = 0
  var positionUnknown = 0
  var payments: [Payment] = []
  var started = 0
  var ended = 0
  var renewed = 0
  var remaining = 0
  var remainingPrice: Int128 = 0
  /// Empty for receipts.
  var remainingProceeds: Int128?
  /// Whether a term of the row is paid in another currency, or at no known price.
  var hasForeignPrice = false

  /// The counts and amounts by column, without the rate.
  var numbers: [String: Int128] {
    let count = { (payment: Payment) in Int128(payments.count { $0 == payment }) }
    return [
      "running": Int128(running), "suspended": Int128(suspended),
      "position_unknown": Int128(positionUnknown), "due": Int128(payments.count),
      "paid": count(.paid), "recovered": count(.recovered), "defaulted": count(.defaulted),
      "pending": count(.pending), "terms_started": Int128(started), "terms_ended": Int128(ended),
      "terms_renewed": Int128(renewed), "remaining": Int128(remaining),
      "remaining_price": remainingPrice, "remaining_proceeds": remainingProceeds ?? 0,
    ]
  }

  var isEmpty: Bool { running == 0 && payments.isEmpty && started == 0 && ended == 0 }
  var isPending: Bool { payments.contains(.pending) }

  /// Returns the cells after the keys.
  func cells(state: ReportTable.Cell) -> [ReportTable.Cell] {
    let count = { (payment: Payment) in payments.count { $0 == payment } }
    let due = payments.count
    return [
      .count(running), .count(suspended), .count(positionUnknown), .count(due),
      .count(count(.paid)), .count(count(.recovered)), .count(count(.defaulted)),
      .count(count(.pending)), .rate(count(.paid), of: due),
    ] + intervalCells(count(.paid), of: due) + [
      .count(started), .count(ended), .count(renewed), .count(remaining),
      hasForeignPrice ? .missing : .money(milliunits: remainingPrice),
      remainingProceeds.map { .money(milliunits: $0) } ?? .missing,
      positionUnknown > 0 ? .text("partial") : state,
    ]
  }
}
