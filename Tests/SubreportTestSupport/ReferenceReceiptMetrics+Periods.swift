import SubscriptionModel
import Tables

extension ReferenceReceiptMetrics {
  var churn: [[ReportTable.Cell]] {
    rows(months) { month, cohort in
      let own = charges.filter { $0.cohort == cohort }
      let churned = own.filter { $0.end.month == month && $0.isPaid && $0.isChurn }
      let active = active(at: lastSecond(of: month - 1)).count { $0.cohort == cohort }
      guard dimensions.isEmpty || !churned.isEmpty || active > 0 else { return nil }
      let reasons = ["voluntary", "billing", "price", "refund", "removed", "other", "unknown"]
      let provisional = churned.count { $0.fate == "provisional" }
      return [.count(active), .count(churned.count)]
        + reasons.map { reason in .count(churned.count { $0.reason == reason }) } + [
          .count(provisional), .rate(churned.count, of: active),
        ] + intervalCells(churned.count, of: active) + [
          state(month, isUndecided: provisional > 0 || endsAtAsOf(own, month))
        ]
    }
  }

  /// Whether a paid period of these ended in the month so near its as-of that it may be continued.
  private func endsAtAsOf(_ charges: [Charge], _ month: Month) -> Bool {
    charges.contains {
      $0.end.month == month && $0.isPaid && $0.fate == "current" && $0.end <= $0.asOf
    }
  }

  var renewals: [[ReportTable.Cell]] {
    rows(months) { month, cohort in
      let due = charges.filter { charge in
        charge.cohort == cohort && charge.end.month == month && charge.isPaid
          && charge.end <= charge.asOf && !charge.isUpgraded && !charge.isRefunded
          // METRICS.md 10.4: only the last instalment of a term is due.
          && (charge.instalment.map(\.isLast) ?? true)
      }
      guard !due.isEmpty else { return nil }
      let count = { (fates: [String]) in due.count { fates.contains($0.fate) } }
      let renewed = count(["renewed"])
      let pending = count(["provisional", "current"])
      return [
        .count(due.count), .count(renewed), .count(count(["recovered"])),
        .count(count(["reactivated", "final"])), .count(pending), .rate(renewed, of: due.count),
      ] + intervalCells(renewed, of: due.count) + [state(month, isUndecided: pending > 0)]
    }
  }

  var lapses: [[ReportTable.Cell]] {
    rows(months) { month, cohort in
      let own = charges.indices.filter { charges[$0].cohort == cohort }
      let lapses = own.filter {
        charges[$0].end.month == month && charges[$0].isPaid && charges[$0].isLapse
      }
      guard !lapses.isEmpty else { return nil }
      let fates = ["recovered", "reactivated", "final", "provisional"]
      let counts = fates.map { fate in lapses.count { charges[$0].fate == fate } }
      let gaps = lapses.compactMap { index in next(index).map { $0.start - charges[index].end } }
        .sorted()
      let isUndecided = counts[3] > 0 || endsAtAsOf(own.map { charges[$0] }, month)
      return ([lapses.count] + counts).map { .count($0) } + [
        nearestRank(0.5, gaps), nearestRank(0.9, gaps), state(month, isUndecided: isUndecided),
      ]
    }
  }

  private func nearestRank(_ share: Double, _ sorted: [Int]) -> ReportTable.Cell {
    guard !sorted.isEmpty else { return .missing }
    let seconds = sorted[Int((share * Double(sorted.count)).rounded(.up)) - 1]
    return .hundredths(Int((Double(seconds) / 864).rounded(.toNearestOrEven)))
  }

  var trials: [[ReportTable.Cell]] {
    rows(months) { month, cohort in
      let trials = charges.indices.filter {
        charges[$0].cohort == cohort && charges[$0].start.month == month
          && charges[$0].kind == "trial"
      }
      guard !trials.isEmpty else { return nil }
      var converted = 0
      var pending = 0
      for index in trials {
        let trial = charges[index]
        if let next = next(index) {
          if next.isPaid, next.start - trial.end <= 5_184_000 { converted += 1 }
        } else if trial.asOf - trial.end < 5_184_000 {
          pending += 1
        }
      }
      return [
        .count(trials.count), .count(converted), .count(trials.count - converted - pending),
        .count(pending), .rate(converted, of: trials.count),
      ] + intervalCells(converted, of: trials.count) + [state(month, isUndecided: pending > 0)]
    }
  }

  // MARK: Movement

  var movement: [[ReportTable.Cell]] {
    guard let first = charges.filter(\.isPaid).map(\.start.month).min() else { return [] }
    return rows(months.filter { $0 >= first }) { month, cohort in
      var flows: [String: Int] = [:]
      for index in charges.indices {
        for flow in self.flows(index, cohort) where flow.month == month {
          flows[flow.name, default: 0] += 1
        }
      }
      let arrivals = [
        "started", "first_seen", "converted", "reactivated", "recovered", "switched_in",
      ].map { flows[$0] ?? 0 }
      let leavings = ["churned", "entered_retry", "switched_out"].map { flows[$0] ?? 0 }
      let open = active(at: lastSecond(of: month - 1)).count { $0.cohort == cohort }
      let close = open + arrivals.reduce(0, +) - leavings.reduce(0, +)
      let observed = active(at: lastSecond(of: month)).count { $0.cohort == cohort }
      let numbers = [open] + arrivals + leavings + [close, observed, observed - close]
      return numbers.contains { $0 != 0 } ? numbers.map { .count($0) } : nil
    }
  }

  /// Returns how a charge came and went.
  private func flows(_ index: Int, _ cohort: [String]) -> [(name: String, month: Month)] {
    let charge = charges[index]
    var flows: [(name: String, month: Month)] = []
    if charge.isNothing { return [] }
    if charge.isPaid, charge.cohort == cohort {
      if let arrival = arrival(index) { flows.append((arrival, charge.start.month)) }
      if charge.isLapse {
        flows.append((charge.isChurn ? "churned" : "entered_retry", charge.end.month))
      }
      // A chain not seen since the end of its last period.
      if charge.fate == "current", runAsOf - charge.end > tolerance {
        flows.append(("switched_out", charge.end.month))
      }
    }
    guard charge.isPaid, ["renewed", "upgraded"].contains(charge.fate), let next = next(index)
    else { return flows }
    if !next.isPaid {
      if charge.cohort == cohort { flows.append(("switched_out", next.start.month)) }
      return flows
    }
    // METRICS.md 10.1: another plan counts as another product.
    let isOther =
      next.product != charge.product || next.plan != charge.plan || next.cohort != charge.cohort
    if isOther, charge.cohort == cohort { flows.append(("switched_out", next.start.month)) }
    if isOther, next.cohort == cohort { flows.append(("switched_in", next.start.month)) }
    return flows
  }

  /// Returns how a paid charge came to be, `nil` when it continues a paid period.
  func arrival(_ index: Int) -> String? {
    let charge = charges[index]
    let earlier = charges[charge.siblings.lowerBound..<index]
    guard let before = earlier.last(where: { !$0.isNothing }) else {
      return starts[charge.chain].isKnown ? "started" : "first_seen"
    }
    let gap = charge.start - before.end
    if gap > before.retrySeconds { return "reactivated" }
    if !before.isPaid { return "converted" }
    return gap > tolerance ? "recovered" : nil
  }
}
