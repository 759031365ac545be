/// Writes values as bytes, or reads them.
///
/// A type lists its fields once, for both directions, so that writing and reading cannot differ.
/// Symbols are stored as texts, because they differ from run to run.
@usableFromInline
package protocol ValueCoder {
  /// Whether everything read so far was complete and valid; after a failure, values read are meaningless.
  var isValid: Bool { get }

  /// Whether values are read; otherwise they are written.
  var isReading: Bool { get }

  /// Marks the bytes being read as invalid.
  mutating func fail()

  /// Codes a number; small ones take one byte.
  ///
  /// - Parameter value: The number.
  mutating func number(_ value: inout UInt64)

  /// Codes bytes as they are.
  ///
  /// - Parameter run: The bytes.
  mutating func run(_ run: inout [UInt8])

  /// Codes the symbol of a text.
  ///
  /// - Parameter value: The symbol.
  mutating func symbol(_ value: inout Symbol)

  /// Returns values in an order that does not depend on the one given, for writing.
  ///
  /// - Parameters:
  ///   - values: The values.
  ///   - code: Writes a value, which differs from all others.
  /// - Returns: The values, sorted by their bytes, in which the run's number stands for each symbol.
  func inOrder<Value>(
    _ values: [Value], _ code: (inout Value, inout Self) -> Void
  ) -> [Value]
}

extension ValueCoder {
  /// Codes a whole number of any sign; numbers near 0 take few bytes.
  ///
  /// - Parameter value: The number.
  @inlinable
  package mutating func integer<Number: FixedWidthInteger>(_ value: inout Number) {
    let wide = Int64(truncatingIfNeeded: value)
    var folded = UInt64(bitPattern: wide << 1 ^ wide >> 63)
    number(&folded)
    let read = Int64(bitPattern: folded >> 1) ^ -Int64(folded & 1)
    // The greatest negative number has no positive one: no amount and no count is as low.
    guard let number = Number(exactly: read), read != .min else { return fail() }
    value = number
  }

  /// Codes a count, or a sum of counts; a greater one than any input gives is damage, and sums of it could overflow.
  ///
  /// - Parameter value: The count.
  @inlinable
  package mutating func count(_ value: inout Int) {
    integer(&value)
    if isReading, value.magnitude > 1 << 55 { fail() }
  }

  /// Codes a number in a range.
  ///
  /// - Parameters:
  ///   - value: The number.
  ///   - range: The numbers that are written; any other is damage.
  @inlinable
  package mutating func integer<Number: FixedWidthInteger>(
    _ value: inout Number, in range: ClosedRange<Number>
  ) {
    integer(&value)
    if isReading, !range.contains(value) { fail() }
  }

  /// Codes a sum that may need more than 64 bits.
  ///
  /// - Parameter value: The sum.
  @inlinable
  package mutating func wideInteger(_ value: inout Int128) {
    var low = UInt64(truncatingIfNeeded: value)
    var high = Int64(truncatingIfNeeded: value >> 64)
    // Most sums fit in the lower half. The upper half then only repeats the sign, and is stored as
    // 0.
    var signedLow = Int64(bitPattern: low)
    high ^= signedLow >> 63
    integer(&signedLow)
    integer(&high)
    low = UInt64(bitPattern: signedLow)
    high ^= signedLow >> 63
    value = Int128(high) << 64 | Int128(low)
    // Such a sum, in milliunits, is beyond all money.
    if isReading, value.magnitude > 1 << 120 { fail() }
  }

  /// Codes a Boolean.
  ///
  /// - Parameter value: The Boolean.
  @inlinable
  package mutating func flag(_ value: inout Bool) {
    var number: UInt8 = value ? 1 : 0
    integer(&number)
    value = number == 1
  }

  /// Codes a case of an enumeration by its raw value.
  ///
  /// - Parameter value: The case.
  @inlinable
  package mutating func word<Word: RawRepresentable>(_ value: inout Word)
  where Word.RawValue: FixedWidthInteger {
    var raw = value.rawValue
    integer(&raw)
    guard let word = Word(rawValue: raw) else { return fail() }
    value = word
  }

  /// Codes an optional value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - blank: Any value, to be overwritten when reading.
  ///   - code: Codes the value if there is one.
  @inlinable
  package mutating func optional<Value>(
    _ value: inout Value?, blank: Value, _ code: (inout Value, inout Self) -> Void
  ) {
    var isThere = value != nil
    flag(&isThere)
    var present = value ?? blank
    if isThere { code(&present, &self) }
    value = isThere ? present : nil
  }

  /// Codes a list; for reading, pass an empty list.
  ///
  /// - Parameters:
  ///   - elements: The list.
  ///   - blank: Any element, to be overwritten when reading.
  ///   - code: Codes an element.
  @inlinable
  package mutating func list<Element>(
    _ elements: inout [Element], blank: Element, _ code: (inout Element, inout Self) -> Void
  ) {
    var count = elements.count
    integer(&count)
    var index = 0
    while index < count, isValid {
      if index == elements.count { elements.append(blank) }
      code(&elements[index], &self)
      index += 1
    }
  }
}
