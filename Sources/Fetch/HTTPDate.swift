import SubscriptionModel

/// A date in a header: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
package enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the seconds since 1970; `nil` for another text.
  package static func seconds(_ text: String) -> Int64? {
    let parts = text.split(separator: " ").map(String.init)
    guard parts.count == 6, parts[5] == "GMT", let dayOfMonth = Int(parts[1]),
      let month = months.firstIndex(of: parts[2]), let year = Int(parts[3]),
      let day = Day(year: year, month: month + 1, day: dayOfMonth)
    else { return nil }
    let time = parts[4].split(separator: ":").compactMap { Int64($0) }
    guard time.count == 3, 0..<24 ~= time[0], 0..<60 ~= time[1], 0...60 ~= time[2] else {
      return nil
    }
    return Int64(day.number) * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2]
  }
}
