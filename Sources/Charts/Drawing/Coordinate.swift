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
}
