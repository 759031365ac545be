/// Why a JWS or a receipt cannot be trusted; codes never change.
package enum VerificationFailure: String, Error, CaseIterable, Sendable {
  /// The JWS or receipt has no date, or one outside the years 2008 to 2099.
  case noDate = "no-date"
  /// The JWS header is longer than 64 KiB, is not JSON, or lacks `alg` or `x5c`.
  case unreadableHeader = "unreadable-header"
  /// The JWS header names an algorithm other than ES256.
  case wrongAlgorithm = "wrong-algorithm"
  /// The JWS does not hold exactly three certificates, or the receipt holds none or more than four.
  case wrongCertificateCount = "wrong-certificate-count"
  /// A certificate cannot be read.
  case unreadableCertificate = "unreadable-certificate"
  /// A certificate was not yet, or no longer, valid at the time of signing.
  case certificateNotValid = "certificate-not-valid"
  /// The certificates do not lead to one of the user's roots.
  case untrustedChain = "untrusted-chain"
  /// The certificates lead to one of the user's roots, but are not for signing receipts.
  case wrongPurpose = "wrong-purpose"
  /// The signature does not match the signer's key and the signed bytes.
  case wrongSignature = "wrong-signature"
  /// The receipt's signer cannot be read.
  case unreadableSigner = "unreadable-signer"
  /// The receipt's digest or signature algorithm is not one that Apple has used.
  case unsupportedAlgorithm = "unsupported-algorithm"
  /// The receipt is of a kind that cannot be verified: a transaction receipt of iOS 6.
  case unsupportedReceipt = "unsupported-receipt"

  /// What was found, in words.
  package var found: String {
    switch self {
    case .noDate: "no date from 2008 to 2099, at which to check the signature"
    case .unreadableHeader: "a JWS header without algorithm and certificates"
    case .wrongAlgorithm: "an algorithm other than ES256 in the JWS header"
    case .wrongCertificateCount:
      "a number of certificates other than 3 in a JWS or 1 to 4 in a receipt"
    case .unreadableCertificate: "a certificate that cannot be read"
    case .certificateNotValid: "a certificate that was not valid at the time of signing"
    case .untrustedChain: "certificates that do not lead to a given root certificate"
    case .wrongPurpose: "certificates that are not for signing receipts"
    case .wrongSignature: "a signature that does not match the data"
    case .unreadableSigner: "no signer, several signers, or a signer without its certificate"
    case .unsupportedAlgorithm: "a signature algorithm other than RSA with SHA-1 or SHA-256"
    case .unsupportedReceipt: "an iOS 6 receipt, whose signature cannot be checked"
    }
  }
}
