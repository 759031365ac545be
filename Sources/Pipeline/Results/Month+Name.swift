public import SubscriptionModel

extension Month {
  /// The month as `September 2026`, or `fiscal period FY2026-P12`.
  ///
  /// - Parameter system: What a month is.
  /// - Returns: The name.
  public func longName(_ system: MonthSystem) -> String {
    if system == .fiscal { return "fiscal period \(system.name(self))" }
    let names = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    return "\(names[monthOfYear - 1]) \(year)"
  }
}
