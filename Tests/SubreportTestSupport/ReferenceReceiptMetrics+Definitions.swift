import Storage
import SubscriptionModel
import Tables

/// METRICS.md 11.5 for source `receipts`, to compare with.
extension ReferenceReceiptMetrics {
  private typealias Number = ReferenceDefinition.Number
  private typealias Steps = [(axis: String, number: Number?, needs: String)]

  /// The rows of `definitions`.
  var definitions: [[ReportTable.Cell]] {
    guard dimensions.isEmpty else { return [] }
    return months.flatMap { month -> [[ReportTable.Cell]] in
      let all = active(month) + churn(month) + conversion(month) + mrr(month) + refund(month)
      return all + renewal(month)
    }
  }

  private func rows(
    _ month: Month, _ measure: String, _ tool: String, currency: String = "",
    _ state: ReportTable.Cell, _ ours: Number, _ steps: Steps
  ) -> [[ReportTable.Cell]] {
    ReferenceDefinition(
      keys: ["receipts", "\(month)", measure, currency, tool], state: state, ours: ours,
      steps: steps, keepsEmpty: measure == "churn_rate"
    ).rows
  }

  /// The last second of a month of Pacific Time, by the rule of 2007.
  private func pacificEnd(of month: Month) -> Instant {
    let next = month + 1
    let winter = lastSecond(of: month) + 8 * 3_600
    let sunday = { (day: Day) in day + (6 - day.weekday) }
    let year = next.firstDay.civil.year
    let spring = sunday(Month(year: year, month: 3).firstDay + 7)
    let autumn = sunday(Month(year: year, month: 11).firstDay)
    let isSummer = spring < next.firstDay && next.firstDay <= autumn
    return isSummer ? winter + -3_600 : winter
  }

  private func pacificMonth(_ instant: Instant) -> Month {
    instant <= pacificEnd(of: instant.month - 1) ? instant.month - 1 : instant.month
  }

  /// The charges in whose grace period their chains are at an instant.
  private func inGrace(at instant: Instant) -> [Charge] {
    let active = Set(self.active(at: instant).map(\.chain))
    return Set(charges.map(\.chain)).subtracting(active).sorted().compactMap { chain in
      var last: Charge?
      for charge in charges
      where charge.chain == chain && !charge.isNothing && charge.end <= instant {
        if last.map({ $0.end <= charge.end }) ?? true { last = charge }
      }
      guard let last, last.isLapse, let grace = last.grace, instant < grace else { return nil }
      return last
    }
  }

  private func customers(_ charges: [Charge]) -> Set<String> { Set(charges.map(\.customer)) }

  private func active(_ month: Month) -> [[ReportTable.Cell]] {
    let end = lastSecond(of: month)
    let held = active(at: end)
    let pacific = Number.count(active(at: pacificEnd(of: month)).count)
    let people = Number.count(customers(held).count)
    let standard = Number.count(held.count { $0.kind == "standard" })
    let grace = hasRenewalInfo ? Number.count(held.count + inGrace(at: end).count) : nil
    let steps: [(String, Steps)] = [
      ("apphud", [("population", standard, "")]), ("apple", [("month", pacific, "")]),
      ("chartmogul", [("population", people, "")]), ("recurly", [("population", people, "")]),
      ("revenuecat", [("date", grace, "grace dates")]),
    ]
    return steps.flatMap {
      rows(month, "active", $0, churnState(month, []), .count(held.count), $1)
    }
  }

  private func churn(_ month: Month) -> [[ReportTable.Cell]] {
    let before = active(at: lastSecond(of: month - 1))
    let lapses = charges.indices.filter { charges[$0].isPaid && charges[$0].isLapse }
    let own = lapses.filter { charges[$0].end.month == month }
    let churned = own.filter { charges[$0].isChurn }
    let left = churned.filter { index in
      let dayEnd = Instant(seconds: charges[index].end.seconds / 86_400 * 86_400 + 86_399)
      return !active(at: dayEnd).contains { $0.customer == charges[index].customer }
    }
    let lost = customers(left.map { charges[$0] })
    let lostOfStart = lost.intersection(customers(before))
    let people = customers(before).count
    // With grace dates: the month in which a lapse counts, and whether the return does.
    var (datedChurn, datedRetry, returns) = (0, 0, 0)
    for index in lapses {
      let lapse = charges[index]
      if let grace = lapse.grace {
        if let next = next(index), next.start <= grace { continue }
        if grace <= runAsOf, grace.month == month {
          if lapse.isChurn { datedChurn += 1 } else { datedRetry += 1 }
        }
      } else if lapse.end.month == month {
        if lapse.isChurn { datedChurn += 1 } else { datedRetry += 1 }
      }
    }
    for index in charges.indices where charges[index].isPaid && !charges[index].isNothing {
      guard charges[index].start.month == month, let arrival = arrival(index),
        arrival == "recovered" || arrival == "reactivated"
      else { continue }
      let before = charges[charges[index].siblings.lowerBound..<index].last { !$0.isNothing }
      if let before, let grace = before.grace, before.isPaid, charges[index].start <= grace {
        continue
      }
      returns += 1
    }
    let changes = charges.indices.count { index in
      guard charges[index].isPaid, ["renewed", "upgraded"].contains(charges[index].fate),
        let next = next(index), next.isPaid, next.start.month == month
      else { return false }
      return isOther(next, charges[index])
    }
    let held = before.count + (hasRenewalInfo ? inGrace(at: lastSecond(of: month - 1)).count : 0)
    let date = hasRenewalInfo ? Number.rate(datedChurn, held) : nil
    let rate = { (number: Int) in Number.rate(number, held) }
    let steps: [(String, Steps)] = [
      (
        "chartmogul",
        [
          ("population", .rate(lost.count, people), ""),
          ("denominator", .rate(lostOfStart.count, people), ""),
        ]
      ),
      ("recurly", [("population", .rate(lost.count, people), "")]),
      (
        "revenuecat",
        [("date", date, "grace dates"), ("recovery", rate(datedChurn + datedRetry - returns), "")]
      ),
      (
        "revenuecat3",
        [
          ("date", date, "grace dates"), ("recovery", rate(datedChurn + datedRetry), ""),
          ("product", rate(datedChurn + datedRetry + changes), ""),
        ]
      ),
    ]
    return steps.flatMap {
      rows(
        month, "churn_rate", $0, churnState(month, []), .rate(churned.count, before.count), $1)
    }
  }

  private func isOther(_ new: Charge, _ old: Charge) -> Bool {
    new.product != old.product || new.plan != old.plan
  }

  private func conversion(_ month: Month) -> [[ReportTable.Cell]] {
    let trials = charges.indices.filter {
      charges[$0].start.month == month && charges[$0].kind == "trial"
    }
    var counts: [String: Int] = [:]
    var pending = 0
    for index in trials {
      let trial = charges[index]
      if let next = next(index) {
        if next.isPaid, next.start - trial.end <= 5_184_000 { counts["ours", default: 0] += 1 }
        if next.isPaid, next.start - trial.end <= tolerance {
          counts["continued", default: 0] += 1
        }
      } else if trial.asOf - trial.end < 5_184_000 {
        pending += 1
      }
      let payment = charges[(index + 1)..<trial.siblings.upperBound].first {
        $0.isPaid && !$0.isNothing
      }
      guard let payment else { continue }
      counts["paid", default: 0] += 1
      if payment.refund != "full" { counts["kept", default: 0] += 1 }
    }
    let rate = { (name: String) in Number.rate(counts[name] ?? 0, trials.count) }
    let state = state(month, isUndecided: pending > 0)
    return rows(
      month, "conversion_rate", "revenuecat", state, rate("ours"),
      [
        ("population", nil, "customers first seen in the month"), ("recovery", rate("paid"), ""),
        ("refund", rate("kept"), ""),
      ])
      + rows(
        month, "conversion_rate", "revenuecat3", state, rate("ours"),
        [("recovery", rate("continued"), "")])
  }

  // MARK: Money

  private func mrr(_ month: Month) -> [[ReportTable.Cell]] {
    let end = lastSecond(of: month)
    let held = active(at: end)
    // ChartMogul: with the expiry of each charge that a refund ended.
    let extended = self.held(at: end) { charge in
      guard charge.isEndedByRefund, let expires = charge.expires else { return charge.end }
      return expires
    }
    let kept = self.held(at: end) { $0.refund == "full" ? $0.start : $0.end }
    let grace = hasRenewalInfo ? inGrace(at: end) : []
    let currencies = Set((held + extended + grace).map(\.currency)).subtracting([.blank])
    let texts = currencies.map { symbols[Int($0)] }.sorted()
    return texts.flatMap { code -> [[ReportTable.Cell]] in
      let sum = { (charges: [Charge], weekly: (Int, Int) -> Int?) -> Number in
        .money(
          charges.filter { symbols[Int($0.currency)] == code }.reduce(0) {
            let days = term($1).days
            return $0
              + ((days > 0 ? weekly(Int($1.price ?? 0), days) : nil) ?? value($1))
          })
      }
      let ours = { (_: Int, _: Int) -> Int? in nil }
      let adapty = { (amount: Int, days: Int) -> Int? in halfUp(amount * 700, by: 23 * days) }
      let revenueCat = { (amount: Int, days: Int) -> Int? in
        let times = [1: 30, 3: 10, 7: 4, 14: 2, 28: 1]
        return times[days].map { $0 * amount } ?? halfUp(amount * 28, by: days)
      }
      let steps: [(String, Steps)] = [
        ("adapty", [("basis", sum(held, adapty), ""), ("refund", sum(kept, adapty), "")]),
        ("apphud", [("basis", nil, "proceeds")]),
        ("chartmogul", [("refund", sum(extended, ours), "")]),
        (
          "revenuecat",
          [
            ("basis", sum(held, revenueCat), ""),
            ("date", hasRenewalInfo ? sum(held + grace, revenueCat) : nil, "grace dates"),
          ]
        ),
      ]
      return steps.flatMap {
        rows(month, "mrr", $0, currency: code, churnState(month, []), sum(held, ours), $1)
      }
    }
  }

  /// The charges that stand for their chains at an instant, with other ends of some charges.
  private func held(at instant: Instant, end: (Charge) -> Instant) -> [Charge] {
    let all = charges.indices.filter { index in
      let charge = charges[index]
      guard charge.isPaid, !charge.isNothing, charge.start <= instant else { return false }
      let own = end(charge)
      if instant < own { return true }
      return own == charge.end && isActive(charge, index, at: instant)
    }
    return all.filter { index in
      !all.contains { $0 > index && charges[$0].chain == charges[index].chain }
    }.map { charges[$0] }
  }

  private func refund(_ month: Month) -> [[ReportTable.Cell]] {
    let paid = charges.filter(\.isPaid)
    let sold = paid.filter { $0.start.month == month }
    let backOfSale = sold.filter(\.isRefunded)
    let backOfMonth = paid.filter { $0.isRefunded && $0.refundedAt?.month == month }
    let isLate = runAsOf - lastSecond(of: month) <= 5_184_000
    let state = state(month, isUndecided: isLate)
    let texts = Set((sold + backOfMonth).map { symbols[Int($0.currency)] })
    var all: [[ReportTable.Cell]] = []
    for text in texts.sorted() {
      let own = { (charges: [Charge]) in charges.filter { symbols[Int($0.currency)] == text } }
      let (charged, back, now) = (own(sold), own(backOfSale), own(backOfMonth))
      let whole = charged.reduce(0) { $0 + Int($1.price ?? 0) }
      let full = back.filter { $0.refund == "full" }
      all += rows(
        month, "refund_rate", "apphud", currency: text, state,
        .rate(full.count, charged.count),
        text.isEmpty
          ? [("basis", nil, "prices"), ("refund", .rate(now.count, charged.count), "")]
          : [
            ("basis", .rateOfMoney(full.reduce(0) { $0 + Int($1.price ?? 0) }, whole), ""),
            ("refund", .rateOfMoney(now.reduce(0) { $0 + Int(refunded($1)) }, whole), ""),
          ])
    }
    return rows(
      month, "refund_rate", "revenuecat", state,
      .rate(backOfSale.count { $0.refund == "full" }, sold.count),
      [("refund", .rate(backOfSale.count, sold.count), "")]) + all
  }

  private func renewal(_ month: Month) -> [[ReportTable.Cell]] {
    let due = charges.indices.filter { index in
      let charge = charges[index]
      return charge.isPaid && charge.end <= charge.asOf && !charge.isUpgraded && !charge.isRefunded
        && (charge.instalment.map(\.isLast) ?? true)
    }
    let counts = { (ofMonth: (Instant) -> Month) -> (due: Int, renewed: Int, same: Int) in
      let own = due.filter { ofMonth(charges[$0].end) == month }
      let renewed = own.filter { charges[$0].fate == "renewed" }
      let other = renewed.count { index in next(index).map { isOther($0, charges[index]) } ?? false
      }
      return (own.count, renewed.count, renewed.count - other)
    }
    let (ours, pacific) = (counts(\.month), counts(pacificMonth))
    let isPending = due.contains {
      charges[$0].end.month == month && ["provisional", "current"].contains(charges[$0].fate)
    }
    return rows(
      month, "renewal_rate", "apple", state(month, isUndecided: isPending),
      .rate(ours.renewed, ours.due),
      [
        ("product", .rate(ours.same, ours.due), ""),
        ("month", .rate(pacific.same, pacific.due), ""),
      ])
  }
}
