import Scanning
import SubscriptionModel

/// An instant as a record states it, under several keys and in any order (METRICS.md 3.6).
///
/// `X_ms` goes before `X`, which is a text or a number, and that before `X_formatted`. What is no instant
/// from 2008 to 2099 is not stated. The `_pst` keys are never read: their hour is ambiguous once a year.
struct StatedInstant {
  /// Which key says it; a later case goes before an earlier one.
  enum Form: UInt8 {
    case formatted = 1
    case plain
    case milliseconds
  }

  /// Seconds since 1970; 0 as long as nothing was stated.
  private(set) var seconds: UInt32 = 0
  private var form: UInt8 = 0

  /// The instant, if one was stated.
  var value: Instant? { seconds == 0 ? nil : Instant(seconds: seconds) }

  /// Adds what a key says.
  mutating func add(_ value: JSONScalar, _ text: Span<UInt8>, _ form: Form) {
    if form.rawValue > self.form { add(text, trimmed(text, value.range), form) }
  }

  /// Adds a text without blanks around it.
  mutating func add(_ text: Span<UInt8>, _ range: Range<Int>, _ form: Form) {
    guard form.rawValue > self.form, let instant = Self.instant(text, range, form) else { return }
    seconds = instant.seconds
    self.form = form.rawValue
  }

  /// Adds an instant of a form of its own.
  mutating func add(_ instant: Instant?) {
    guard let instant else { return }
    seconds = instant.seconds
    form = Form.milliseconds.rawValue
  }

  private static func instant(
    _ text: Span<UInt8>, _ range: Range<Int>, _ form: Form
  ) -> Instant? {
    switch form {
    case .milliseconds: number(text, range)
    case .plain: DateText.instant(text, range) ?? number(text, range)
    case .formatted: DateText.instant(text, range)
    }
  }

  /// Only numbers of 13 digits are in the years 2008 to 2099, so that seconds are never taken for
  /// milliseconds.
  private static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Instant? {
    ScalarText.flooredNumber(text, range).flatMap { Instant(milliseconds: $0) }
  }
}
