import Storage
import SubscriptionModel
import Tables

/// METRICS.md 11, to compare with: every row asks its questions of every charge again.
extension ReferenceMetrics {
  /// The two bases of money, each with the amount of a charge.
  private static let bases: [(name: String, amount: @Sendable (ChargeTerms) -> Amount)] = [
    ("price", { $0.price }), ("proceeds", { $0.proceeds }),
  ]

  // MARK: Recurring revenue

  /// The rows of `recurring`.
  var recurring: [[ReportTable.Cell]] {
    var rows: [[ReportTable.Cell]] = []
    for (basis, amount) in Self.bases {
      let currencies = Set(charges.map { amount($0.terms).currency })
      for cohort in cohorts {
        for currency in currencies {
          for month in monthsToAsOf {
            guard let cells = recurring(month, cohort, currency, amount) else { continue }
            let keys = ["subscribers", basis, written(month)] + cohort + [symbols[Int(currency)]]
            rows.append(keys.map { .text($0) } + known(cells, month))
          }
        }
      }
    }
    return sortedRows(rows, keys: 4 + dimensions.count)
  }

  private func recurring(
    _ month: Month, _ cohort: [String], _ currency: Symbol,
    _ amount: @escaping (ChargeTerms) -> Amount
  ) -> [ReportTable.Cell]? {
    let value = { (charge: Charge) in monthlyValue(charge, amount(charge.terms).milliunits) }
    let isOfRow = { (charge: Charge) in
      charge.cohort == cohort && amount(charge.terms).currency == currency
    }
    let own = charges.filter(isOfRow)
    let active = { (day: Day) in own.filter { $0.isActive(on: day) } }
    let (before, now) = (
      active(monthSystem.firstDay(of: month) - 1), active(monthSystem.lastDay(of: month))
    )
    let open = before.reduce(0) { $0 + value($1) }
    let mrr = now.reduce(0) { $0 + value($1) }
    var flows: [String: Int] = [:]
    for charge in own where charge.isPaid {
      if charge.startMonth == month, let arrival = arrival(of: charge) {
        let name = ["started": "new", "converted": "new"][arrival] ?? arrival
        flows[name, default: 0] += value(charge)
      }
      guard charge.endMonth == month else { continue }
      if charge.isLapse {
        flows[charge.isChurn ? "churned" : "entered_retry", default: 0] += value(charge)
      } else if charge.period.ending == .transferred {
        flows["switched_out", default: 0] += value(charge)
      }
    }
    for old in charges
    where old.isPaid && old.period.fate == .continued && old.nextMonth == month {
      let new = charges[old.chainCharges.lowerBound + old.indexInChain + 1]
      guard new.isPaid, amount(old.terms).currency == amount(new.terms).currency else {
        // To a free charge or to another currency.
        if isOfRow(old) { flows["switched_out", default: 0] += value(old) }
        if new.isPaid, isOfRow(new) { flows["switched_in", default: 0] += value(new) }
        continue
      }
      if old.cohort != new.cohort {
        if isOfRow(old) { flows["switched_out", default: 0] += value(old) }
        if isOfRow(new) { flows["switched_in", default: 0] += value(old) }
      }
      guard isOfRow(new) else { continue }
      let isOtherProduct =
        old.terms.attributes.product != new.terms.attributes.product
        || old.terms.plan != new.terms.plan
      let cause =
        isOtherProduct ? "product" : old.terms.kind != new.terms.kind ? "offer" : "price"
      let change = value(new) - value(old)
      flows["\(change > 0 ? "expansion" : "contraction")_\(cause)", default: 0] += abs(change)
    }
    let names = [
      "new", "first_seen", "reactivated", "recovered", "expansion_product", "expansion_offer",
      "expansion_price", "switched_in", "contraction_product", "contraction_offer",
      "contraction_price", "churned", "entered_retry", "switched_out",
    ]
    let amounts = names.map { flows[$0] ?? 0 }
    guard !now.isEmpty || open != 0 || amounts.contains(where: { $0 != 0 }) else { return nil }
    let money = { (sum: Int) in ReportTable.Cell.money(milliunits: Int128(sum)) }
    let isAfterNothing = isAfterMonthWithoutFiles(month)
    let hasRates =
      month > monthSystem.month(of: firstFileDay) && !isAfterNothing && open != 0
    let contractions = amounts[8] + amounts[9] + amounts[10]
    let lost = amounts[11] + contractions
    let gained = amounts[4] + amounts[5] + amounts[6] + amounts[2]
    let rate = { (sum: Int) in
      hasRates
        ? ReportTable.Cell.ratio(numerator: Int128(sum), denominator: Int128(open)) : .missing
    }
    return [.count(now.count), isAfterNothing ? .missing : money(open)] + amounts.map(money) + [
      money(mrr), money(12 * mrr),
      now.isEmpty ? .missing : money(halfUp(mrr, by: now.count)), rate(lost), rate(lost - gained),
      churnState(month, cohort),
    ]
  }

  /// METRICS.md 11.1: the amount times the factor of the term, half up.
  func monthlyValue(_ charge: Charge, _ amount: Int64) -> Int {
    let term = valueTerm(charge)
    return term.months > 0
      ? halfUp(Int(amount), by: Int(term.months))
      : halfUp(Int(amount) * 1_461, by: 48 * Int(term.days))
  }

  /// The term that a charge pays for.
  func valueTerm(_ charge: Charge) -> Term {
    let terms = charge.terms
    if terms.offerMode == .payUpFront, let offer = terms.offerTerm { return offer }
    return charge.isInstalment ? Term(months: 1) : terms.standardTerm
  }

  func halfUp(_ sum: Int, by divisor: Int) -> Int {
    let doubled = 2 * sum + divisor
    let quotient = doubled / (2 * divisor)
    return doubled < 0 && doubled % (2 * divisor) != 0 ? quotient - 1 : quotient
  }

  /// The state of churn's row for the month and cohort.
  func churnState(_ month: Month, _ cohort: [String]) -> ReportTable.Cell {
    let own = charges.filter { $0.cohort == cohort }
    let first = monthSystem.firstDay(of: month)
    let isAtEdge = own.filter { $0.chain.start == .before }.contains { charge in
      let start = charge.chain.receivedOn ?? firstFileDay
      let isLater = charge.chain.receivedOn.map { first > $0 } ?? true
      return isLater && first < ReferenceCalendar.end(of: charge.standardTerm, from: start)
    }
    let isProvisional = own.contains {
      $0.endMonth == month && $0.isPaid && $0.period.fate == .openProvisional
    }
    return state(
      month, isUndecided: isProvisional || endsAtAsOf(own, month),
      isAtEdge: isAtEdge || isNearTransfer(month, own))
  }

  // MARK: Lifetime value

  /// The rows of `lifetime`.
  var lifetime: [[ReportTable.Cell]] {
    guard !dimensions.contains(.startMonth) else { return [] }
    var rows: [[ReportTable.Cell]] = []
    for (basis, amount) in Self.bases {
      let firsts = charges.filter { $0.isFirst && $0.chain.start == .known }
      for cohort in Set(firsts.map(\.cohort)) {
        for currency in Set(firsts.map { amount($0.terms).currency }) {
          let own = firsts.filter { $0.cohort == cohort && amount($0.terms).currency == currency }
          var finals: [Int: [Charge]] = [:]
          for start in Set(own.map(\.period.start.month)) {
            let begun = own.filter { $0.period.start.month == start }
            for months in Array(0...24) + [36, 48] {
              let end = windowEnd(start.lastDay, months)
              guard end - 1 <= asOf else { continue }
              let isPartial =
                start.lastDay < firstFileDay
                || missingDays.contains { start.firstDay <= $0 && $0 < end }
                || charges.contains {
                  $0.isFirst && $0.chain.start == .before && $0.period.start.month == start
                    && $0.cohort == cohort && amount($0.terms).currency == currency
                }
              if !isPartial { finals[months, default: []] += begun }
              rows.append(
                lifetime(
                  [basis, start.description] + cohort + [symbols[Int(currency)]], months, begun,
                  isPartial: isPartial, amount))
            }
          }
          for (months, begun) in finals {
            rows.append(
              lifetime(
                [basis, "all"] + cohort + [symbols[Int(currency)]], months, begun,
                isPartial: false, amount))
          }
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
    _ keys: [String], _ months: Int, _ begun: [Charge], isPartial: Bool,
    _ amount: @escaping (ChargeTerms) -> Amount
  ) -> [ReportTable.Cell] {
    var (paying, count, gross, refunded) = (0, 0, 0, 0)
    for first in begun {
      let end = windowEnd(first.period.start, months)
      let currency = amount(first.terms).currency
      let paid = charges[first.chainCharges].filter { $0.isPaid && $0.period.start < end }
      if !paid.isEmpty { paying += 1 }
      let own = paid.filter { amount($0.terms).currency == currency }
      count += own.count
      gross += own.reduce(0) { $0 + Int(amount($1.terms).milliunits) }
      for refund in refunds where refund.refund.day < end {
        guard let place = refund.place, first.chainCharges.contains(place),
          amount(refund.terms).currency == currency
        else { continue }
        refunded += Int(amount(refund.terms).milliunits)
      }
    }
    let money = { (sum: Int) in ReportTable.Cell.money(milliunits: Int128(sum)) }
    let net = gross - refunded
    return (["subscribers"] + keys).map { .text($0) } + [
      .count(months), .count(begun.count), .count(paying), .count(count), money(gross),
      money(refunded), money(net), money(halfUp(net, by: begun.count)),
      .text(isPartial ? "partial" : "final"),
    ]
  }
}

// MARK: - Status

extension ReferenceMetrics {
  /// The rows of `status`.
  var status: [[ReportTable.Cell]] {
    let hasInstalments = charges.contains(where: \.isInstalment)
    return rows(monthsToAsOf) { month, own, cohort in
      let day = monthSystem.lastDay(of: month)
      let paid = own.filter { $0.isActive(on: day) }
      let free = own.filter { $0.isFree(on: day) }
      let suspended = suspended(month, cohort)
      let kinds: [ChargeKind] = [.standard, .intro, .offer]
      let counts =
        [paid.count] + kinds.map { kind in paid.count { $0.terms.kind == kind } }
        + [free.count { $0.terms.kind == .trial }, free.count { $0.terms.kind != .trial }]
      guard suspended != 0 || counts.contains(where: { $0 != 0 }) else { return nil }
      return counts.map { .count($0) } + [
        .missing, .missing, hasInstalments ? .count(suspended) : .missing, .missing,
        churnState(month, cohort),
      ]
    }
  }

  /// The suspended terms of `commitments`, of all currencies.
  private func suspended(_ month: Month, _ cohort: [String]) -> Int {
    commitments.reduce(0) { sum, row in
      let keys = (["subscribers", written(month)] + cohort).map { ReportTable.Cell.text($0) }
      guard Array(row.prefix(keys.count)) == keys, case .count(let count) = row[keys.count + 2]
      else { return sum }
      return sum + count
    }
  }
}

extension ReferenceMetrics.Charge {
  /// Whether a free charge covers the end of a day.
  fileprivate func isFree(on day: Day) -> Bool {
    guard !isPaid, period.start <= day else { return false }
    if period.ending == .transferred { return day < period.end }
    switch period.fate {
    case .running: return true
    case .continued: return period.nextStart.map { day < $0 } ?? true
    default: return day < period.end
    }
  }
}
