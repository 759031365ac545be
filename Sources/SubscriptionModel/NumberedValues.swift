/// Gives each distinct value a number: 0 for the first, 1 for the second, and so on.
public struct NumberedValues<Value: Hashable & Sendable>: Sendable {
  /// The values by number.
  @inlinable public var values: [Value] { known }
  @usableFromInline var known: [Value] = []
  @usableFromInline var numbers: [Value: Int] = [:]

  /// Creates an empty list.
  @inlinable
  public init() {}

  /// Returns the number of a value, a new one if the value is new.
  ///
  /// - Parameter value: The value.
  /// - Returns: Its index in ``values``.
  @inlinable
  public mutating func number(of value: Value) -> Int {
    if let number = numbers[value] { return number }
    numbers[value] = known.count
    known.append(value)
    return known.count - 1
  }
}
