extension Int128 {
  /// Returns the quotient rounded to the nearest integer, half to even.
  ///
  /// - Parameter divisor: A number above 0.
  /// - Returns: The rounded quotient.
  package func dividedHalfToEven(by divisor: Int128) -> Int128 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    let twice = remainder.magnitude * 2
    let isUp = twice > divisor.magnitude || (twice == divisor.magnitude && quotient % 2 != 0)
    return isUp ? quotient + (self < 0 ? -1 : 1) : quotient
  }

  /// Returns the quotient rounded to the nearest integer, half up.
  ///
  /// - Parameter divisor: A number above 0.
  /// - Returns: The rounded quotient.
  package func dividedHalfUp(by divisor: Int128) -> Int128 {
    let (quotient, remainder) = (2 * self + divisor).quotientAndRemainder(dividingBy: 2 * divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
