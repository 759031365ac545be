import Receipts
import SubreportTestSupport

/// A moment at which the chains of tests are valid: 2024-03-06 10:00:00 UTC.
let moment: Int64 = 1_709_719_200_000

/// Returns a set of roots.
func roots(_ files: [UInt8]...) throws(RootCertificates.Fault) -> RootCertificates {
  var roots = RootCertificates()
  for file in files { try roots.add(file) }
  return roots
}

/// The result of verifying a signed record.
enum Verification: Equatable, Sendable {
  case verified
  case failed(VerificationFailure)
}

extension JWSVerifier {
  /// Verifies a JWS that is a string; nil if it is none.
  mutating func verify(_ text: String, signedAt milliseconds: Int64?) -> Verification? {
    let bytes = Array(text.utf8)
    guard let jws = try? JWS(splitting: bytes.span, 0..<bytes.count) else { return nil }
    do throws(VerificationFailure) {
      try verify(jws, in: bytes.span, signedAt: milliseconds)
      return .verified
    } catch {
      return .failed(error)
    }
  }
}

extension AppReceiptVerifier {
  /// Verifies the bytes of an array.
  mutating func verify(_ receipt: [UInt8], createdAt milliseconds: Int64?) -> Verification {
    do throws(VerificationFailure) {
      try verify(receipt.span, createdAt: milliseconds)
      return .verified
    } catch {
      return .failed(error)
    }
  }
}
