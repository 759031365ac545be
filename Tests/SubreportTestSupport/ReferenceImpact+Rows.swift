import Counting
import PriceImpact
import SubscriptionModel
package import Tables

extension ReferenceImpact {
  /// The rates of four groups over the strata that all of them have.
  private struct Rates {
    var matched: [String] = []
    var reached: [Charge] = []
    var before: [Charge] = []
    var control: (name: String, before: [Charge], after: [Charge])?

    func rate(_ group: [Charge]) -> (exact: FractionSum, rate: WeightedRate)? {
      guard !matched.isEmpty else { return nil }
      let all = due(reached)
      var exact = FractionSum()
      var variance = 0.0
      for tenure in matched {
        let own = group.filter { $0.tenure == tenure }
        let weight = reached.count { $0.tenure == tenure }
        exact =
          exact
          + FractionSum(
            Int128(weight * own.count(where: \.isRenewed)), over: Int128(all * own.count))
        let share = Double(weight) / Double(all)
        variance += share * share / Double(own.count)
      }
      var rate = WeightedRate(0, of: 1)
      rate.rate = exact.value
      rate.effectiveSize = 1 / variance
      return (exact, rate)
    }

    func due(_ group: [Charge]) -> Int { group.count { matched.contains($0.tenure) } }
  }

  /// Returns the rows of a view of `price_impact.csv`.
  ///
  /// - Parameter dimension: `start_month`, `tenure`, `offer`, or blank for the whole population.
  /// - Returns: The rows in the order of the table.
  package func rows(by dimension: String) -> [[ReportTable.Cell]] {
    let view = Dimension(rawValue: dimension) ?? .none
    var rows: [[ReportTable.Cell]] = []
    for subject in subjects {
      let meetings = subject.map { increase in
        self.meetings(increase) {
          $0.isKeyed(increase.key) && $0.terms.price.milliunits == increase.oldPrice
        }
      }
      let exposed = meetings.flatMap(\.exposed)
      let preserved = meetings.flatMap(\.preserved)
      let whole = rates(subject, all: exposed)
      let cohorts = Set((exposed + preserved).map { cohort($0, view) })
      for cohort in view == .none ? [""] : cohorts {
        rows.append(
          row(
            subject, view == .none ? nil : cohort, whole, all: exposed,
            exposed: exposed.filter { self.cohort($0, view) == cohort },
            preserved: preserved.count { self.cohort($0, view) == cohort }))
      }
    }
    let keyIndices = [0, 1, 2, 3, 4, 5, 6] + (view == .none ? [] : [9])
    return rows.sorted { left, right in
      let texts = [left, right].map { row in keyIndices.map { "\(row[$0])" } }
      for (first, second) in zip(texts[0], texts[1]) where first != second {
        return Array(first.utf8).lexicographicallyPrecedes(Array(second.utf8))
      }
      return false
    }
  }

  private func cohort(_ charge: Charge, _ view: Dimension) -> String {
    switch view {
    case .none: ""
    case .startMonth: startMonths[charge.chain]
    case .tenure: charge.tenure
    case .offer: offers[charge.chain]
    }
  }

  /// The control, the first with 30 due before and after.
  private func control(
    _ subject: [PriceChange], until lastEnd: Day?
  ) -> (name: String, before: [Charge], after: [Charge])? {
    guard let first = subject.first, let last = subject.last else { return nil }
    let quietEnd = max(last.date + 120, lastEnd ?? last.date)
    let isQuiet = { (charge: Charge) in
      self.isQuiet(charge, from: first.date - 120, to: quietEnd)
    }
    let countries = subject.map(\.key.country)
    let isStorefront = { (charge: Charge) in
      charge.terms.attributes.product == first.key.product
        && charge.terms.plan == first.key.plan
        && !countries.contains(charge.terms.attributes.country) && isQuiet(charge)
    }
    let storefronts = (
      "storefronts", due(from: first.date - 90, to: first.date - 1, where: isStorefront),
      meetings(first, where: isStorefront).exposed.filter(isReached)
    )
    if min(storefronts.1.count, storefronts.2.count) >= 30 { return storefronts }
    var products: (String, [Charge], [Charge]) = ("products", [], [])
    for increase in subject {
      let terms = all.filter { $0.isStandardPaid && $0.isKeyed(increase.key) }
        .map(\.terms.standardTerm)
      let isProduct = { (charge: Charge) in
        (charge.terms.attributes.product != first.key.product
          || charge.terms.plan != first.key.plan)
          && charge.terms.attributes.country == increase.key.country
          && terms.contains(charge.terms.standardTerm) && isQuiet(charge)
      }
      products.1 += due(from: increase.date - 90, to: increase.date - 1, where: isProduct)
      products.2 += meetings(increase, where: isProduct).exposed.filter(isReached)
    }
    return min(products.1.count, products.2.count) >= 30 ? products : nil
  }

  /// The groups that are whole whatever the cohort.
  private func rates(_ subject: [PriceChange], all: [Charge]) -> Rates {
    var rates = Rates()
    for increase in subject {
      rates.before += due(from: increase.date - 90, to: increase.date - 1) {
        $0.isKeyed(increase.key)
      }
    }
    let lastEnd = all.filter(isReached).map(\.period.end).max()
    rates.control = control(subject, until: lastEnd)
    return rates
  }

  /// The groups beside a cohort, and the strata that all of them have.
  private func rates(_ whole: Rates, reached: [Charge]) -> Rates {
    var rates = whole
    rates.reached = reached
    let has = { (group: [Charge], tenure: String) in group.contains { $0.tenure == tenure } }
    let before = Self.tenures.filter { has(reached, $0) && has(rates.before, $0) }
    rates.matched = before.filter { tenure in
      rates.control.map { has($0.before, tenure) && has($0.after, tenure) } ?? true
    }
    return rates
  }

  // MARK: A row

  private func row(
    _ subject: [PriceChange], _ cohort: String?, _ whole: Rates, all: [Charge], exposed: [Charge],
    preserved: Int
  ) -> [ReportTable.Cell] {
    let increase = subject[0]
    let isPooled = subject.count > 1
    let reached = exposed.filter(isReached)
    let rates = rates(whole, reached: reached)
    let outcomes = reached.map { charge in
      outcome(charge, subject.first { charge.isKeyed($0.key) } ?? increase)
    }
    let count = { (outcome: String) in ReportTable.Cell.count(outcomes.count { $0 == outcome }) }
    let text = { (symbol: UInt32) in isPooled ? "" : symbols[Int(symbol)] }
    let price = { (price: Int64?) -> ReportTable.Cell in
      isPooled ? .missing : .money(milliunits: Int128(price ?? 0))
    }
    let origins = Set(subject.map(\.origin.rawValue))
    var cells: [ReportTable.Cell] = [
      .text("subscribers"), .text(symbols[Int(increase.key.product)]),
      .text(isPooled ? "*" : text(increase.key.country)), .text(text(increase.key.currency)),
      .text(increase.key.plan.name), .text(increase.date.description),
      .text((subject.map(start).min() ?? asOf).description),
      price(increase.oldPrice), price(increase.newPrice),
    ]
    if let cohort { cells.append(.text(cohort)) }
    cells += [
      origins.count == 1 ? .text(origins.first ?? "") : .missing, .count(exposed.count),
      .count(exposed.count - reached.count), .count(preserved), .count(reached.count),
      count("new"), count("old"), count("other"), count("product"),
      .count(zip(reached, outcomes).count { $1 == "product" && isCheaper($0) }),
      count("recovered"), count("lapsed"), .missing, count("pending"),
    ]
    let renewed = zip(reached, outcomes).filter { $1 == "new" }.compactMap { next($0.0) }
    let isRefundKnown = renewed.allSatisfy { asOf - $0.period.start >= 60 }
    let refunded = renewed.count { charge in
      charge.fullRefundDay.map { $0 - charge.period.start <= 60 } ?? false
    }
    cells.append(isRefundKnown ? .count(refunded) : .missing)
    cells += [.missing, .missing, .missing, .missing]
    cells += comparisonCells(subject, reached, rates)
    let isUndecided =
      exposed.count > reached.count || outcomes.contains("pending") || !isRefundKnown
    cells.append(.text(state(subject, all: all, isUndecided: isUndecided)))
    return cells
  }

  func outcome(_ charge: Charge, _ increase: PriceChange) -> String {
    switch charge.period.fate {
    case .recovered: return "recovered"
    case .reactivated, .openFinal: return "lapsed"
    case .openProvisional, .running: return "pending"
    case .continued: break
    }
    guard let next = next(charge), next.terms.attributes.product == increase.key.product,
      next.terms.plan == increase.key.plan
    else { return "product" }
    // METRICS.md 10.7.
    if next.terms.isContingent { return "other" }
    guard next.terms.price.currency == increase.key.currency else { return "other" }
    if next.terms.price.milliunits == increase.newPrice { return "new" }
    return next.terms.price.milliunits == increase.oldPrice ? "old" : "other"
  }

  private func isCheaper(_ charge: Charge) -> Bool {
    guard let next = next(charge), next.terms.price.currency == charge.terms.price.currency else {
      return false
    }
    let perDay = { (terms: ChargeTerms) in
      Double(terms.price.milliunits)
        / (Double(terms.term.days) + Double(terms.term.months) * 365.2425 / 12)
    }
    return perDay(next.terms) < perDay(charge.terms)
  }

  private func state(_ subject: [PriceChange], all: [Charge], isUndecided: Bool) -> String {
    let dates = subject.map(\.date)
    let first = dates.min() ?? asOf
    let last = dates.max() ?? asOf
    let end = max(last - 1, all.filter(isReached).map(\.period.end).max() ?? last - 1)
    let months = (first - 90).month.number...end.month.number
    for month in months.map(Month.init(number:)) {
      let days = (0..<month.dayCount).map { month.firstDay + $0 }
      if days.contains(where: { $0 <= asOf && ($0 < firstFileDay || missingDays.contains($0)) }) {
        return "partial"
      }
      let isDoubtful = self.all.contains { charge in
        charge.period.end.month == month && charge.period.fate != .continued
          && charge.period.fate != .running
          && missingDays.contains { abs($0 - charge.period.end) <= 2 }
      }
      if isDoubtful { return "partial" }
    }
    return isUndecided ? "provisional" : "final"
  }

  // MARK: Comparison

  private func comparisonCells(
    _ subject: [PriceChange], _ reached: [Charge], _ rates: Rates
  ) -> [ReportTable.Cell] {
    let isTooFew = reached.count < 30
    let renewed = reached.count(where: \.isRenewed)
    let interval = Statistics.wilson(renewed, of: reached.count)
    let known = { (value: Double?) -> ReportTable.Cell in
      isTooFew ? .missing : value.map { .fraction($0) } ?? .missing
    }
    let before = rates.rate(rates.before)
    let controlBefore = rates.control.flatMap { rates.rate($0.before) }
    let controlAfter = rates.control.flatMap { rates.rate($0.after) }
    var cells: [ReportTable.Cell] = [
      isTooFew ? .missing : .rate(renewed, of: reached.count), known(interval?.low),
      known(interval?.high), .count(rates.due(rates.before)), known(before?.rate.rate),
      rates.control.map { .text($0.name) } ?? .missing,
      rates.control.map { .count(rates.due($0.before)) } ?? .missing,
      known(controlBefore?.rate.rate),
      rates.control.map { .count(rates.due($0.after)) } ?? .missing, known(controlAfter?.rate.rate),
      .count(reached.count - rates.due(reached)),
    ]
    var excess: RateDifference?
    var counterfactual: FractionSum?
    if !isTooFew, let after = rates.rate(reached), let before, let controlBefore, let controlAfter {
      let gain = Statistics.difference(
        Statistics.difference(after.rate, before.rate),
        Statistics.difference(controlAfter.rate, controlBefore.rate))
      excess = RateDifference(value: -gain.value, low: -gain.high, high: -gain.low)
      counterfactual = (before.exact + controlAfter.exact - controlBefore.exact).clamped
    }
    cells += [known(excess?.value), known(excess?.low), known(excess?.high)]
    cells.append(.text(verdict(subject, rates, excess, isTooFew: isTooFew)))
    return cells
      + moneyCells(subject, reached, counterfactual)
      + breakEvenCells(subject, before?.exact, excess, counterfactual, isTooFew: isTooFew)
  }

  private func verdict(
    _ subject: [PriceChange], _ rates: Rates, _ excess: RateDifference?, isTooFew: Bool
  ) -> String {
    if isTooFew { return "too_few" }
    if rates.control == nil { return "no_control" }
    guard let excess else { return "undecided" }
    if let slope = slope(subject, rates), slope.low > 0 || slope.high < 0 { return "pretrend" }
    if excess.low <= 0, excess.high >= 0 { return "undecided" }
    return excess.value > 0 ? "more_churn" : "less_churn"
  }

  /// How far treated and control moved apart from the first 30 of the 90 days before to the last.
  private func slope(_ subject: [PriceChange], _ rates: Rates) -> RateDifference? {
    let apart = { (days: ClosedRange<Int>) -> RateDifference? in
      let isIn = { (charge: Charge, increase: PriceChange) in
        days.contains(increase.date - charge.period.end)
      }
      let treated = subject.flatMap { increase in
        rates.before.filter { $0.isKeyed(increase.key) && isIn($0, increase) }
      }
      let control = (rates.control?.before ?? []).filter { charge in
        let own =
          rates.control?.name == "products"
          ? subject.first { $0.key.country == charge.terms.attributes.country } : subject.first
        return own.map { isIn(charge, $0) } ?? false
      }
      guard !treated.isEmpty, !control.isEmpty else { return nil }
      return Statistics.difference(
        WeightedRate(treated.count(where: \.isRenewed), of: treated.count),
        WeightedRate(control.count(where: \.isRenewed), of: control.count))
    }
    guard let last = apart(1...30), let first = apart(61...90) else { return nil }
    return Statistics.difference(last, first)
  }

  // MARK: Money

  private func units(_ charge: Charge) -> Int128 {
    Int128(
      bought[charge.chain].count {
        $0.start == charge.period.start && $0.terms == charge.terms
      }) * charge.proceedsFactor
  }

  private func moneyCells(
    _ subject: [PriceChange], _ reached: [Charge], _ counterfactual: FractionSum?
  ) -> [ReportTable.Cell] {
    let nothing = [ReportTable.Cell](repeating: .missing, count: 8)
    guard subject.count == 1, let rate = counterfactual else { return nothing }
    var actual: Int128 = 0
    var old: Int128 = 0
    var gained: Int128 = 0
    var mix: Int128 = 0
    var share = FractionSum()
    var currencies: Set<UInt32> = []
    for charge in reached {
      let oldProceeds = Int128(charge.terms.proceeds.milliunits) * units(charge)
      old += oldProceeds
      currencies.insert(charge.terms.proceeds.currency)
      guard charge.isRenewed, let next = next(charge) else { continue }
      let proceeds = Int128(next.terms.proceeds.milliunits) * units(next)
      actual += proceeds
      if proceeds > 0 { currencies.insert(next.terms.proceeds.currency) }
      guard outcome(charge, subject[0]) != "product" else {
        mix += proceeds - oldProceeds
        continue
      }
      gained += proceeds - oldProceeds
      if next.terms.price.currency == charge.terms.price.currency {
        let (p, q) = (charge.terms.price.milliunits, next.terms.price.milliunits)
        let (a, b) = (charge.terms.proceeds.milliunits, next.terms.proceeds.milliunits)
        // Half a cent, or half a unit, of each of the two proceeds is rounding.
        let half: Int128 = a % 1_000 == 0 && b % 1_000 == 0 ? 500 : 5
        let effect = Int128(b) * Int128(p) - Int128(q) * Int128(a)
        if abs(effect) > half * (Int128(p) + Int128(q)) {
          share = share + FractionSum(effect * units(next), over: Int128(p))
        }
      }
    }
    guard currencies.count == 1, let currency = currencies.first else { return nothing }
    let expected = rate.times(old).rounded
    let shareEffect = share.rounded
    let net = actual - expected - shareEffect
    let priceEffect = gained - shareEffect
    return [.text(symbols[Int(currency)])]
      + [actual, expected, priceEffect, net - priceEffect - mix, mix, shareEffect, net]
      .map { .money(milliunits: $0) }
  }

  private func breakEvenCells(
    _ subject: [PriceChange], _ baseline: FractionSum?, _ excess: RateDifference?,
    _ counterfactual: FractionSum?, isTooFew: Bool
  ) -> [ReportTable.Cell] {
    guard !isTooFew else { return [ReportTable.Cell](repeating: .missing, count: 6) }
    var observed: RateDifference?
    if let excess, let rate = counterfactual, rate.value > 0 {
      observed = RateDifference(
        value: excess.value / rate.value, low: excess.low / rate.value,
        high: excess.high / rate.value)
    }
    let cell = { (value: Double?) -> ReportTable.Cell in value.map { .fraction($0) } ?? .missing }
    var cells: [ReportTable.Cell] = [.missing, .missing]
    var verdict: ReportTable.Cell = .missing
    if subject.count == 1, let old = subject[0].oldPrice, let new = subject[0].newPrice {
      let loss = Double(new - old) / Double(new)
      cells = [
        .fraction(loss), cell(baseline.map { (1 - $0.value) * Double(new) / Double(old) }),
      ]
      if let observed {
        verdict = .text(
          observed.high < loss ? "below" : observed.low > loss ? "above" : "undecided")
      }
    }
    return cells + [cell(observed?.value), cell(observed?.low), cell(observed?.high), verdict]
  }
}
