/// Coordinates as digits.
enum Coordinate {
  /// Returns a number with at most one decimal, such as `12.5`, from -99,999 to 99,999.
  ///
  /// A figure is some 700 units wide, so that a tenth of a unit cannot be seen; a second decimal would make the page 2 %
  /// longer.
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

  /// Returns an opacity from 0 to 1 with at most two decimals, such as `0.16`.
  static func opacity(_ value: Double) -> String {
    let hundredths = value.isNaN ? 0 : Int((min(1, max(0, value)) * 100).rounded())
    guard !hundredths.isMultiple(of: 10) else { return text(Double(hundredths) / 100) }
    return (hundredths < 10 ? "0.0" : "0.") + String(hundredths)
  }
}
