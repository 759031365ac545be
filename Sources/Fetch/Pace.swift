import SubscriptionModel

/// When the next request may start: FETCH.md, *Requests*.
struct Pace {
  /// The most requests that start within a window.
  private let limit: Int
  /// The length of the window, in milliseconds.
  private let window: Int64
  private var starts: [Int64] = []
  /// No request starts before.
  private var blockedUntil: Int64 = 0
  private var isSlow = false

  /// The time between requests when Apple has few left for us, in milliseconds.
  private static let slowPause: Int64 = 15_000

  /// Creates a pace; a limit of 0 is none.
  init(_ limit: Int, per window: Int64 = 60_000) { (self.limit, self.window) = (limit, window) }

  /// Returns when the next request may start, in milliseconds since 1970.
  func next(_ now: Int64) -> Int64 {
    var time = max(now, blockedUntil)
    if isSlow, let last = starts.last { time = max(time, last + Self.slowPause) }
    if limit > 0, starts.count >= limit { time = max(time, starts[starts.count - limit] + window) }
    return time
  }

  mutating func started(_ now: Int64) {
    starts.append(now)
    if starts.count > 2 * max(limit, 1) { starts.removeFirst(starts.count - max(limit, 1)) }
  }

  mutating func block(until time: Int64) { blockedUntil = max(blockedUntil, time) }

  /// Reads Apple's counts, such as `user-hour-lim:3600;user-hour-rem:3121;`.
  mutating func read(_ header: String?) {
    guard let header else { return }
    var counts: [String: Int] = [:]
    for part in header.split(whereSeparator: { $0 == ";" || $0 == "," }) {
      let pair = part.split(separator: ":")
      guard pair.count == 2 else { continue }
      counts[Self.trimmed(pair[0])] = Int(Self.trimmed(pair[1]))
    }
    isSlow = ["user-hour", "user-minute"].contains { name in
      guard let most = counts[name + "-lim"], let rest = counts[name + "-rem"], most > 0 else {
        return false
      }
      return Double(rest) < 0.05 * Double(most)
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

/// The time to wait after an answer, by its `Retry-After`.
enum RetryAfter {
  static func milliseconds(_ answer: FetchAnswer, _ now: Int64) -> Int64? {
    answer.header("retry-after").flatMap { milliseconds($0, now) }
  }

  /// Returns the milliseconds to wait; `nil` for a text that is no time.
  ///
  /// Above 10¹² the number is milliseconds since 1970, above 10⁹ seconds since 1970, otherwise seconds. A date is that
  /// of HTTP.
  static func milliseconds(_ text: String, _ now: Int64) -> Int64? {
    if let number = Int64(text).map({ max(0, $0) }) {
      let time =
        number > 1_000_000_000_000
        ? number - now
        : number > 1_000_000_000 ? 1_000 * number - now : 1_000 * number
      return max(0, time)
    }
    return HTTPDate.seconds(text).map { max(0, 1_000 * $0 - now) }
  }
}

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
