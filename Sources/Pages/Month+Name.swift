package import SubscriptionModel

extension Month {
  /// Returns the month as `September 2026`, or `fiscal period FY2026-P12`.
  ///
  /// - Parameter system: The calendar or fiscal month system.
  /// - Returns: The name.
  package func longName(_ system: MonthSystem) -> String {
    if system == .fiscal { return "fiscal period \(system.name(self))" }
    let names = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    return "\(names[monthOfYear - 1]) \(year)"
  }
}

extension String {
  /// The text with a capital first letter, for the beginning of a sentence.
  ///
  /// Such as `Fiscal period FY2026-P12` of `fiscal period FY2026-P12`; other letters than those of ASCII stay.
  package var capitalizedFirst: String {
    guard let first = utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
      return self
    }
    return String(UnicodeScalar(first - 32)) + dropFirst()
  }
}
