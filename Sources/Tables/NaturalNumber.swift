/// A whole number of any size, 0 or more.
///
/// Money must stay exact until it is rounded, and a sum of fractions with many denominators overflows every built-in
/// integer. The numbers have a few hundred bits, so schoolbook arithmetic is fast enough.
package struct NaturalNumber: Comparable {
  /// The digits in base 2^32, lowest first, without leading zeros.
  private var digits: [UInt32]

  package init(_ value: UInt128) {
    self.init(digits: (0..<4).map { UInt32(truncatingIfNeeded: value >> (32 * $0)) })
  }

  private init(digits: [UInt32]) {
    self.digits = digits
    while self.digits.last == 0 { self.digits.removeLast() }
  }

  /// The value; `nil` if it has more than 128 bits.
  private var asUInt128: UInt128? {
    guard digits.count <= 4 else { return nil }
    return digits.reversed().reduce(0) { $0 << 32 | UInt128($1) }
  }

  private var bitWidth: Int { digits.count * 32 - (digits.last?.leadingZeroBitCount ?? 0) }

  private func digit(_ index: Int) -> UInt64 { index < digits.count ? UInt64(digits[index]) : 0 }

  package static func < (left: NaturalNumber, right: NaturalNumber) -> Bool {
    left.digits.count != right.digits.count
      ? left.digits.count < right.digits.count
      : left.digits.reversed().lexicographicallyPrecedes(right.digits.reversed())
  }

  package static func + (left: NaturalNumber, right: NaturalNumber) -> NaturalNumber {
    var carry: UInt64 = 0
    let sum = (0...max(left.digits.count, right.digits.count)).map { index in
      carry += left.digit(index) + right.digit(index)
      defer { carry >>= 32 }
      return UInt32(truncatingIfNeeded: carry)
    }
    return NaturalNumber(digits: sum)
  }

  /// Returns the difference; the right number must not be larger than the left.
  package static func - (left: NaturalNumber, right: NaturalNumber) -> NaturalNumber {
    precondition(right <= left, "a natural number is not negative")
    var borrow: UInt64 = 0
    let difference = left.digits.indices.map { index in
      let digit = left.digit(index) &- right.digit(index) &- borrow
      borrow = digit >> 63
      return UInt32(truncatingIfNeeded: digit)
    }
    return NaturalNumber(digits: difference)
  }

  package static func * (left: NaturalNumber, right: NaturalNumber) -> NaturalNumber {
    var product = [UInt32](repeating: 0, count: left.digits.count + right.digits.count)
    for (leftIndex, leftDigit) in left.digits.enumerated() {
      var carry: UInt64 = 0
      for rightIndex in right.digits.indices {
        carry +=
          UInt64(leftDigit) * right.digit(rightIndex) + UInt64(product[leftIndex + rightIndex])
        product[leftIndex + rightIndex] = UInt32(truncatingIfNeeded: carry)
        carry >>= 32
      }
      product[leftIndex + right.digits.count] = UInt32(carry)
    }
    return NaturalNumber(digits: product)
  }

  /// Returns the quotient rounded to the nearest whole number, half to even.
  ///
  /// - Parameter divisor: A number above 0; the quotient is below 2^127.
  /// - Returns: The rounded quotient.
  package func dividedHalfToEven(by divisor: NaturalNumber) -> Int128 {
    if let own = asUInt128, let other = divisor.asUInt128 {
      let (quotient, rest) = own.quotientAndRemainder(dividingBy: other)
      return Int128(quotient + (Self.roundsUp(rest, other - rest, quotient) ? 1 : 0))
    }
    var quotient: UInt128 = 0
    let bits = min(max(bitWidth - divisor.bitWidth + 1, 0), 127)
    for bit in (0..<bits).reversed() {
      let larger = quotient | 1 << UInt128(bit)
      if NaturalNumber(larger) * divisor <= self { quotient = larger }
    }
    let rest = self - NaturalNumber(quotient) * divisor
    return Int128(quotient + (Self.roundsUp(rest, divisor - rest, quotient) ? 1 : 0))
  }

  /// Returns whether a quotient is rounded up, half to even.
  ///
  /// - Parameters:
  ///   - rest: The remainder.
  ///   - missing: The divisor minus the remainder.
  ///   - quotient: The quotient, rounded down.
  /// - Returns: Whether to add 1.
  private static func roundsUp<Number: Comparable>(
    _ rest: Number, _ missing: Number, _ quotient: UInt128
  ) -> Bool {
    rest > missing || (rest == missing && !quotient.isMultiple(of: 2))
  }
}
