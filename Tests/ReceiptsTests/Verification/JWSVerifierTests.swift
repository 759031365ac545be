import Receipts
import SubreportTestSupport
import Testing

@Suite("Verifying JWS")
struct JWSVerifierTests {
  static let payload = #"{"transactionId":"1","signedDate":1709719200000}"#

  /// Verifies with the root of a chain.
  private func verify(
    _ jws: String, root: SigningChain, signedAt milliseconds: Int64? = moment
  ) throws -> Verification? {
    var verifier = JWSVerifier(roots: try roots(root.root))
    return verifier.verify(jws, signedAt: milliseconds)
  }

  @Test func trustsWhatTheChainSigned() throws {
    let chain = try SigningChain()
    #expect(try verify(chain.jws(Self.payload), root: chain) == .verified)
  }

  @Test func takesTheRootFromTheUser() throws {
    let chain = try SigningChain()
    let stranger = try SigningChain(.others)
    // The third certificate is not looked at; another in its place changes nothing.
    let jws = try chain.jws(
      Self.payload, certificates: [chain.signer, chain.intermediate, stranger.root])
    #expect(try verify(jws, root: chain) == .verified)
    #expect(try verify(jws, root: stranger) == .failed(.untrustedChain))
    var trustsNone = JWSVerifier(roots: RootCertificates())
    let verification = trustsNone.verify(jws, signedAt: moment)
    #expect(verification == .failed(.untrustedChain))
  }

  static let algorithms = ["none", "HS256", "ES384", "es256", "RS256", ""]

  @Test(arguments: algorithms)
  func `trusts no other algorithm`(algorithm: String) throws {
    let chain = try SigningChain()
    let jws = try chain.jws(Self.payload, algorithm: algorithm)
    #expect(try verify(jws, root: chain) == .failed(.wrongAlgorithm))
  }

  @Test func trustsNoUnsignedRecord() throws {
    let chain = try SigningChain()
    let signed = try chain.jws(Self.payload)
    let unsigned = String(signed[...(signed.lastIndex(of: ".") ?? signed.startIndex)])
    #expect(try verify(unsigned, root: chain) == .failed(.wrongSignature))
  }

  @Test(arguments: [0, 1, 2, 4])
  func `wants exactly three certificates`(count: Int) throws {
    let chain = try SigningChain()
    let all = [chain.signer, chain.intermediate, chain.root, chain.root]
    let jws = try chain.jws(Self.payload, certificates: Array(all[..<count]))
    #expect(try verify(jws, root: chain) == .failed(.wrongCertificateCount))
  }

  static let headers = [
    "", "[]", "{}", "not JSON", #"{"alg":"ES256"}"#, #"{"x5c":["","",""]}"#,
    #"{"alg":"ES256","x5c":"MII"}"#, #"{"alg":"ES256","x5c":[1,2,3]}"#,
    #"{"alg":7,"x5c":["","",""]}"#, String(repeating: "[", count: 40_000),
    "{\"alg\":\"ES256\",\"x5c\":[\"\(String(repeating: "A", count: 70_000))\",\"\",\"\"]}",
  ]

  @Test(arguments: headers)
  func `trusts no header that it cannot read`(header: String) throws {
    let chain = try SigningChain()
    // An empty first segment is no JWS at all.
    let expected: Verification? = header.isEmpty ? nil : .failed(.unreadableHeader)
    #expect(try verify(chain.jws(Self.payload, header: header), root: chain) == expected)
  }

  static let certificates = ["", "A", "AAAA", "MIIB", "....", "MIAGCSqGSIb3DQEHAqCAMIACAQEx"]

  @Test(arguments: certificates)
  func `trusts no certificate that it cannot read`(text: String) throws {
    let chain = try SigningChain()
    let signer = ReferenceBase64.encode(chain.signer)
    for list in ["\"\(text)\",\"\(signer)\",\"\"", "\"\(signer)\",\"\(text)\",\"\""] {
      let jws = try chain.jws(Self.payload, header: "{\"alg\":\"ES256\",\"x5c\":[\(list)]}")
      #expect(try verify(jws, root: chain) == .failed(.unreadableCertificate))
    }
  }

  /// How a chain deviates from Apple's, and what comes of it.
  struct Deviation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let failure: VerificationFailure
    let options: SigningChain.Options

    init(
      _ name: String, _ failure: VerificationFailure,
      _ change: (inout SigningChain.Options) -> Void
    ) {
      var options = SigningChain.Options()
      change(&options)
      (testDescription, self.failure, self.options) = (name, failure, options)
    }
  }

  static let deviations = [
    Deviation("signer without its mark", .wrongPurpose) { $0.signerIsMarked = false },
    Deviation("intermediate without its mark", .wrongPurpose) { $0.intermediateIsMarked = false },
    Deviation("signer issued by the root", .wrongPurpose) { $0.signerIsIssuedByRoot = true },
    Deviation("intermediate is no authority", .untrustedChain) {
      $0.intermediateIsAuthority = false
    },
    Deviation("signer issued by another key", .untrustedChain) {
      $0.signerIsIssuedByIntermediate = false
    },
    Deviation("signer expired", .certificateNotValid) { $0.lastSecond = 1_709_719_199 },
    Deviation("signer not valid yet", .certificateNotValid) { $0.firstSecond = 1_709_719_201 },
    Deviation("RSA keys", .wrongAlgorithm) { $0.usesRSA = true },
  ]

  @Test(arguments: deviations)
  func `trusts no chain that deviates`(deviation: Deviation) throws {
    let chain = try SigningChain(deviation.options)
    var verifier = JWSVerifier(roots: try roots(chain.root))
    let jws = try chain.jws(Self.payload)
    // The second answer is remembered, and must be the same.
    for _ in 0..<2 {
      let verification = verifier.verify(jws, signedAt: moment)
      #expect(verification == .failed(deviation.failure))
    }
  }

  @Test func trustsNoRecordThatAnotherChainSigned() throws {
    let chain = try SigningChain()
    let forger = try SigningChain(.others)
    #expect(try verify(forger.jws(Self.payload), root: chain) == .failed(.untrustedChain))
    // Apple's certificates in the header, the forger's signature below.
    let jws = try forger.jws(
      Self.payload, certificates: [chain.signer, chain.intermediate, chain.root])
    #expect(try verify(jws, root: chain) == .failed(.wrongSignature))
    // The forger's certificate in front of Apple's intermediate.
    let mixed = try forger.jws(
      Self.payload, certificates: [forger.signer, chain.intermediate, chain.root])
    #expect(try verify(mixed, root: chain) == .failed(.untrustedChain))
  }

  @Test func rootIsNoSigner() throws {
    let chain = try SigningChain()
    let jws = try chain.jws(Self.payload)
    var verifier = JWSVerifier(roots: try roots(chain.signer))
    let verification = verifier.verify(jws, signedAt: moment)
    #expect(verification == .failed(.untrustedChain))
  }

  static let times: [(Int64?, Verification)] = [
    (nil, .failed(.noDate)), (0, .failed(.noDate)), (-1, .failed(.noDate)),
    (.min, .failed(.noDate)), (.max, .failed(.noDate)), (253_402_300_800_000, .failed(.noDate)),
    (1_640_995_199_999, .failed(.certificateNotValid)), (1_640_995_200_000, .verified),
    (moment, .verified), (1_735_689_599_000, .verified),
    (1_735_689_599_999, .verified),
    (1_735_689_600_000, .failed(.certificateNotValid)),
    (4_102_444_799_999, .failed(.certificateNotValid)),
  ]

  @Test
  func `judges certificates at the time of the record, in whatever order records come`() throws {
    let chain = try SigningChain()
    let jws = try chain.jws(Self.payload)
    for times in [Self.times, Self.times.reversed()] {
      var verifier = JWSVerifier(roots: try roots(chain.root))
      for (time, expected) in times + times {
        let verification = verifier.verify(jws, signedAt: time)
        #expect(verification == expected, "at \(String(describing: time))")
      }
    }
  }

  @Test func remembersOnlySoManyChains() throws {
    let chain = try SigningChain()
    var verifier = JWSVerifier(roots: try roots(chain.root))
    let jws = try (0..<100).map { (number: UInt8) in
      try chain.jws(Self.payload, certificates: [chain.signer, chain.intermediate, [number]])
    }
    for text in jws + jws.reversed() {
      let verification = verifier.verify(text, signedAt: moment)
      #expect(verification == .verified)
    }
  }

  @Test
  func `needs no thread but its own`() async throws {
    let chain = try SigningChain()
    let jws = try chain.jws(Self.payload)
    let trusted = try roots(chain.root)
    // More tasks than the pool has threads: one that waited for another would wait forever.
    let verified = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<64 {
        group.addTask {
          var verifier = JWSVerifier(roots: trusted)
          return verifier.verify(jws, signedAt: moment) == .verified
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(verified == 64)
  }

  @Test
  func `trusts no record of which a single character was changed`() throws {
    let chain = try SigningChain()
    let jws = Array(try chain.jws(Self.payload).utf8)
    var verifier = JWSVerifier(roots: try roots(chain.root))
    for offset in places(jws.indices) {
      for value in [jws[offset] ^ 1, UInt8(ascii: "A"), UInt8(ascii: "."), 0xFF]
      where value != jws[offset] {
        var changed = jws
        changed[offset] = value
        let verification = verifier.verify(
          String(decoding: changed, as: UTF8.self), signedAt: moment)
        #expect(verification != .verified, "byte \(offset) set to \(value)")
      }
    }
  }
}
