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
