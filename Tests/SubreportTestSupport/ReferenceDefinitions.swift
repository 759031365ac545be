import SubscriptionModel
import Tables

/// The rows of `definitions` for a number of one month, to compare with: METRICS.md 11.5.
struct ReferenceDefinition {
  /// A count, an amount in milliunits, or a rate.
  enum Number {
    case count(Int)
    case money(Int)
    case rate(Int, Int?)
    case rateOfMoney(Int, Int)
    case unknown

    var cells: [ReportTable.Cell] {
      switch self {
      case .count(let count): [.count(count), .missing, .count(count)]
      case .money(let sum):
        [.money(milliunits: Int128(sum)), .missing, .money(milliunits: Int128(sum))]
      case .rate(let above, let below):
        [.count(above), below.map { .count($0) } ?? .missing, Self.ratio(above, below ?? 0)]
      case .unknown: [.missing, .missing, .missing]
      case .rateOfMoney(let above, let below):
        [
          .money(milliunits: Int128(above)), .money(milliunits: Int128(below)),
          Self.ratio(above, below),
        ]
      }
    }

    private static func ratio(_ above: Int, _ below: Int) -> ReportTable.Cell {
      below == 0 ? .missing : .ratio(numerator: Int128(above), denominator: Int128(below))
    }

    /// The value as it is printed, in its last digit.
    var printed: Int? {
      switch self {
      case .count(let number), .money(let number): return number
      case .rate(let above, let below):
        guard let below, below != 0 else { return nil }
        return Self.millionths(above, below)
      case .rateOfMoney(let above, let below):
        return below == 0 ? nil : Self.millionths(above, below)
      case .unknown: return nil
      }
    }

    private static func millionths(_ above: Int, _ below: Int) -> Int {
      let all = Int128(above) * 1_000_000
      var floor = all / Int128(below)
      if floor * Int128(below) > all { floor -= 1 }
      let rest = 2 * (all - floor * Int128(below))
      let isUp = rest > Int128(below) || rest == Int128(below) && floor % 2 != 0
      return Int(isUp ? floor + 1 : floor)
    }

    func change(_ from: Int, to: Int) -> ReportTable.Cell {
      switch self {
      case .count: .count(to - from)
      case .money: .money(milliunits: Int128(to - from))
      case .rate, .rateOfMoney, .unknown:
        .ratio(numerator: Int128(to - from), denominator: 1_000_000)
      }
    }

    var isZero: Bool {
      switch self {
      case .count(let number), .money(let number): number == 0
      case .rate(let above, let below): above == 0 && (below ?? 0) == 0
      case .rateOfMoney(let above, let below): above == 0 && below == 0
      case .unknown: true
      }
    }
  }

  var keys: [String]
  var state: ReportTable.Cell
  var ours: Number
  /// The steps: what they need is not in the data where there is no number.
  var steps: [(axis: String, number: Number?, needs: String)]
  /// Whether the rows are printed even if all numbers are 0.
  var keepsEmpty = false

  /// A row of a month without files.
  static func withoutFiles(_ row: [ReportTable.Cell]) -> [ReportTable.Cell] {
    Array(row.prefix(6)) + [.missing, .missing, .missing, .missing, .text("partial")]
  }

  /// The rows, if any number is not 0.
  var rows: [[ReportTable.Cell]] {
    guard keepsEmpty || !([ours] + steps.compactMap(\.number)).allSatisfy(\.isZero) else {
      return []
    }
    let row = { (axis: String, cells: [ReportTable.Cell]) in
      (keys + [axis]).map { ReportTable.Cell.text($0) } + cells
    }
    var rows = [row("ours", ours.cells + [.missing, state])]
    var (last, known) = (ours, ours.printed)
    for (axis, number, needs) in steps {
      guard let number else {
        rows.append(row(axis, [.missing, .missing, .missing, .missing, .text("needs " + needs)]))
        continue
      }
      var change = ReportTable.Cell.missing
      if let known, let now = number.printed { change = number.change(known, to: now) }
      rows.append(row(axis, number.cells + [change, .text("")]))
      (last, known) = (number, number.printed ?? known)
    }
    let missing = steps.filter { $0.number == nil }.map(\.axis)
    var change = ReportTable.Cell.missing
    if let first = ours.printed, let now = last.printed { change = last.change(first, to: now) }
    let state = missing.isEmpty ? "exact" : "without " + missing.joined(separator: ", ")
    return rows + [row("theirs", last.cells + [change, .text(state)])]
  }
}

// MARK: - SUBSCRIBER reports

extension ReferenceMetrics {
  private typealias Number = ReferenceDefinition.Number
  private typealias Steps = [(axis: String, number: Number?, needs: String)]

  /// The rows of `definitions`.
  var definitions: [[ReportTable.Cell]] {
    guard dimensions.isEmpty, !charges.isEmpty || !refunds.isEmpty else { return [] }
    return monthsToAsOf.flatMap { month -> [[ReportTable.Cell]] in
      let all = active(month) + churn(month) + conversion(month) + mrr(month) + refund(month)
      return (all + renewal(month)).map { row in
        isWithFiles(month) ? row : ReferenceDefinition.withoutFiles(row)
      }
    }
  }

  private func rows(
    _ month: Month, _ measure: String, _ tool: String, currency: String = "",
    _ state: ReportTable.Cell, _ ours: Number, _ steps: Steps
  ) -> [[ReportTable.Cell]] {
    ReferenceDefinition(
      keys: ["subscribers", written(month), measure, currency, tool], state: state, ours: ours,
      steps: steps
    ).rows
  }

  private func held(_ day: Day) -> [Charge] { charges.filter { $0.isActive(on: day) } }

  private func customers(_ charges: [Charge]) -> Set<Int> { Set(charges.map(\.subscriber)) }

  private func active(_ month: Month) -> [[ReportTable.Cell]] {
    let held = held(monthSystem.lastDay(of: month))
    let state = churnState(month, [])
    let people = Number.count(customers(held).count)
    let standard = Number.count(held.count { $0.terms.kind == .standard })
    let steps: [(String, Steps)] = [
      ("apphud", [("population", standard, "")]), ("apple", [("month", nil, "instants")]),
      ("chartmogul", [("population", people, "")]), ("recurly", [("population", people, "")]),
      ("revenuecat", [("date", nil, "grace dates")]),
    ]
    return steps.flatMap { rows(month, "active", $0, state, .count(held.count), $1) }
  }

  private func churn(_ month: Month) -> [[ReportTable.Cell]] {
    let isKnown =
      month > monthSystem.month(of: firstFileDay) && !isAfterMonthWithoutFiles(month)
    let before = held(monthSystem.firstDay(of: month) - 1)
    let start = isKnown ? before.count : nil
    let people = isKnown ? customers(before).count : nil
    let own = charges.filter { $0.endMonth == month && $0.isPaid && $0.isLapse }
    let churned = own.filter(\.isChurn)
    let left = churned.filter { charge in
      !held(charge.period.end).contains { $0.subscriber == charge.subscriber }
    }
    let lost = customers(left)
    let lostOfStart = lost.intersection(customers(before))
    let arrivals = charges.filter { $0.isPaid && $0.startMonth == month }.compactMap(arrival)
    let returns = arrivals.count { $0 == "recovered" || $0 == "reactivated" }
    let changes = charges.count { old in
      guard old.isPaid, old.period.fate == .continued, old.nextMonth == month else { return false }
      let new = charges[old.chainCharges.lowerBound + old.indexInChain + 1]
      return new.isPaid && isOther(new, old)
    }
    let ours = Number.rate(churned.count, start)
    let state = churnState(month, [])
    let rate = { (number: Int) in Number.rate(number, start) }
    let steps: [(String, Steps)] = [
      (
        "chartmogul",
        [
          ("population", .rate(lost.count, people), ""),
          ("denominator", people == nil ? .unknown : .rate(lostOfStart.count, people), ""),
        ]
      ),
      ("recurly", [("population", .rate(lost.count, people), "")]),
      ("revenuecat", [("date", nil, "grace dates"), ("recovery", rate(own.count - returns), "")]),
      (
        "revenuecat3",
        [
          ("date", nil, "grace dates"), ("recovery", rate(own.count), ""),
          ("product", rate(own.count + changes), ""),
        ]
      ),
    ]
    return steps.flatMap { rows(month, "churn_rate", $0, state, ours, $1) }
  }

  private func isOther(_ new: Charge, _ old: Charge) -> Bool {
    new.terms.attributes.product != old.terms.attributes.product || new.terms.plan != old.terms.plan
  }

  private func conversion(_ month: Month) -> [[ReportTable.Cell]] {
    let trials = charges.filter { $0.startMonth == month && $0.terms.kind == .trial }
    var counts: [String: Int] = [:]
    var pending = 0
    for trial in trials {
      let later = charges[trial.chainCharges].dropFirst(trial.indexInChain + 1)
      if let next = later.first {
        if next.isPaid, next.period.start - trial.period.end <= 60 {
          counts["ours", default: 0] += 1
        }
        if next.isPaid, trial.period.fate == .continued { counts["continued", default: 0] += 1 }
      } else if asOf - trial.period.end < 60 || trial.period.ending == .transferred {
        pending += 1
      }
      guard let place = later.firstIndex(where: \.isPaid) else { continue }
      counts["paid", default: 0] += 1
      let isBack = refunds.contains { $0.place == place && $0.refund.isFull }
      if !isBack { counts["kept", default: 0] += 1 }
    }
    let rate = { (name: String) in Number.rate(counts[name] ?? 0, trials.count) }
    let state = state(
      month, isUndecided: pending > 0, isAtEdge: isNearTransfer(month, charges))
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
    let day = monthSystem.lastDay(of: month)
    let held = held(day)
    // ChartMogul: nothing else is held, and the newest charge's own end has not come.
    let refunded = charges.filter { charge in
      charge.isPaid && charge.period.ending == .refunded && !charge.isActive(on: day)
        && charge.period.end <= day && day < charge.period.fullEnd
        && charge.period.nextStart.map { day < $0 } ?? true
    }
    let back = Set(refunds.filter(\.refund.isFull).compactMap(\.place))
    let kept = charges.indices.filter { charges[$0].isActive(on: day) && !back.contains($0) }
      .map { charges[$0] }
    let state = churnState(month, [])
    let texts = Set((held + refunded).map { symbols[Int($0.terms.price.currency)] })
    // Proceeds may be in a currency that no price has.
    let ofProceeds = Set(held.map { symbols[Int($0.terms.proceeds.currency)] }).subtracting([""])
    return texts.union(ofProceeds).sorted().flatMap { code -> [[ReportTable.Cell]] in
      let sum = { (charges: [Charge], weekly: (Int, Int) -> Int?) -> Number in
        .money(
          charges.filter { symbols[Int($0.terms.price.currency)] == code }.reduce(0) {
            let amount = $1.terms.price.milliunits
            let days = Int(valueTerm($1).days)
            return $0 + ((days > 0 ? weekly(Int(amount), days) : nil) ?? monthlyValue($1, amount))
          })
      }
      let ours = { (_: Int, _: Int) -> Int? in nil }
      let adapty = { (amount: Int, days: Int) -> Int? in halfUp(amount * 700, by: 23 * days) }
      let revenueCat = { (amount: Int, days: Int) -> Int? in
        let times = [1: 30, 3: 10, 7: 4, 14: 2, 28: 1]
        return times[days].map { $0 * amount } ?? halfUp(amount * 28, by: days)
      }
      let proceeds = held.filter { symbols[Int($0.terms.proceeds.currency)] == code }
        .reduce(0) { $0 + monthlyValue($1, $1.terms.proceeds.milliunits) }
      let steps: [(String, Steps)] = [
        (
          "adapty",
          [("basis", sum(held, adapty), ""), ("refund", sum(kept, adapty), "")]
        ),
        ("apphud", [("basis", .money(proceeds), "")]),
        ("chartmogul", [("refund", sum(held + refunded, ours), "")]),
        ("revenuecat", [("basis", sum(held, revenueCat), ""), ("date", nil, "grace dates")]),
      ]
      return steps.filter { texts.contains(code) || $0.0 == "apphud" }.flatMap {
        rows(month, "mrr", $0, currency: code, state, sum(held, ours), $1)
      }
    }
  }

  private func refund(_ month: Month) -> [[ReportTable.Cell]] {
    let sold = charges.filter { $0.isPaid && $0.startMonth == month }
    let backOfSale = refunds.filter { $0.saleMonth == month }
    let backOfMonth = refunds.filter { $0.month == month }
    let isLate = asOf - monthSystem.lastDay(of: month) < 60
    let state = state(month, isUndecided: isLate, isAtEdge: isNearTransfer(month, charges))
    let code = { (terms: ChargeTerms) in symbols[Int(terms.proceeds.currency)] }
    let texts = Set((sold.map(\.terms) + (backOfSale + backOfMonth).map(\.terms)).map(code))
    var all: [[ReportTable.Cell]] = []
    for text in texts.sorted() {
      let (charged, back, now) = (
        sold.filter { code($0.terms) == text }, backOfSale.filter { code($0.terms) == text },
        backOfMonth.filter { code($0.terms) == text }
      )
      let isKnown = (charged.map(\.terms) + now.map(\.terms)).allSatisfy {
        $0.price.currency == $0.proceeds.currency
      }
      let sum = { (terms: [ChargeTerms]) in terms.reduce(0) { $0 + Int($1.price.milliunits) } }
      let whole = sum(charged.map(\.terms))
      let full = sum(back.filter(\.refund.isFull).map(\.terms))
      all += rows(
        month, "refund_rate", "apphud", currency: text, state,
        .rate(back.count(where: \.refund.isFull), charged.count),
        isKnown
          ? [
            ("basis", .rateOfMoney(full, whole), ""),
            ("refund", .rateOfMoney(sum(now.map(\.terms)), whole), ""),
          ]
          : [("basis", nil, "prices"), ("refund", .rate(now.count, charged.count), "")])
    }
    let every = rows(
      month, "refund_rate", "revenuecat", state,
      .rate(backOfSale.count(where: \.refund.isFull), sold.count),
      [("refund", .rate(backOfSale.count, sold.count), "")])
    return every + all
  }

  private func renewal(_ month: Month) -> [[ReportTable.Cell]] {
    let due = charges.filter { charge in
      charge.endMonth == month && charge.isPaid && charge.period.end <= asOf
        && ![.changedProduct, .boughtAgainSameDay, .refunded, .transferred]
          .contains(charge.period.ending)
        && (!charge.isInstalment || charge.period.instalment?.number == 12)
    }
    let renewed = due.filter { $0.period.fate == .continued }
    let other = renewed.count { old in
      isOther(charges[old.chainCharges.lowerBound + old.indexInChain + 1], old)
    }
    let isPending = due.contains { [.openProvisional, .running].contains($0.period.fate) }
    return rows(
      month, "renewal_rate", "apple",
      state(month, isUndecided: isPending, isAtEdge: isNearTransfer(month, charges)),
      .rate(renewed.count, due.count),
      [
        ("product", .rate(renewed.count - other, due.count), ""), ("month", nil, "instants"),
      ])
  }
}
