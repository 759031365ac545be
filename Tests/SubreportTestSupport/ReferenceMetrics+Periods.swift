import SubscriptionModel
import Tables

extension ReferenceMetrics {
  var churn: [[ReportTable.Cell]] {
    rows(monthsToAsOf) { month, charges, cohort in
      let churned = charges.filter { $0.endMonth == month && $0.isPaid && $0.isChurn }
      let refunded = churned.count { $0.period.ending == .refunded }
      let provisional = churned.count { $0.period.fate == .openProvisional }
      let isKnown =
        month > monthSystem.month(of: firstFileDay) && !isAfterMonthWithoutFiles(month)
      let active =
        isKnown ? charges.count { $0.isActive(on: monthSystem.firstDay(of: month) - 1) } : nil
      guard !churned.isEmpty || (active ?? 0) > 0 else { return nil }
      let month1 = monthSystem.firstDay(of: month)
      let isAtEdge = charges.filter { $0.chain.start == .before }.contains { charge in
        let first = charge.chain.receivedOn ?? firstFileDay
        let isLater = charge.chain.receivedOn.map { month1 > $0 } ?? true
        return isLater && month1 < ReferenceCalendar.end(of: charge.standardTerm, from: first)
      }
      let isUndecided = provisional > 0 || endsAtAsOf(charges, month)
      return [
        active.map { .count($0) } ?? .missing, .count(churned.count), .missing, .missing, .missing,
        .count(refunded), .missing, .missing, .count(churned.count - refunded),
        .count(provisional), active.map { .rate(churned.count, of: $0) } ?? .missing,
      ] + intervalCells(churned.count, of: active) + [
        state(
          month, isUndecided: isUndecided,
          isAtEdge: isAtEdge || isNearTransfer(month, charges))
      ]
    }
  }

  var renewals: [[ReportTable.Cell]] {
    rows(monthsToAsOf) { month, charges, _ in
      let due = charges.filter { charge in
        charge.endMonth == month && charge.isPaid && charge.period.end <= asOf
          && ![.changedProduct, .boughtAgainSameDay, .refunded, .transferred]
            .contains(charge.period.ending)
          // METRICS.md 10.4: only the last instalment of a term is due.
          && (!charge.isInstalment || charge.period.instalment?.number == 12)
      }
      guard !due.isEmpty else { return nil }
      let count = { (fates: [Period.Fate]) in due.count { fates.contains($0.period.fate) } }
      let renewed = count([.continued])
      let pending = count([.openProvisional, .running])
      return [
        .count(due.count), .count(renewed), .count(count([.recovered])),
        .count(count([.reactivated, .openFinal])), .count(pending), .rate(renewed, of: due.count),
      ] + intervalCells(renewed, of: due.count) + [
        state(month, isUndecided: pending > 0, isAtEdge: isNearTransfer(month, charges))
      ]
    }
  }

  var lapses: [[ReportTable.Cell]] {
    rows(monthsToAsOf) { month, charges, _ in
      let lapses = charges.filter { $0.endMonth == month && $0.isPaid && $0.isLapse }
      guard !lapses.isEmpty else { return nil }
      let fates: [Period.Fate] = [.recovered, .reactivated, .openFinal, .openProvisional]
      let counts = fates.map { fate in lapses.count { $0.period.fate == fate } }
      let gaps = lapses.compactMap { lapse in
        lapse.period.nextStart.map { $0 - lapse.period.end }
      }.sorted()
      let isUndecided = counts[3] > 0 || endsAtAsOf(charges, month)
      return ([lapses.count] + counts).map { .count($0) } + [
        nearestRank(0.5, gaps), nearestRank(0.9, gaps),
        state(month, isUndecided: isUndecided, isAtEdge: isNearTransfer(month, charges)),
      ]
    }
  }

  private func nearestRank(_ share: Double, _ sorted: [Int]) -> ReportTable.Cell {
    guard !sorted.isEmpty else { return .missing }
    return .count(sorted[Int((share * Double(sorted.count)).rounded(.up)) - 1])
  }

  var trials: [[ReportTable.Cell]] {
    rows(monthsToAsOf) { month, charges, _ in
      let trials = charges.filter { $0.startMonth == month && $0.terms.kind == .trial }
      guard !trials.isEmpty else { return nil }
      var converted = 0
      var pending = 0
      for trial in trials {
        if trial.indexInChain + 1 < trial.chainCharges.count {
          let next = self.charges[trial.chainCharges.lowerBound + trial.indexInChain + 1]
          if next.isPaid, next.period.start - trial.period.end <= 60 { converted += 1 }
        } else if asOf - trial.period.end < 60 || trial.period.ending == .transferred {
          pending += 1
        }
      }
      return [
        .count(trials.count), .count(converted), .count(trials.count - converted - pending),
        .count(pending), .rate(converted, of: trials.count),
      ] + intervalCells(converted, of: trials.count) + [
        state(month, isUndecided: pending > 0, isAtEdge: isNearTransfer(month, charges))
      ]
    }
  }

  var movement: [[ReportTable.Cell]] {
    let firstPaid =
      charges.filter(\.isPaid).map(\.startMonth).min() ?? monthSystem.month(of: firstFileDay)
    let months = monthsToAsOf.filter { $0 >= min(firstPaid, monthSystem.month(of: firstFileDay)) }
    return rows(months) { month, own, cohort in
      var flows: [String: Int] = [:]
      for charge in own where charge.isPaid {
        if charge.startMonth == month, let arrival = arrival(of: charge) {
          flows[arrival, default: 0] += 1
        }
        if charge.endMonth == month, charge.isLapse {
          flows[charge.isChurn ? "churned" : "entered_retry", default: 0] += 1
        }
        if charge.endMonth == month, charge.period.ending == .transferred {
          flows["switched_out", default: 0] += 1
        }
      }
      for charge in charges where charge.nextMonth == month {
        let (isOut, isIn) = switches(charge, cohort)
        if isOut { flows["switched_out", default: 0] += 1 }
        if isIn { flows["switched_in", default: 0] += 1 }
      }
      let arrivals = [
        "started", "first_seen", "converted", "reactivated", "recovered", "switched_in",
      ].map { flows[$0] ?? 0 }
      let leavings = ["churned", "entered_retry", "switched_out"].map { flows[$0] ?? 0 }
      let open = own.count { $0.isActive(on: monthSystem.firstDay(of: month) - 1) }
      let close = open + arrivals.reduce(0, +) - leavings.reduce(0, +)
      let observed = own.count { $0.isActive(on: monthSystem.lastDay(of: month)) }
      let flowCells = (arrivals + leavings).map { ReportTable.Cell.count($0) }
      if isAfterMonthWithoutFiles(month) {
        // At the end of a month without files nobody has been counted either.
        let numbers = arrivals + leavings + (isWithFiles(month) ? [observed] : [])
        return numbers.contains { $0 != 0 }
          ? [.missing] + flowCells + [.missing, .count(observed), .missing] : nil
      }
      let numbers = [open] + arrivals + leavings + [close, observed, observed - close]
      return numbers.contains { $0 != 0 } ? numbers.map { .count($0) } : nil
    }
  }

  /// Returns how a paid charge came to be, `nil` when it continues a paid period.
  func arrival(of charge: Charge) -> String? {
    guard !charge.isFirst else {
      return switch charge.chain.start {
      case .known: "started"
      case .before: "first_seen"
      case .idReset: "reactivated"
      }
    }
    let before = charges[charge.chainCharges.lowerBound + charge.indexInChain - 1]
    let gap = charge.period.start - before.period.end
    if gap > before.retryDays { return "reactivated" }
    if !before.isPaid { return "converted" }
    return gap > 2 ? "recovered" : nil
  }

  func switches(_ charge: Charge, _ cohort: [String]) -> (isOut: Bool, isIn: Bool) {
    guard charge.isPaid, charge.period.fate == .continued else { return (false, false) }
    let next = charges[charge.chainCharges.lowerBound + charge.indexInChain + 1]
    guard next.isPaid else { return (charge.cohort == cohort, false) }
    let isOther =
      next.terms.attributes.product != charge.terms.attributes.product
      // METRICS.md 10.1: another plan counts as another product.
      || next.terms.plan != charge.terms.plan
      || next.cohort != charge.cohort
    return (isOther && charge.cohort == cohort, isOther && next.cohort == cohort)
  }
}
