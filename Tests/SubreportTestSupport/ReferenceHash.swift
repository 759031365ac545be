/// SHA-256 written down from FIPS 180-4, to check hashes without the library that made them.
///
/// - Parameter bytes: The message.
/// - Returns: The digest as lower-case hexadecimal digits.
package func referenceSHA256(_ bytes: [UInt8]) -> String {
  var state = roots(of: 2, count: 8)
  let constants = roots(of: 3, count: 64)
  var message = bytes + [0x80]
  while message.count % 64 != 56 { message.append(0) }
  let bitCount = UInt64(bytes.count) * 8
  message += (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0)) }
  for start in stride(from: 0, to: message.count, by: 64) {
    mix(words(message[start..<start + 64]), constants, into: &state)
  }
  return state.map { word in
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }.joined()
}

private func mix(_ block: [UInt32], _ constants: [UInt32], into state: inout [UInt32]) {
  var schedule = block
  for index in 16..<64 {
    let early = schedule[index - 15]
    let late = schedule[index - 2]
    let first = rotated(early, 7) ^ rotated(early, 18) ^ (early >> 3)
    let second = rotated(late, 17) ^ rotated(late, 19) ^ (late >> 10)
    schedule.append(schedule[index - 16] &+ first &+ schedule[index - 7] &+ second)
  }
  var turn = state
  for index in 0..<64 {
    let (a, b, c, e, f, g) = (turn[0], turn[1], turn[2], turn[4], turn[5], turn[6])
    let fourth = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    let first = turn[7] &+ fourth &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ schedule[index]
    let zeroth = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
    let second = zeroth &+ ((a & b) ^ (a & c) ^ (b & c))
    turn = [first &+ second] + turn[0..<3] + [turn[3] &+ first] + turn[4..<7]
  }
  for index in 0..<8 { state[index] &+= turn[index] }
}

private func words(_ block: ArraySlice<UInt8>) -> [UInt32] {
  let bytes = Array(block)
  return (0..<16).map { word in
    (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[4 * word + $1]) }
  }
}

private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
  word >> count | word << (32 - count)
}

/// The first 32 bits behind the point of the square or cube roots of the first primes, found by
/// bisection in whole numbers.
private func roots(of degree: Int, count: Int) -> [UInt32] {
  var primes: [UInt128] = []
  var candidate: UInt128 = 2
  while primes.count < count {
    if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
    candidate += 1
  }
  return primes.map { prime in
    // The largest root with root^degree <= prime * 2^(32 * degree).
    let target = prime << UInt128(32 * degree)
    var low: UInt128 = 0
    var high: UInt128 = 1 << 37
    while low + 1 < high {
      let middle = (low + high) / 2
      let power = degree == 2 ? middle * middle : middle * middle * middle
      if power <= target { low = middle } else { high = middle }
    }
    return UInt32(truncatingIfNeeded: low)
  }
}
