import SubscriptionModel

/// Returns a rate with six decimals, rounded half to even, such as `0.905169`.
func exactRate(_ numerator: Int128, over denominator: Int128) -> String {
  let sign: Int128 = denominator < 0 ? -1 : 1
  let millionths = (numerator * sign * 1_000_000).dividedHalfToEven(by: denominator * sign)
  let (whole, part) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
  return "\(millionths < 0 ? "-" : "")\(whole).\(String(part + 1_000_000).dropFirst())"
}

extension Array where Element: Comparable {
  /// Returns ascending elements as runs of consecutive elements.
  ///
  /// - Parameter next: Returns the element after another one.
  /// - Returns: The runs: days 3, 4, 5 and 9 are 3...5 and 9...9.
  package func runs(_ next: (Element) -> Element) -> [ClosedRange<Element>] {
    var runs: [ClosedRange<Element>] = []
    for element in self {
      if let last = runs.last, next(last.upperBound) == element {
        runs[runs.count - 1] = last.lowerBound...element
      } else {
        runs.append(element...element)
      }
    }
    return runs
  }
}

extension [Day] {
  /// The sorted days as text, three or more consecutive ones as `2026-01-03 to 2026-01-07`.
  package var dayText: String {
    runs { $0 + 1 }.map { run in
      switch run.upperBound - run.lowerBound {
      case 0: "\(run.lowerBound)"
      case 1: "\(run.lowerBound), \(run.upperBound)"
      default: "\(run.lowerBound) to \(run.upperBound)"
      }
    }.joined(separator: ", ")
  }
}
