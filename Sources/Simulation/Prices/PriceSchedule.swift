/// The planted prices of a product in a storefront, by day.
///
/// Each price has a number: 0 is the catalogue's price, 1 the first planted one.
struct PriceSchedule {
  /// The planted prices, by day.
  let steps: [PriceStep]

  /// Returns the number of the price for new subscribers on a day.
  func listed(on day: Int) -> Int {
    let last = steps.lastIndex { $0.day <= day && (!$0.isGlitch || $0.day == day) }
    return last.map { $0 + 1 } ?? 0
  }

  /// Returns the number of a subscriber's next price.
  ///
  /// - Parameters:
  ///   - number: The number of the price paid before.
  ///   - day: The day of the charge.
  /// - Returns: The number of the charge's price.
  func following(_ number: Int, on day: Int) -> Int {
    var next = lasting(number)
    for place in steps.indices.dropFirst(next)
    where steps[place].day <= day && steps[place].reachesEverybody {
      next = place + 1
    }
    let listed = listed(on: day)
    return next == lasting(listed) ? listed : next
  }

  /// Returns whether a subscriber keeps a price that new subscribers no longer get.
  func isPreserved(_ number: Int, on day: Int) -> Bool {
    lasting(number) < lasting(listed(on: day))
  }

  /// Returns the number of the increase that takes effect by the end of a period.
  ///
  /// - Parameters:
  ///   - number: The number of the period's price.
  ///   - start: The period's first day.
  ///   - end: The day after the period.
  /// - Returns: The increase's number; nil if the next lasting change is no increase or not by the end,
  ///   and for a one-day price.
  func increase(after number: Int, from start: Int, to end: Int) -> Int? {
    guard lasting(number) == number,
      let next = steps.indices.dropFirst(number).first(where: { !steps[$0].isGlitch }),
      steps[next].extraLoss != nil, start < steps[next].day, steps[next].day <= end
    else { return nil }
    return next + 1
  }

  /// Returns a price's number; for a one-day price, the number of the price before it.
  private func lasting(_ number: Int) -> Int {
    var number = number
    while number > 0, steps[number - 1].isGlitch { number -= 1 }
    return number
  }
}
