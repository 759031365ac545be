import SubscriptionModel

extension PriceTally {
  /// Writes the counts of chains, or reads them into an empty tally; the durations of SALES are not included.
  mutating func code<Coder: ValueCoder>(with coder: inout Coder) {
    let blank = Point(key: .blank, milliunits: 0)
    var prices = zip(points, days).map { (point: $0, days: $1) }
    coder.list(&prices, blank: (blank, Days())) { price, coder in
      price.point.key.code(with: &coder)
      coder.integer(&price.point.milliunits)
      price.days.renewals.code(with: &coder)
      price.days.new.code(with: &coder)
      price.days.elsewhere.code(with: &coder)
      price.days.withoutPlace.code(with: &coder)
    }
    for (number, price) in prices.enumerated() {
      guard coder.isValid, self.number(of: price.point) == number else { return coder.fail() }
      days[number] = price.days
    }
    var admitted = admitted.map { (key: $0.key, count: $0.value) }
    coder.list(&admitted, blank: (.blank, 0)) { entry, coder in
      entry.key.code(with: &coder)
      coder.integer(&entry.count)
    }
    if coder.isReading { for (key, count) in admitted { admit(key, count) } }
    codeArrivals(with: &coder)
  }

  private mutating func codeArrivals<Coder: ValueCoder>(with coder: inout Coder) {
    var entries = arrivals.map { (arrival: $0.key, count: $0.value) }
    let blank = Arrival(
      origin: .unknownPeriod, point: 0, isPreserved: false, day: Day(number: 0))
    coder.list(&entries, blank: (blank, 0)) { entry, coder in
      entry.arrival.code(with: &coder)
      coder.integer(&entry.count)
    }
    guard coder.isReading else { return }
    arrivals = [:]
    for (arrival, count) in entries {
      guard points.indices.contains(Int(arrival.point)), arrival.origin.isOf(points) else {
        return coder.fail()
      }
      add(count, arrival)
    }
  }
}

extension PriceTally.Arrival {
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
}

extension PriceTally.Origin {
  fileprivate func isOf(_ points: [PriceTally.Point]) -> Bool {
    guard case .period(let point, _) = self else { return true }
    return points.indices.contains(Int(point))
  }
}
