import Scanning
import SubscriptionModel

/// An instant that a record may state under several keys, in any order (METRICS.md 3.6).
///
/// `X_ms` takes precedence over `X` (a text or a number), and `X` over `X_formatted`. A value that is not an
/// instant from 2008 to 2099 is ignored. The `_pst` keys are never read: one hour a year is ambiguous.
struct StatedInstant {
  /// The form of the key; a later case takes precedence over an earlier one.
  enum Form: UInt8 {
    case formatted = 1
    case plain
    case milliseconds
  }

  /// Seconds since 1970; 0 until an instant was stated.
  private(set) var seconds: UInt32 = 0
  private var form: UInt8 = 0

  /// The instant, if one was stated.
  var value: Instant? { seconds == 0 ? nil : Instant(seconds: seconds) }

  /// Adds the value of a key.
  mutating func add(_ value: JSONScalar, _ text: Span<UInt8>, _ form: Form) {
    if form.rawValue > self.form { add(text, trimmed(text, value.range), form) }
  }

  /// Adds a text without blanks around it.
  mutating func add(_ text: Span<UInt8>, _ range: Range<Int>, _ form: Form) {
    guard form.rawValue > self.form, let instant = Self.instant(text, range, form) else { return }
    seconds = instant.seconds
    self.form = form.rawValue
  }

  /// Adds an instant parsed elsewhere; it overrides the others.
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

  /// Returns the instant of a number of milliseconds.
  ///
  /// Only numbers of 13 digits fall in the years 2008 to 2099, so seconds are never read as milliseconds.
  private static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Instant? {
    ScalarText.flooredNumber(text, range).flatMap { Instant(milliseconds: $0) }
  }
}
