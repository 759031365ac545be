import Receipts
import SubreportTestSupport
import Testing

@Suite(
  "Verifying real JWS",
  .enabled(if: receiptFixtures != nil, "the folder of real receipts is not there"))
struct RealJWSTests {
  private func verify(_ jws: [UInt8], root: String, signedAt: Int64?) throws -> Verification? {
    var verifier = JWSVerifier(roots: try roots(fixture("v2_jws/certs/\(root)")))
    let text = String(decoding: jws, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    return verifier.verify(text.joined(), signedAt: signedAt)
  }

  /// A notification that Apple signed in September 2022, with a certificate that ended in 2023.
  private func notification() throws -> [UInt8] {
    let file = try fixture("v2_jws/real_sandbox_TEST_notification.json")
    return try Array(#require(file.split(separator: UInt8(ascii: "\"")).dropFirst(3).first))
  }

  @Test func ofAppleIsTrusted() throws {
    let jws = try notification()
    let root = "AppleRootCA-G3.cer"
    #expect(try verify(jws, root: root, signedAt: 1_662_122_492_884) == .verified)
    #expect(
      try verify(jws, root: root, signedAt: 1_727_000_000_000) == .failed(.certificateNotValid))
    #expect(
      try verify(jws, root: "apple_library_testCA.der", signedAt: 1_662_122_492_884)
        == .failed(.untrustedChain))
  }

  static let mocks: [(file: String, Verification)] = [
    ("renewalInfo", .verified), ("transactionInfo", .verified), ("testNotification", .verified),
    ("wrongBundleId", .verified), ("missingX5CHeaderClaim", .failed(.unreadableHeader)),
  ]

  @Test(arguments: mocks)
  func `of Apple's library are judged as it judges them`(file: String, expected: Verification)
    throws
  {
    let jws = try fixture("v2_jws/apple_mock/\(file)")
    let verification = try verify(
      jws, root: "apple_library_testCA.der", signedAt: 1_681_314_324_000)
    #expect(verification == expected)
  }

  static let xcodeFiles = [
    "xcode-signed-transaction", "xcode-signed-renewal-info", "xcode-signed-app-transaction",
  ]

  @Test(arguments: xcodeFiles)
  func `of Xcode are not trusted`(file: String) throws {
    let jws = try fixture("v2_jws/apple_xcode/\(file)")
    #expect(
      try verify(jws, root: "AppleRootCA-G3.cer", signedAt: 1_697_679_936_056)
        == .failed(.wrongCertificateCount))
  }
}
