/// A JSON Web Signature, taken apart.
struct SignedText {
  let header: JSONValue
  let payload: JSONValue
  /// The bytes that are signed.
  let signed: [UInt8]
  let signature: [UInt8]

  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = base64(String(parts[0])).flatMap({ JSONValue($0) }),
      let payload = base64(String(parts[1])).flatMap({ JSONValue($0) }),
      let signature = base64(String(parts[2]))
    else { return nil }
    self.header = header
    self.payload = payload
    self.signature = signature
    signed = Array(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
  }
}

extension JSONValue {
  /// The same value with the content of everything signed in place of the signed text.
  var withoutSignatures: JSONValue {
    switch self {
    case .string(let text):
      guard let signed = SignedText(text) else { return self }
      return .array([signed.header, signed.payload.withoutSignatures])
    case .array(let elements): return .array(elements.map(\.withoutSignatures))
    case .object(let members): return .object(members.mapValues(\.withoutSignatures))
    default: return self
    }
  }
}

/// The value of each digit of base64 in either alphabet, -1 for all other bytes.
private let base64Values: [Int] = {
  let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  var values = Array(repeating: -1, count: 256)
  for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = value }
  for (value, digit) in zip([62, 62, 63, 63], "+-/_".utf8) { values[Int(digit)] = value }
  return values
}()

/// The bytes of a text in base64, in either alphabet, with or without padding.
func base64(_ text: String) -> [UInt8]? {
  var bytes: [UInt8] = []
  var bits = 0
  var bitCount = 0
  for digit in text.utf8 where digit != UInt8(ascii: "=") {
    let value = base64Values[Int(digit)]
    guard value >= 0 else { return nil }
    bits = bits << 6 | value
    bitCount += 6
    if bitCount >= 8 {
      bitCount -= 8
      bytes.append(UInt8(bits >> bitCount & 255))
      bits &= (1 << bitCount) - 1
    }
  }
  return bits == 0 ? bytes : nil
}
