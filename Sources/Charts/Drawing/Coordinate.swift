/// Coordinates as digits.
enum Coordinate {
  /// Returns a number with at most two decimals, such as `12.5`, from -99,999 to 99,999.
  static func text(_ value: Double) -> String {
    let bounded = value.isNaN ? 0 : min(99_999, max(-99_999, value))
    let hundredths = Int((bounded * 100).rounded())
    let fraction = hundredths.magnitude % 100
    let sign = hundredths < 0 ? "-" : ""
    let whole = sign + String(hundredths.magnitude / 100)
    if fraction == 0 { return whole }
    if fraction.isMultiple(of: 10) { return whole + ".\(fraction / 10)" }
    return whole + (fraction < 10 ? ".0" : ".") + String(fraction)
  }
}
