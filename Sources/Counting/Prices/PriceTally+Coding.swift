import Storage
import SubscriptionModel

extension PriceTally {
  /// Writes the counts of chains, or reads them into an empty tally; without the durations of SALES.
  mutating func code<Coder: ValueCoder>(with coder: inout Coder) {
    let blank = Point(key: .blank, milliunits: 0)
    var prices = zip(points, days).map { (point: $0, days: $1) }
    coder.list(&prices, blank: (blank, Days())) { price, coder in
      price.point.key.code(with: &coder)
      coder.integer(&price.point.milliunits)
      price.days.renewals.code(with: &coder)
      price.days.new.code(with: &coder)
      price.days.otherCharges.code(with: &coder)
      price.days.withoutPlace.code(with: &coder)
    }
    for (number, price) in prices.enumerated() {
      guard coder.isValid, self.number(of: price.point) == number else { return coder.fail() }
      days[number] = price.days
    }
    var admitted = admitted
    coder.dictionary(&admitted, blank: (.blank, 0)) { key, count, coder in
      key.code(with: &coder)
      coder.count(&count)
    }
    if coder.isReading { for (key, count) in admitted { admit(key, count) } }
    let transition = Transition(
      origin: .unknownPeriod, point: 0, isPreserved: false, day: Day(number: 0))
    coder.dictionary(&transitions, blank: (transition, 0)) { transition, count, coder in
      transition.code(with: &coder)
      coder.count(&count)
    }
    if !transitions.keys.allSatisfy({ $0.isOf(points.indices) }) { coder.fail() }
  }
}

extension PriceTally.Transition {
  fileprivate mutating func code(with coder: inout some ValueCoder) {
    var (before, wasPreserved): (Int32, Bool) =
      switch origin {
      case .period(let point, let isPreserved): (point, isPreserved)
      case .unknownPeriod: (-1, false)
      }
    coder.integer(&before)
    coder.flag(&wasPreserved)
    origin = before < 0 ? .unknownPeriod : .period(at: before, isPreserved: wasPreserved)
    coder.integer(&point)
    coder.flag(&isPreserved)
    coder.day(&day)
  }

  /// Returns whether the numbers of both prices are in a range.
  fileprivate func isOf(_ points: Range<Int>) -> Bool {
    if case .period(let before, _) = origin, !points.contains(Int(before)) { return false }
    return points.contains(Int(point))
  }
}
