import SubscriptionModel

extension Month {
  /// The month as `September 2026`, or `fiscal period 2026-12`.
  func longName(_ system: MonthSystem) -> String {
    if system == .fiscal { return "fiscal period \(self)" }
    let names = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    return "\(names[monthOfYear - 1]) \(year)"
  }
}
