import SubscriptionModel

/// Which sold unit is which settled one, each unit compared with each other.
extension ReferenceBridge {
  /// Whether, in all periods with their detail and the next one's, as many units of a key pair on the same day
  /// as their counts allow.
  func foundEqualDays() -> Bool {
    let telling = Set(records.statements.map(\.period))
      .filter { hasDetail($0) && hasDetail($0 + 1) }
    return !telling.isEmpty
      && telling.allSatisfy { period in
        keys(sold + settled).allSatisfy { key in
          let sales = sold.filter { $0.isLike(key) && $0.period == period }
          let details = settled.filter { $0.isLike(key) && $0.period == period }
          let pairs = days(period).map { day in
            min(sales.count { $0.day == day }, details.count { $0.day == day })
          }
          return pairs.reduce(0, +) == min(sales.count, details.count)
        }
      }
  }

  func pairUnits() {
    if areDaysEqual {
      pair { $0.day == $1.day && $0.share == $1.share }
      pair { $0.day == $1.day }
    } else {
      let largest = keys(sold).map { ($0, largestPairing($0)) }
      pair { $0.day == $1.day && $0.share == $1.share }
      pair { abs($0.day - $1.day) <= 1 && $0.share == $1.share }
      pair { $0.day == $1.day }
      pair { abs($0.day - $1.day) <= 1 }
      for (key, most) in largest {
        while settled.count(where: { $0.isLike(key) && $0.partner != nil }) < most {
          pairNearest(key)
        }
      }
    }
    pair {
      $0.period == $1.period && hasDetail($0.period + 1)
        && region($0.country, $0.currency, $0.day, $0.period)
          == region($1.country, $1.currency, $1.day, $1.period)
    }
  }

  private func keys(_ units: [Unit]) -> [Unit] {
    var keys: [Unit] = []
    for unit in units where !keys.contains(where: unit.isLike) { keys.append(unit) }
    return keys
  }

  private func pair(_ fits: (Unit, Unit) -> Bool) {
    for detail in settled where detail.partner == nil {
      for sale in sold where sale.partner == nil && sale.isLike(detail) && fits(sale, detail) {
        (sale.partner, detail.partner) = (detail, sale)
        break
      }
    }
  }

  /// Pairs the two units that are the least days apart; of several the first.
  private func pairNearest(_ key: Unit) {
    var best: (sale: Unit, detail: Unit)?
    for detail in settled where detail.partner == nil && detail.isLike(key) {
      for sale in sold where sale.partner == nil && sale.isLike(key) {
        if let best, abs(best.sale.day - best.detail.day) <= abs(sale.day - detail.day) { continue }
        best = (sale, detail)
      }
    }
    guard let best else { return }
    (best.sale.partner, best.detail.partner) = (best.detail, best.sale)
  }

  /// How many pairs of units at most a day apart there can be: each new pair may push others aside.
  private func largestPairing(_ key: Unit) -> Int {
    let sales = sold.filter(key.isLike)
    let details = settled.filter(key.isLike)
    var partners = [Int?](repeating: nil, count: details.count)
    func finds(_ sale: Int, _ tried: inout Set<Int>) -> Bool {
      for detail in details.indices where abs(sales[sale].day - details[detail].day) <= 1 {
        guard tried.insert(detail).inserted else { continue }
        guard let other = partners[detail], !finds(other, &tried) else {
          partners[detail] = sale
          return true
        }
      }
      return false
    }
    return sales.indices.count { sale in
      var tried: Set<Int> = []
      return finds(sale, &tried)
    }
  }
}
