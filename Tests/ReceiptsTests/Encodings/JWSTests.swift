import Receipts
import Testing

@Suite("JWS")
struct JWSTests {
  @Test func findsItsSegments() throws {
    let text = Array(#""eyJ9.bWU.AQID""#.utf8)
    let jws = try JWS(splitting: text.span, 1..<text.count - 1)
    #expect(jws.header == 1..<5)
    #expect(jws.payload == 6..<9)
    #expect(jws.signature == 10..<14)
    #expect(jws.signed == 1..<9)
    var payload: [UInt8] = []
    try jws.decodePayload(text.span, into: &payload)
    #expect(payload == Array("me".utf8))
  }

  @Test func mayLackItsSignature() throws {
    let text = Array("eyJ9.bWU.".utf8)
    #expect(try JWS(splitting: text.span, 0..<text.count).signature.isEmpty)
  }

  static let wrong: [(String, offset: Int)] = [
    ("", 0), ("eyJ9", 4), ("eyJ9.bWU", 8), ("eyJ9.bWU.AQID.", 13), ("a.b.c.d", 5), ("...", 2),
    (".b.c", 0), ("a..c", 2),
  ]

  @Test(arguments: wrong)
  func `has exactly three segments`(text: String, offset: Int) {
    let bytes = Array(text.utf8)
    let fault = #expect(throws: EncodingFault.self) {
      try JWS(splitting: bytes.span, 0..<bytes.count)
    }
    #expect(fault?.code == .notAJWS)
    #expect(fault?.byteOffset == offset)
  }

  @Test func payloadMustBeBase64() throws {
    let text = Array("eyJ9.b+U.AQID".utf8)
    let jws = try JWS(splitting: text.span, 0..<text.count)
    var payload: [UInt8] = []
    let fault = #expect(throws: EncodingFault.self) {
      try jws.decodePayload(text.span, into: &payload)
    }
    #expect(fault?.code == .notBase64)
    #expect(fault?.byteOffset == 6)
  }
}
