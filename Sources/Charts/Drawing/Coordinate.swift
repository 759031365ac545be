/// Coordinates as digits.
enum Coordinate {
  /// Returns a number with at most one decimal, such as `12.5`, from -99,999 to 99,999.
  ///
  /// A tenth of a pixel cannot be seen; a second decimal would make the page 2 % longer.
  static func text(_ value: Double) -> String {
    let bounded = value.isNaN ? 0 : min(99_999, max(-99_999, value))
    let tenths = Int((bounded * 10).rounded())
    let whole = (tenths < 0 ? "-" : "") + String(tenths.magnitude / 10)
    let fraction = tenths.magnitude % 10
    return fraction == 0 ? whole : whole + ".\(fraction)"
  }

  /// Returns a part of the whole width with at most two decimals, such as `12.5%`.
  ///
  /// A hundredth is a fifth of a pixel on a plot of 2,000 pixels.
  static func percent(_ value: Double) -> String {
    let bounded = value.isNaN ? 0 : min(9_999, max(-9_999, value))
    let hundredths = Int((bounded * 100).rounded())
    guard !hundredths.isMultiple(of: 10) else { return text(Double(hundredths) / 100) + "%" }
    let fraction = hundredths.magnitude % 100
    return (hundredths < 0 ? "-" : "") + String(hundredths.magnitude / 100)
      + (fraction < 10 ? ".0" : ".") + "\(fraction)%"
  }
}
