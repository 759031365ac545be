/// Reads numbers from bytes, exactly, without creating a `String` or a floating-point number.
///
/// Blanks are not skipped: trim the range with ``trimmed(_:_:)`` first.
@usableFromInline
package enum ByteNumber {
  /// The result of reading a field as an amount.
  @usableFromInline
  package enum MilliunitsResult: Equatable, Sendable {
    /// The amount in thousandths: 9.99 is 9,990.
    case value(Int64)
    /// Text other than an optional minus, digits, and at most one point with digits after it.
    case notADecimal
    /// A decimal with a digit other than 0 after the third decimal.
    case tooManyDecimals
    /// A decimal whose thousandths do not fit 64 bits: past ±9.2 quadrillion.
    case outOfRange
  }

  /// Reads a whole number.
  ///
  /// - Parameters:
  ///   - line: The line that holds the field.
  ///   - range: Where the number is: an optional sign (`+` or `-`) and digits, and nothing else.
  /// - Returns: The number, or nil if the field is not a whole number or does not fit 64 bits.
  @inlinable
  package static func integer(_ line: Span<UInt8>, _ range: Range<Int>) -> Int? {
    var offset = range.lowerBound
    guard offset < range.upperBound else { return nil }
    let isNegative = line[offset] == 0x2D
    if isNegative || line[offset] == 0x2B { offset &+= 1 }
    guard offset < range.upperBound else { return nil }
    var value = 0
    while offset < range.upperBound {
      let digit = line[offset] &- 0x30
      guard digit <= 9 else { return nil }
      let (tenfold, overflowed) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowedAgain) =
        isNegative
        ? tenfold.subtractingReportingOverflow(Int(digit))
        : tenfold.addingReportingOverflow(Int(digit))
      if overflowed || overflowedAgain { return nil }
      value = sum
      offset &+= 1
    }
    return value
  }

  /// Reads an amount as thousandths, exactly.
  ///
  /// `9.99`, `.36`, `-85.43` and `67000` are amounts; `+1`, `1.`, `9,99` and the empty field are
  /// not. Zeros past the third decimal are dropped: `2.9900` is 2,990, while `2.9901` has too many
  /// decimals. An amount that has too many decimals and is out of range has too many decimals.
  ///
  /// - Parameters:
  ///   - line: The line that holds the field.
  ///   - range: Where the amount is.
  /// - Returns: The amount, or the reason why the field is not an amount.
  @inlinable
  package static func milliunits(_ line: Span<UInt8>, _ range: Range<Int>) -> MilliunitsResult {
    var offset = range.lowerBound
    let end = range.upperBound
    let isNegative = offset < end && line[offset] == 0x2D
    if isNegative { offset &+= 1 }
    var amount = Accumulator()
    let wholeStart = offset
    while offset < end, line[offset] &- 0x30 <= 9 {
      amount.append(line[offset] &- 0x30)
      offset &+= 1
    }
    var decimals = 0
    var hasTooManyDecimals = false
    if offset < end, line[offset] == 0x2E {
      offset &+= 1
      while offset < end, line[offset] &- 0x30 <= 9 {
        let digit = line[offset] &- 0x30
        if decimals < 3 { amount.append(digit) } else if digit != 0 { hasTooManyDecimals = true }
        decimals &+= 1
        offset &+= 1
      }
      guard decimals > 0 else { return .notADecimal }
    } else if offset == wholeStart {
      return .notADecimal
    }
    guard offset == end else { return .notADecimal }
    if hasTooManyDecimals { return .tooManyDecimals }
    while decimals < 3 {
      amount.append(0)
      decimals &+= 1
    }
    return amount.result(isNegative: isNegative)
  }

  /// The number formed by the digits read so far, and whether it has overflowed.
  @usableFromInline
  struct Accumulator {
    @usableFromInline var magnitude: UInt64 = 0
    @usableFromInline var overflowed = false

    @inlinable
    init() {}

    @inlinable
    @inline(__always)
    mutating func append(_ digit: UInt8) {
      // Below this bound, ten times the number plus a digit fits 64 bits without a sign.
      if magnitude > 1_800_000_000_000_000_000 { overflowed = true }
      magnitude = magnitude &* 10 &+ UInt64(digit)
    }

    @inlinable
    func result(isNegative: Bool) -> MilliunitsResult {
      if overflowed { return .outOfRange }
      if isNegative {
        guard magnitude <= Int64.min.magnitude else { return .outOfRange }
        return .value(Int64(truncatingIfNeeded: 0 &- magnitude))
      }
      guard let value = Int64(exactly: magnitude) else { return .outOfRange }
      return .value(value)
    }
  }
}
