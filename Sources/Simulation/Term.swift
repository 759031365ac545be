/// The duration of a period or an offer.
struct Term {
  /// The text in Apple's reports, such as `3 Months`.
  let text: String
  let months: Int
  let days: Int

  /// The ISO 8601 duration in receipts, such as `P3M`.
  var isoText: String {
    months == 0 ? "P\(days)D" : months == 12 ? "P1Y" : "P\(months)M"
  }

  static let threeDays = Term(text: "3 Days", months: 0, days: 3)
  static let week = Term(text: "7 Days", months: 0, days: 7)
  static let twoWeeks = Term(text: "2 Weeks", months: 0, days: 14)
  static let month = Term(text: "1 Month", months: 1, days: 0)
  static let quarter = Term(text: "3 Months", months: 3, days: 0)
  static let year = Term(text: "1 Year", months: 12, days: 0)
}
