package import Storage
package import SubscriptionModel

extension ReferenceBridge {
  /// A bridge, by what it is one of.
  package struct Name: Hashable, Sendable {
    /// The fiscal period.
    package var period: FiscalPeriod
    /// The region's code.
    package var region: String
    /// The currency.
    package var currency: Symbol

    /// Creates a name.
    package init(period: FiscalPeriod, region: String, currency: Symbol) {
      (self.period, self.region, self.currency) = (period, region, currency)
    }
  }

  /// Steps 10 to 30 of a bridge.
  package func lines(_ name: Name) -> [Line] {
    let period = name.period
    let missing = days(period).filter { !records.salesDays.contains($0) }
    let sales = own(sold, name) { $0.period == period }
    var lines = [
      Line(10, sum(sales.filter { !$0.isRefund })), Line(11, sum(sales.filter(\.isRefund))),
    ]
    if missing.count == days(period).count {
      lines = [Line(10, nil), Line(11, nil)]
    } else if !missing.isEmpty {
      for index in 0...1 { lines[index].estimate() }
    }
    let isCounted = hasDetail(period)
    if isCounted {
      let beside = own(settled, name) { $0.period == period && isBesideMissingDay($0) }
      var line = Line(12, sum(own(unseen, name) { $0.period == period } + beside))
      if !missing.isEmpty { line.estimate() }
      lines.append(line)
    } else {
      lines.append(Line(12, nil))
    }
    if isCounted {
      lines += counted(name, isComplete: missing.isEmpty)
    } else if !statements(period).isEmpty {
      lines += lagged(name, hasSales: missing.count < days(period).count)
    } else {
      lines += [20, 21, 22, 23].map { Line($0, nil) }
      lines += [Line(24, nil, part: "70/85"), Line(24, nil, part: "other"), Line(25, nil)]
    }
    return lines + ending(name, lines, isComplete: missing.isEmpty)
  }

  private func own(
    _ units: [Unit], _ name: Name, by day: (Unit) -> Day = { $0.day }, _ isIn: (Unit) -> Bool
  ) -> [Unit] {
    units.filter {
      isIn($0) && $0.currency == name.currency
        && region($0.country, $0.currency, day($0), name.period) == name.region
    }
  }

  private func sum(_ units: [Unit]) -> Int128 { units.map(\.value).reduce(0, +) }

  // MARK: Counting

  /// Whether nothing was sold for a settled unit, which may be of the day before or after, of which there is
  /// no report.
  private func isBesideMissingDay(_ unit: Unit) -> Bool {
    !areDaysEqual && unit.partner == nil && origins(unit).isEmpty
      && [-1, 1].contains {
        days(unit.period).contains(unit.day + $0) && !records.salesDays.contains(unit.day + $0)
      }
  }

  private func counted(_ name: Name, isComplete: Bool) -> [Line] {
    let period = name.period
    let isNextThere = hasDetail(period + 1)
    let isFinal = isNextThere && hasDetail(period + 2)
    let longest = lags { _ in true }.last?.days ?? 0
    let into = own(settled + unseen, name) { $0.settled?.period == period && $0.counts != period }
    let out = own(settled + unseen, name, by: { $0.countedDay }) {
      $0.settled?.period != period && $0.counts == period
    }
    let surplus = own(sold, name) { $0.period == period && $0.partner == nil }
    let displaced = surplus.filter { destination($0) != nil }
    let lonely = surplus.filter { destination($0) == nil }
    let isRecent = { (unit: Unit) in !isNextThere && unit.day > period.lastDay - longest }
    let (openSales, openReturns) = (
      lonely.filter { !$0.isReturn && isRecent($0) }, lonely.filter { $0.isReturn && isRecent($0) }
    )
    let open = isFinal ? [] : lonely
    let expected = expectedShares(name)
    let out21 = -sum(out.filter { !$0.isReturn })
    let own22 = sum(into.filter(\.isReturn)) - sum(out.filter(\.isReturn))
    let differences = shareDifferences(name)
    var lines = [
      Line(20, sum(into.filter { !$0.isReturn })),
      Line(21, out21 - sum(openSales)),
      Line(22, own22 - sum(openReturns)),
      Line(23, -sum(lonely.filter { !isRecent($0) })),
      Line(24, differences.rate, part: "70/85"), Line(24, differences.other, part: "other"),
    ]
    lines[1].hold(
      out21 - times(85, 70, open.filter { !$0.isReturn }) - expected.sales, out21)
    lines[2].hold(
      own22, own22 - times(85, 70, open.filter(\.isReturn)) + expected.returns)
    if !isFinal {
      lines[3].hold(
        -sum(open.filter { !$0.isReturn }), -sum(open.filter(\.isReturn)))
    }
    let (sales, returns) = (open.filter { !$0.isReturn }, open.filter(\.isReturn))
    lines[4].hold(
      differences.rate + times(-15, 85, sales) + times(15, 70, returns),
      differences.rate + times(15, 70, sales) + times(-15, 85, returns))
    for index in 0...3 {
      let (loss, gain) = edges(name, lines[index].step)
      let amount = lines[index].amount ?? 0
      lines[index].hold(
        (lines[index].low ?? amount) + loss, (lines[index].high ?? amount) + gain)
    }
    lines += otherRegion(name, displaced, expected)
    for index in lines.indices where !isComplete && lines[index].step >= 23 {
      if lines[index].status == "exact" {
        lines[index].estimate(lines[index].amount, lines[index].amount)
      }
    }
    return lines
  }

  // MARK: The edges of the period

  /// What units of a day beside an edge would change in a line on its other side, losses and gains apart.
  private func edges(_ name: Name, _ step: Int) -> (loss: Int128, gain: Int128) {
    var found: (loss: Int128, gain: Int128) = (0, 0)
    guard !areDaysEqual else { return found }
    let unsettled = sold.filter { $0.partner == nil && destination($0) == nil }
    let details = settled.filter { $0.partner?.day != $0.day }
      .filter { $0.partner != nil || origins($0).isEmpty }
    for unit in details + unsettled where unit.currency == name.currency {
      let days = [unit.day] + [unit.partner?.day].compactMap(\.self)
      let edges = Set(days.flatMap { day in (-4...5).map { day + $0 } })
        .filter { FiscalPeriod(containing: $0).firstDay == $0 }
      for first in edges {
        let there: Day
        if unit.counts.lastDay == first - 1 {
          there = first
        } else if unit.counts.firstDay == first {
          there = first - 1
        } else {
          continue
        }
        let here = there == first ? first - 1 : first
        let change =
          amount(unit, on: there, name, step, isOwn: false)
          - amount(unit, on: here, name, step, isOwn: true)
        if change < 0 { found.loss += change } else { found.gain += change }
      }
    }
    return found
  }

  /// What a unit adds to a line if it counts in the period of a day.
  private func amount(
    _ unit: Unit, on day: Day, _ name: Name, _ step: Int, isOwn: Bool
  ) -> Int128 {
    let period = FiscalPeriod(containing: day)
    let isHere =
      name.period == period
      && name.region == region(unit.country, unit.currency, day, period)
    guard let statement = unit.settled?.period else {
      let isFinal = hasDetail(period + 1) && hasDetail(period + 2)
      guard isHere, hasDetail(period), !isOwn || isFinal else { return 0 }
      let longest = lags { _ in true }.last?.days ?? 0
      let isRecent = !hasDetail(period + 1) && day > period.lastDay - longest
      let own = isRecent ? (unit.isReturn ? 22 : 21) : 23
      return step == own ? -unit.value : 0
    }
    guard statement != period else { return 0 }
    let isThere =
      name.period == statement
      && name.region == region(unit.country, unit.currency, unit.day, statement)
    var amount: Int128 = 0
    if isThere, step == (unit.isReturn ? 22 : 20) { amount += unit.value }
    if isHere, step == (unit.isReturn ? 22 : 21) { amount -= unit.value }
    return amount
  }

  /// A part of what units are worth; of returns that is below 0.
  private func times(_ over: Int128, _ under: Int128, _ units: [Unit]) -> Int128 {
    nearest(sum(units) * over, under)
  }

  /// The whole number next to a quotient, of two the even one.
  private func nearest(_ over: Int128, _ under: Int128) -> Int128 {
    let (down, rest) = abs(over).quotientAndRemainder(dividingBy: under)
    let isUp = rest * 2 > under || (rest * 2 == under && down % 2 == 1)
    return (over < 0 ? -1 : 1) * (isUp ? down + 1 : down)
  }

  /// What sales of a country that is settled here may still bring, product by product.
  private func expectedShares(_ name: Name) -> (sales: Int128, returns: Int128) {
    guard !hasDetail(name.period + 1) || !hasDetail(name.period + 2) else { return (0, 0) }
    let moved = sold.filter {
      $0.period == name.period && $0.partner == nil && destination($0) == name
    }
    var found: [Int128] = [0, 0]
    for (index, isReturn) in [false, true].enumerated() {
      for country in Set(moved.map(\.country)) {
        for product in Set(moved.map(\.product)) {
          let isOne = { (unit: Unit) in
            unit.isReturn == isReturn && unit.country == country && unit.product == product
          }
          let ever = settled.filter {
            isOne($0) && $0.currency == name.currency && $0.partner == nil && !origins($0).isEmpty
          }
          let now = ever.filter { $0.period == name.period }
          let open = moved.count(where: isOne) - now.count
          let known = now.isEmpty ? ever : now
          guard open > 0 else { continue }
          if !known.isEmpty {
            found[index] += nearest(abs(sum(known)) * Int128(open), Int128(known.count))
          } else if let rate = highestRate(country, name.currency) {
            let own = abs(sum(moved.filter(isOne)))
            let count = Int128(moved.count(where: isOne))
            found[index] += nearest(own * rate.settled * Int128(open), rate.sold * count)
          }
        }
      }
    }
    return (found[0], found[1])
  }

  /// The highest rate at which sales of a country were ever settled in a currency: the mean settled share of a
  /// product, or of its returns, over its mean proceeds.
  private func highestRate(
    _ country: Symbol, _ currency: Symbol
  ) -> (settled: Int128, sold: Int128)? {
    var highest: (settled: Int128, sold: Int128)?
    for isReturn in [false, true] {
      for product in Set(sold.map(\.product)) {
        let isOne = { (unit: Unit) in
          unit.isReturn == isReturn && unit.country == country && unit.product == product
            && unit.partner == nil
        }
        let details = settled.filter {
          isOne($0) && $0.currency == currency && !origins($0).isEmpty
        }
        let sales = sold.filter { isOne($0) && destination($0)?.currency == currency }
        guard !details.isEmpty, sum(sales) != 0 else { continue }
        let rate = (
          settled: abs(sum(details)) * Int128(sales.count),
          sold: abs(sum(sales)) * Int128(details.count)
        )
        if let best = highest, rate.settled * best.sold <= best.settled * rate.sold { continue }
        highest = rate
      }
    }
    return highest
  }

  private func shareDifferences(_ name: Name) -> (rate: Int128, other: Int128) {
    var found: (rate: Int128, other: Int128) = (0, 0)
    var seen: [Unit] = []
    let details = own(settled, name, by: { $0.countedDay }) { $0.counts == name.period }
    for key in details where !seen.contains(where: key.isLike) {
      seen.append(key)
      let like = details.filter(key.isLike)
      let sales = own(sold, name) { $0.period == name.period && key.isLike($0) }
      let difference = like.compactMap { unit in unit.partner.map { unit.value - $0.value } }
        .reduce(0, +)
      let isRate = like.allSatisfy { unit in
        sales.contains { sale in
          unit.share == sale.share || isOtherRate(unit, sale, 85.0 / 70)
            || isOtherRate(unit, sale, 70.0 / 85)
        }
      }
      if isRate { found.rate += difference } else { found.other += difference }
    }
    return found
  }

  private func isOtherRate(_ unit: Unit, _ sale: Unit, _ rate: Double) -> Bool {
    let expected = Double(sale.share) * rate
    let half: Double = texts[Int(unit.currency)] == "JPY" ? 500 : 5
    return abs(Double(unit.share) - expected) <= max(expected * 0.005, half + half * rate) + 1e-9
  }

  // MARK: Other regions

  /// The bridge in which the country of a sale is settled, when that is another one.
  private func destination(_ sale: Unit) -> Name? {
    let key = [UInt32(bitPattern: sale.period.number), sale.country, sale.currency]
    if let name = known.destinations[key] { return name }
    let name = foundDestination(sale)
    known.destinations[key] = .some(name)
    return name
  }

  private func foundDestination(_ sale: Unit) -> Name? {
    var bridges: Set<Name> = []
    for period in [sale.period, sale.period + 1, sale.period + 2] {
      for statement in statements(period) {
        for row in statement.rows where row.country == sale.country && row.partnerShare != 0 {
          for region in regions(of: row, in: statement) {
            bridges.insert(Name(period: sale.period, region: region, currency: row.currency))
          }
        }
      }
    }
    guard bridges.count == 1, let only = bridges.first else { return nil }
    guard only.currency == sale.currency else { return only }
    let own = sold.filter {
      $0.period == sale.period && $0.country == sale.country && $0.currency == sale.currency
    }.map { region($0.country, $0.currency, $0.day, $0.period) }
    let isMove = isEver(sale.country, sale.currency, in: only.region)
    return own.contains(only.region) || isMove ? nil : only
  }

  /// The bridges that the country of a settled unit is sold in, when that is not the one it is settled in.
  private func origins(_ unit: Unit) -> [String] {
    let here = Name(
      period: unit.period, region: region(unit.country, unit.currency, unit.day, unit.period),
      currency: unit.currency)
    return sold.filter { $0.period == unit.period && $0.country == unit.country }
      .filter { destination($0) == here }
      .map { "\(region($0.country, $0.currency, $0.day, $0.period)) \(texts[Int($0.currency)])" }
  }

  private func otherRegion(
    _ name: Name, _ displaced: [Unit], _ expected: (sales: Int128, returns: Int128)
  ) -> [Line] {
    var amounts: [String: Int128] = [:]
    for unit in displaced {
      guard let other = destination(unit) else { continue }
      amounts["\(other.region) \(texts[Int(other.currency)])", default: 0] -= unit.value
    }
    for unit in settled where unit.counts == name.period && unit.settled?.period == name.period {
      let there = region(unit.country, unit.currency, unit.day, name.period)
      let here = region(unit.country, unit.currency, unit.countedDay, name.period)
      guard there != here, unit.currency == name.currency else { continue }
      if name.region == here {
        amounts["\(there) \(texts[Int(unit.currency)])", default: 0] -= unit.value
      } else if name.region == there {
        amounts["\(here) \(texts[Int(unit.currency)])", default: 0] += unit.value
      }
    }
    let surplus = own(settled, name) { $0.partner == nil && $0.period == name.period }
    for unit in surplus {
      guard let origin = origins(unit).min() else { continue }
      amounts[origin, default: 0] += unit.value
    }
    if expected.sales + expected.returns > 0 {
      let moved = sold.filter {
        $0.period == name.period && $0.partner == nil && destination($0) == name
      }
      let origin = moved.map {
        "\(region($0.country, $0.currency, $0.day, $0.period)) \(texts[Int($0.currency)])"
      }.min()
      if let origin { amounts[origin, default: 0] += 0 }
    }
    guard !amounts.isEmpty else { return [Line(25, 0)] }
    return amounts.sorted { $0.key < $1.key }.map { part, amount in
      var line = Line(25, amount, part: part)
      if destinationNames(name).contains(part) {
        line.hold(amount - expected.returns, amount + expected.sales)
      }
      return line
    }
  }

  /// The bridges whose sales are settled in this one.
  private func destinationNames(_ name: Name) -> Set<String> {
    Set(
      sold.filter { $0.period == name.period && destination($0) == name }
        .map { "\(region($0.country, $0.currency, $0.day, $0.period)) \(texts[Int($0.currency)])" })
  }

  // MARK: Lags

  /// The units settled after so many days.
  private func lags(_ isCounted: (FinanceRow) -> Bool) -> [(days: Int, units: Int)] {
    var units: [Int: Int] = [:]
    for row in records.statements.flatMap(\.rows) where isCounted(row) {
      guard let sold = row.transactionDay, let settled = row.settlementDay else { continue }
      units[max(0, settled - sold), default: 0] += Int(abs(row.quantity))
    }
    return units.sorted { $0.key < $1.key }.map { ($0, $1) }
  }

  private func usualRange(_ lags: [(days: Int, units: Int)]) -> ClosedRange<Int> {
    let all = lags.flatMap { Array(repeating: $0.days, count: $0.units) }
    let rank = { (percent: Double) in
      all[max(0, Int((percent * Double(all.count) / 100).rounded(.up)) - 1)]
    }
    return rank(5)...rank(95)
  }

  private func lags(isReturn: Bool) -> [(days: Int, units: Int)] {
    let found = lags { $0.isReturn == isReturn }
    return found.isEmpty ? Self.usual : found
  }

  /// Whether every day before a period is there that a sale or a return may come from.
  private func hasDaysBefore(_ period: FiscalPeriod) -> Bool {
    let needed = [false, true].map { usualRange(lags(isReturn: $0)).upperBound }.max() ?? 0
    return (0..<needed).allSatisfy { records.salesDays.contains(period.firstDay - 1 - $0) }
  }

  private static let usual = [(0, 120), (1, 150), (2, 7), (3, 7), (4, 7), (9, 9)]
    .map { (days: $0, units: $1) }

  private func lagged(_ name: Name, hasSales: Bool) -> [Line] {
    let isIn = { (day: Day) in day >= name.period.firstDay && day <= name.period.lastDay }
    func amount(_ step: Int, _ lag: Int, _ product: Symbol? = nil) -> Int128 {
      let units = own(sold, name) {
        $0.isReturn == (step == 22) && (product == nil || $0.product == product)
      }
      return units.map { unit in
        switch (isIn(unit.day), isIn(unit.day + lag)) {
        case (false, true) where step != 21: unit.value
        case (true, false) where step != 20: -unit.value
        default: 0
        }
      }.reduce(0, +)
    }
    let hasBefore = { (needed: Int) in
      (0..<needed).allSatisfy { records.salesDays.contains(name.period.firstDay - 1 - $0) }
    }
    let estimates = [20, 21, 22].map { step -> Line in
      let lags = lags(isReturn: step == 22)
      guard hasSales, step != 20 || hasBefore(usualRange(lags).upperBound) else {
        return Line(step, nil)
      }
      let total = lags.map(\.units).reduce(0, +)
      let means = Set(sold.map(\.product)).map { product in
        let weighted = lags.map { Double($0.units) * Double(amount(step, $0.days, product)) }
          .reduce(0, +)
        return Int128((weighted / Double(total)).rounded(.toNearestOrEven))
      }
      var line = Line(step, means.reduce(0, +))
      let amounts = usualRange(lags).map { amount(step, $0) }
      line.estimate(amounts.min(), amounts.max())
      return line
    }
    var others: [String] = []
    for unit in own(sold, name, { $0.period == name.period }) {
      guard let other = destination(unit) else { continue }
      others.append("\(other.region) \(texts[Int(other.currency)])")
    }
    for (_, row) in settlement(name.period).filter({ $0.region == name.region })
    where row.currency == name.currency {
      for sale in sold where sale.country == row.country && sale.period == name.period {
        guard destination(sale)?.currency == row.currency else { continue }
        others.append(
          "\(region(sale.country, sale.currency, sale.day, sale.period)) \(texts[Int(sale.currency)])"
        )
      }
    }
    return estimates + [
      Line(23, nil), Line(24, nil, part: "70/85"), Line(24, nil, part: "other"),
    ] + (others.isEmpty ? [Line(25, 0)] : Set(others).sorted().map { Line(25, nil, part: $0) })
  }

  // MARK: The settlement

  private func ending(_ name: Name, _ lines: [Line], isComplete: Bool) -> [Line] {
    let forms = statements(name.period).map(\.form)
    let own = own(sold, name) { $0.period == name.period }
    let isEmptied = !own.isEmpty && own.allSatisfy { destination($0) != nil }
    let isKnown =
      isEmptied && !forms.isEmpty || forms.contains(.single) || forms.contains(.detail)
      || forms.contains(.region(name.region))
    guard isKnown, !isUndated(name) else { return [Line(29, nil), Line(30, nil)] }
    let share = settlement(name.period)
      .filter { $0.region == name.region && $0.row.currency == name.currency }
      .map { Int128($0.row.extendedShare) }.reduce(0, +)
    let known = lines.compactMap(\.amount).reduce(0, +)
    var unexplained = Line(29, share - known)
    if !hasDetail(name.period) {
      unexplained = Line(29, nil)
      let needed = lines.filter { ![12, 23, 24].contains($0.step) }
      if isComplete, hasDaysBefore(name.period), needed.allSatisfy({ $0.amount != nil }) {
        unexplained.low = share - needed.compactMap { $0.high ?? $0.amount }.reduce(0, +)
        unexplained.high = share - needed.compactMap { $0.low ?? $0.amount }.reduce(0, +)
      }
    }
    return [unexplained, Line(30, share)]
  }
}
