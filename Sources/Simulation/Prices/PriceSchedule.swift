/// The planted prices of a product in a storefront, by day.
///
/// A price has a number: 0 is the catalogue's, 1 the first planted one.
struct PriceSchedule {
  /// In the order of their days.
  let steps: [PriceStep]

  /// Returns the number of the price that everybody new pays on a day.
  func listed(on day: Int) -> Int {
    let last = steps.lastIndex { $0.day <= day && (!$0.isGlitch || $0.day == day) }
    return last.map { $0 + 1 } ?? 0
  }

  /// Finds the price of somebody's next charge.
  ///
  /// - Parameters:
  ///   - number: The number of the price paid before.
  ///   - day: The day of the charge.
  /// - Returns: The number of its price.
  func following(_ number: Int, on day: Int) -> Int {
    var next = lasting(number)
    for place in steps.indices.dropFirst(next)
    where steps[place].day <= day && steps[place].reachesEverybody {
      next = place + 1
    }
    let listed = listed(on: day)
    return next == lasting(listed) ? listed : next
  }

  /// Whether somebody pays a price that is not to be had any more.
  func isPreserved(_ number: Int, on day: Int) -> Bool {
    lasting(number) < lasting(listed(on: day))
  }

  /// Finds the increase that is met when a period ends.
  ///
  /// - Parameters:
  ///   - number: The number of the period's price.
  ///   - start: The period's first day.
  ///   - end: The day on which it is over.
  /// - Returns: The increase's number; nothing if the price does not rise next.
  func increase(after number: Int, from start: Int, to end: Int) -> Int? {
    guard lasting(number) == number,
      let next = steps.indices.dropFirst(number).first(where: { !steps[$0].isGlitch }),
      steps[next].extraLoss != nil, start < steps[next].day, steps[next].day <= end
    else { return nil }
    return next + 1
  }

  /// Returns a price's number, or for the price of one day that of the price around it.
  private func lasting(_ number: Int) -> Int {
    var number = number
    while number > 0, steps[number - 1].isGlitch { number -= 1 }
    return number
  }
}
