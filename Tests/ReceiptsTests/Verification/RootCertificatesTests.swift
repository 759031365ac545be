import Receipts
import SubreportTestSupport
import Testing

@Suite("Root certificates")
struct RootCertificatesTests {
  @Test func areReadFromDER() throws {
    let chain = try SigningChain()
    #expect(throws: Never.self) { try roots(chain.root, chain.intermediate) }
  }

  static let wrong: [(String, RootCertificates.Fault)] = [
    ("", .isNoCertificate), ("x", .isNoCertificate),
    ("-----BEGIN CERTIFICATE-----\nMIIB\n", .isPEM),
    (String(repeating: "0", count: 1 << 20), .isNoCertificate),
  ]

  @Test(arguments: wrong)
  func `say what a file is instead`(text: String, fault: RootCertificates.Fault) {
    #expect(throws: fault) { try roots(Array(text.utf8)) }
  }

  @Test func holdNothingAfterTheCertificate() throws {
    let file = try SigningChain().root + [0]
    #expect(throws: RootCertificates.Fault.isNoCertificate) { try roots(file) }
  }
}

@Suite("Failures of verification")
struct VerificationFailureTests {
  @Test(arguments: VerificationFailure.allCases)
  func `say what was wrong on one line`(failure: VerificationFailure) {
    #expect(!failure.found.isEmpty && !failure.found.contains("\n"))
    #expect(failure.rawValue.allSatisfy { $0.isLowercase || $0 == "-" })
  }
}
