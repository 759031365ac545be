import Storage
import SubscriptionModel
import Tables

/// METRICS.md 11.1 to 11.3 for source `receipts`, to compare with.
extension ReferenceReceiptMetrics {
  // MARK: Monthly values

  /// The monthly value of a charge in milliunits; 0 without a price.
  func value(_ charge: Charge) -> Int {
    let (months, days) = term(charge)
    let price = Int(charge.price ?? 0)
    return months > 0
      ? halfUp(price, by: months) : halfUp(price * 1_461, by: 48 * days)
  }

  func halfUp(_ sum: Int, by divisor: Int) -> Int {
    let doubled = 2 * sum + divisor
    let quotient = doubled / (2 * divisor)
    return doubled < 0 && doubled % (2 * divisor) != 0 ? quotient - 1 : quotient
  }

  func term(_ charge: Charge) -> (months: Int, days: Int) {
    if charge.instalment != nil { return (1, 0) }
    let own = span(charge)
    guard charge.kind == "standard" || charge.isPayAsYouGo else { return own }
    let spans = charges.filter {
      $0.isPaid && $0.kind == "standard" && $0.instalment == nil && $0.product == charge.product
    }.map { span($0) }
    // Of equally frequent ones the longer.
    let days = { (span: (months: Int, days: Int)) in
      Double(span.months) * 30.4375 + Double(span.days)
    }
    let best = spans.max { left, right in
      let counts = (spans.count { $0 == left }, spans.count { $0 == right })
      return counts.0 == counts.1 ? days(left) < days(right) : counts.0 < counts.1
    }
    return best ?? own
  }

  private func span(_ charge: Charge) -> (months: Int, days: Int) {
    guard let expires = charge.expires else { return (0, 1) }
    for months in 1...36 {
      let end = ReferenceCalendar.end(of: Term(months: Int16(months)), from: charge.start.day)
      let later = charge.start + (end - charge.start.day) * 86_400
      if abs(later - expires) <= 86_400 { return (months, 0) }
    }
    return (0, max(1, (expires - charge.start + 43_200) / 86_400))
  }

  // MARK: Recurring revenue

  /// The rows of `recurring`.
  var recurring: [[ReportTable.Cell]] {
    var rows: [[ReportTable.Cell]] = []
    for cohort in cohorts {
      for currency in Set(charges.map(\.currency)) {
        for month in months {
          guard let cells = recurring(month, cohort, currency) else { continue }
          let keys = ["receipts", "price", "\(month)"] + cohort + [symbols[Int(currency)]]
          rows.append(keys.map { .text($0) } + cells)
        }
      }
    }
    return sortedRows(rows, keys: 4 + dimensions.count)
  }

  private func recurring(
    _ month: Month, _ cohort: [String], _ currency: Symbol
  ) -> [ReportTable.Cell]? {
    let isOfRow = { (charge: Charge) in charge.cohort == cohort && charge.currency == currency }
    let before = active(at: lastSecond(of: month - 1)).filter(isOfRow)
    let now = active(at: lastSecond(of: month)).filter(isOfRow)
    let (open, mrr) = (before.reduce(0) { $0 + value($1) }, now.reduce(0) { $0 + value($1) })
    var flows: [String: Int] = [:]
    for index in charges.indices where charges[index].isPaid && !charges[index].isNothing {
      let old = charges[index]
      if isOfRow(old) {
        if old.start.month == month, let arrival = arrival(index) {
          let name = ["started": "new", "converted": "new"][arrival] ?? arrival
          flows[name, default: 0] += value(old)
        }
        if old.end.month == month, old.isLapse {
          flows[old.isChurn ? "churned" : "entered_retry", default: 0] += value(old)
        }
        if old.end.month == month, old.fate == "current", runAsOf - old.end > tolerance {
          flows["switched_out", default: 0] += value(old)
        }
      }
      guard ["renewed", "upgraded"].contains(old.fate), let new = next(index),
        new.start.month == month
      else { continue }
      guard new.isPaid, old.currency == new.currency else {
        if isOfRow(old) { flows["switched_out", default: 0] += value(old) }
        if new.isPaid, isOfRow(new) { flows["switched_in", default: 0] += value(new) }
        continue
      }
      if old.cohort != new.cohort {
        if isOfRow(old) { flows["switched_out", default: 0] += value(old) }
        if isOfRow(new) { flows["switched_in", default: 0] += value(old) }
      }
      guard isOfRow(new) else { continue }
      let cause =
        old.product != new.product || old.plan != new.plan
        ? "product" : old.kind != new.kind ? "offer" : "price"
      let change = value(new) - value(old)
      flows["\(change > 0 ? "expansion" : "contraction")_\(cause)", default: 0] += abs(change)
    }
    let names = [
      "new", "first_seen", "reactivated", "recovered", "expansion_product", "expansion_offer",
      "expansion_price", "switched_in", "contraction_product", "contraction_offer",
      "contraction_price", "churned", "entered_retry", "switched_out",
    ]
    let amounts = names.map { flows[$0] ?? 0 }
    let state = churnState(month, cohort)
    if currency == .blank {
      guard !now.isEmpty else { return nil }
      return [.count(now.count)] + Array(repeating: .missing, count: 20) + [state]
    }
    guard !now.isEmpty || open != 0 || amounts.contains(where: { $0 != 0 }) else { return nil }
    let money = { (sum: Int) in ReportTable.Cell.money(milliunits: Int128(sum)) }
    let rate = { (sum: Int) in
      open != 0
        ? ReportTable.Cell.ratio(numerator: Int128(sum), denominator: Int128(open)) : .missing
    }
    let lost = amounts[8] + amounts[9] + amounts[10] + amounts[11]
    let gained = amounts[2] + amounts[4] + amounts[5] + amounts[6]
    return [.count(now.count), money(open)] + amounts.map(money) + [
      money(mrr), money(12 * mrr),
      now.isEmpty ? .missing : money(halfUp(mrr, by: now.count)), rate(lost), rate(lost - gained),
      state,
    ]
  }

  func churnState(_ month: Month, _ cohort: [String]) -> ReportTable.Cell {
    let own = charges.filter { $0.cohort == cohort && $0.end.month == month && $0.isPaid }
    return state(
      month,
      isUndecided: own.contains {
        $0.fate == "provisional" || $0.fate == "current" && $0.end <= $0.asOf
      })
  }

  // MARK: Lifetime value

  /// The rows of `lifetime`.
  var lifetime: [[ReportTable.Cell]] {
    guard !dimensions.contains(.startMonth) else { return [] }
    let firsts = Set(charges.map(\.siblings.lowerBound)).map { charges[$0] }
      .filter { starts[$0.chain].isKnown }
    var rows: [[ReportTable.Cell]] = []
    for cohort in Set(firsts.map(\.cohort)) {
      for currency in Set(firsts.map(\.currency)) {
        let own = firsts.filter { $0.cohort == cohort && $0.currency == currency }
        var finals: [Int: [Charge]] = [:]
        let keys = { (start: String) in
          ["receipts", "price", start] + cohort + [symbols[Int(currency)]]
        }
        for start in Set(own.map(\.start.month)) {
          let begun = own.filter { $0.start.month == start }
          for months in Array(0...24) + [36, 48]
          where (runAsOf + 1).day >= windowEnd(start.lastDay, months) {
            let isPartial = begun.contains {
              ($0.asOf + 1).day < windowEnd($0.start.day, months)
            }
            if !isPartial { finals[months, default: []] += begun }
            rows.append(
              keys(start.description).map { .text($0) }
                + lifetime(months, begun, isPartial: isPartial))
          }
        }
        for (months, begun) in finals {
          rows.append(keys("all").map { .text($0) } + lifetime(months, begun, isPartial: false))
        }
      }
    }
    return sortedRows(rows, keys: 5 + dimensions.count)
  }

  private func windowEnd(_ start: Day, _ months: Int) -> Day {
    months == 0
      ? start + 1 : ReferenceCalendar.end(of: Term(months: Int16(months)), from: start) - 2
  }

  private func lifetime(
    _ months: Int, _ begun: [Charge], isPartial: Bool
  ) -> [ReportTable.Cell] {
    var (paying, count, gross, back) = (0, 0, 0, 0)
    for first in begun {
      let end = windowEnd(first.start.day, months)
      let all = charges[first.siblings].filter(\.isPaid)
      let paid = all.filter { $0.start.day < end }
      if !paid.isEmpty { paying += 1 }
      let own = paid.filter { $0.currency == first.currency }
      count += own.count
      gross += own.reduce(0) { $0 + Int($1.price ?? 0) }
      back += all.filter {
        $0.isRefunded && $0.currency == first.currency && ($0.refundedAt?.day ?? end) < end
      }.reduce(0) { $0 + Int(refunded($1)) }
    }
    let hasMoney = begun.first?.currency != .blank
    let money = { (sum: Int) -> ReportTable.Cell in
      hasMoney ? .money(milliunits: Int128(sum)) : .missing
    }
    let net = gross - back
    return [
      .count(months), .count(begun.count), .count(paying), .count(count), money(gross),
      money(back), money(net), money(halfUp(net, by: begun.count)),
      .text(isPartial ? "partial" : "final"),
    ]
  }
}
