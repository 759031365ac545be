/// A day, a month or a fiscal period, stored as a number.
@usableFromInline
package protocol NumberedTime: Hashable, Comparable, Sendable {
  /// The number; consecutive days, months or periods have consecutive numbers.
  var number: Int32 { get }

  /// Creates a time from its number.
  init(number: Int32)
}

extension NumberedTime {
  /// Returns the time a number of days, months or periods later.
  @inlinable
  package static func + (time: Self, count: Int) -> Self {
    Self(number: time.number + Int32(count))
  }

  /// Returns the time a number of days, months or periods earlier.
  @inlinable
  package static func - (time: Self, count: Int) -> Self {
    Self(number: time.number - Int32(count))
  }

  /// Returns the number of days, months or periods from the right time to the left one.
  @inlinable
  package static func - (later: Self, earlier: Self) -> Int {
    Int(later.number) - Int(earlier.number)
  }

  /// Orders by time.
  @inlinable
  package static func < (earlier: Self, later: Self) -> Bool { earlier.number < later.number }
}
