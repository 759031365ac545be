import Receipts
import SubreportTestSupport
import Testing

@Suite("Verifying app receipts")
struct AppReceiptVerifierTests {
  static let chain = Result { try SigningChain(rsa { _ in }) }
  static let forger = Result {
    try SigningChain(
      rsa {
        $0.hasOtherKeys = true
        $0.name = "Forger"
      })
  }

  private static func rsa(_ change: (inout SigningChain.Options) -> Void) -> SigningChain.Options {
    var options = SigningChain.Options()
    options.usesRSA = true
    change(&options)
    return options
  }

  private func verify(
    _ receipt: [UInt8], root: [UInt8], createdAt milliseconds: Int64? = moment
  ) throws -> Verification {
    var verifier = AppReceiptVerifier(roots: try roots(root))
    return verifier.verify(receipt, createdAt: milliseconds)
  }

  @Test(arguments: ReceiptMaker.Form.allCases)
  func `trusts them in every form`(form: ReceiptMaker.Form) throws {
    let chain = try Self.chain.get()
    for usesSHA1 in [false, true] {
      for hasSignedAttributes in [false, true] {
        var maker = sampleReceipt()
        maker.form = form
        maker.usesSHA1 = usesSHA1
        maker.hasSignedAttributes = hasSignedAttributes
        #expect(try verify(maker.receipt(signedBy: chain), root: chain.root) == .verified)
      }
    }
  }

  @Test func trustsNoOtherRoot() throws {
    let (chain, forger) = (try Self.chain.get(), try Self.forger.get())
    let receipt = try sampleReceipt().receipt(signedBy: forger)
    #expect(try verify(receipt, root: chain.root) == .failed(.untrustedChain))
  }

  @Test func trustsNoCopiedCertificates() throws {
    let (chain, forger) = (try Self.chain.get(), try Self.forger.get())
    var maker = sampleReceipt()
    maker.certificates = [chain.signer, chain.intermediate, chain.root]
    #expect(
      try verify(maker.receipt(signedBy: forger), root: chain.root) == .failed(.unreadableSigner))
    maker.certificates = []
    #expect(
      try verify(maker.receipt(signedBy: chain), root: chain.root)
        == .failed(.wrongCertificateCount))
    maker.certificates = Array(repeating: chain.signer, count: 5)
    #expect(
      try verify(maker.receipt(signedBy: chain), root: chain.root)
        == .failed(.wrongCertificateCount))
    maker.certificates = [chain.signer, [0x30, 0]]
    #expect(
      try verify(maker.receipt(signedBy: chain), root: chain.root)
        == .failed(.unreadableCertificate))
  }

  @Test func isNotLedAstrayByForgedReceipts() throws {
    let (chain, forger) = (try Self.chain.get(), try Self.forger.get())
    var verifier = AppReceiptVerifier(roots: try roots(chain.root))
    let good = try sampleReceipt().receipt(signedBy: chain)
    let forged = try sampleReceipt().receipt(signedBy: forger)
    for receipt in [forged, good, forged, good] {
      let verification = verifier.verify(receipt, createdAt: moment)
      #expect(verification == (receipt == good ? .verified : .failed(.untrustedChain)))
    }
  }

  @Test func trustsNoContentThatWasExchanged() throws {
    let chain = try Self.chain.get()
    for hasSignedAttributes in [false, true] {
      var maker = sampleReceipt()
      maker.hasSignedAttributes = hasSignedAttributes
      var receipt = try maker.receipt(signedBy: chain)
      let month = Array("com.example.month".utf8)
      let place = try #require(receipt.indices.first { receipt[$0...].starts(with: month) })
      receipt[place] ^= 1
      #expect(try verify(receipt, root: chain.root) == .failed(.wrongSignature))
    }
  }

  @Test func trustsNoUnsignedReceipt() throws {
    let receipt = try sampleReceipt().receipt()
    let root = try Self.chain.get().root
    #expect(try verify(receipt, root: root) == .failed(.unreadableSigner))
    #expect(try verify([], root: root) == .failed(.unreadableSigner))
  }

  @Test
  func `trusts no developer's certificate`() throws {
    for change: (inout SigningChain.Options) -> Void in [
      { $0.signerIsMarked = false }, { $0.intermediateIsMarked = false },
      { $0.signerIsIssuedByRoot = true },
    ] {
      let chain = try SigningChain(Self.rsa(change))
      let receipt = try sampleReceipt().receipt(signedBy: chain)
      #expect(try verify(receipt, root: chain.root) == .failed(.wrongPurpose))
    }
  }

  static let times: [(Int64?, Verification)] = [
    (nil, .failed(.noDate)), (.max, .failed(.noDate)), (moment, .verified),
    (1_640_995_199_000, .failed(.certificateNotValid)),
    (1_735_689_600_000, .failed(.certificateNotValid)),
  ]

  @Test(arguments: times)
  func `judges certificates at the time of the receipt`(time: Int64?, expected: Verification) throws
  {
    let chain = try Self.chain.get()
    let receipt = try sampleReceipt().receipt(signedBy: chain)
    #expect(try verify(receipt, root: chain.root, createdAt: time) == expected)
  }

  @Test
  func `trusts a changed byte only where nothing is signed`() throws {
    let chain = try Self.chain.get()
    let maker = sampleReceipt()
    let receipt = try maker.receipt(signedBy: chain)
    var verifier = AppReceiptVerifier(roots: try roots(chain.root))
    var reader = AppReceipt()
    for offset in places(receipt.indices) {
      for value in [receipt[offset] ^ 1, receipt[offset] ^ 0x80] {
        var changed = receipt
        changed[offset] = value
        let verification = verifier.verify(changed, createdAt: moment)
        guard verification == .verified else { continue }
        try reader.read(changed)
        #expect(reader.content == maker.content, "byte \(offset) set to \(value)")
      }
    }
    for count in places(receipt.indices) {
      let verification = verifier.verify(Array(receipt[..<count]), createdAt: moment)
      #expect(verification != .verified)
    }
  }
}

@Suite(
  "Verifying real app receipts",
  .enabled(if: receiptFixtures != nil, "the folder of real receipts is not there"))
struct RealAppReceiptVerifierTests {
  static let files: [(file: String, createdAt: Int64)] = [
    ("raw_receipts/tpinappreceipt/receipt-sandbox-g5", 1_766_774_387_000),
    ("raw_receipts/revenuecat_base64encodedreceiptsample1.txt", 1_595_439_548_000),
    ("raw_receipts/mbaasy_decoder/unified_sandbox.txt", 1_447_866_828_000),
    ("raw_receipts/mbaasy_validator/unified.txt", 1_439_452_246_000),
    ("raw_receipts/voltrue2_no_purchases.b64", 1_442_432_904_000),
  ]

  private func verify(_ file: String, root: String, createdAt: Int64) throws -> Verification {
    let root = try fixture("raw_receipts/tpinappreceipt/\(root)")
    var verifier = AppReceiptVerifier(roots: try roots(root))
    return verifier.verify(try base64Fixture(file), createdAt: createdAt)
  }

  @Test(arguments: files)
  func `trusts them under Apple's root only`(file: String, createdAt: Int64) throws {
    let root = "AppleIncRootCertificate.cer"
    #expect(try verify(file, root: root, createdAt: createdAt) == .verified)
    #expect(
      try verify(file, root: root, createdAt: 1_893_456_000_000) == .failed(.certificateNotValid))
    #expect(
      try verify(file, root: "StoreKitTestCertificate.cer", createdAt: createdAt)
        == .failed(.untrustedChain))
  }

  @Test
  func `trusts those of Xcode under the certificate of Xcode only`() throws {
    let file = "raw_receipts/tpinappreceipt/receipt-xcode"
    let createdAt: Int64 = 1_595_439_195_000
    #expect(
      try verify(file, root: "StoreKitTestCertificate.cer", createdAt: createdAt) == .verified)
    #expect(
      try verify(file, root: "AppleIncRootCertificate.cer", createdAt: createdAt)
        == .failed(.untrustedChain))
  }
}
