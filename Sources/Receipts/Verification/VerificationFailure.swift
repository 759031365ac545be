/// Why a signed record cannot be trusted; codes never change.
public enum VerificationFailure: String, Error, CaseIterable, Sendable {
  /// The record has no date, or one outside the years 2008 to 2099.
  case noDate = "no-date"
  /// The JWS header is longer than 64 KiB, is not JSON, or lacks `alg` or `x5c`.
  case unreadableHeader = "unreadable-header"
  /// The JWS header names an algorithm other than ES256.
  case wrongAlgorithm = "wrong-algorithm"
  /// The JWS does not hold exactly three certificates, or the receipt holds none or more than four.
  case wrongCertificateCount = "wrong-certificate-count"
  /// A certificate cannot be read.
  case unreadableCertificate = "unreadable-certificate"
  /// A certificate was not yet, or no longer, valid when the record was made.
  case certificateNotValid = "certificate-not-valid"
  /// The certificates do not lead to a given root.
  case untrustedChain = "untrusted-chain"
  /// The certificates lead to a given root, but Apple did not make them for signing receipts.
  case wrongPurpose = "wrong-purpose"
  /// The signature is not that of the signer's key over these bytes.
  case wrongSignature = "wrong-signature"
  /// The receipt's signer cannot be read.
  case unreadableSigner = "unreadable-signer"
  /// The receipt's digest or signature algorithm is not one that Apple has used.
  case unsupportedAlgorithm = "unsupported-algorithm"
  /// The receipt is of a kind that cannot be verified: a transaction receipt of iOS 6.
  case unsupportedReceipt = "unsupported-receipt"

  /// What was found, in words.
  public var found: String {
    switch self {
    case .noDate: "no date from 2008 to 2099 to check the signature at"
    case .unreadableHeader: "a JWS header without algorithm and certificates"
    case .wrongAlgorithm: "another algorithm than ES256 in the JWS header"
    case .wrongCertificateCount:
      "another number of certificates than the 3 of a JWS or the 1 to 4 of a receipt"
    case .unreadableCertificate: "a certificate that cannot be read"
    case .certificateNotValid: "a certificate that was not valid when the record was signed"
    case .untrustedChain: "certificates that lead to no given root certificate"
    case .wrongPurpose: "certificates that are not made for signing receipts"
    case .wrongSignature: "a signature that is not of this record"
    case .unreadableSigner: "no single signer that names its certificate"
    case .unsupportedAlgorithm: "another signature algorithm than RSA with SHA-1 or SHA-256"
    case .unsupportedReceipt: "a receipt of iOS 6, whose signature cannot be checked"
    }
  }
}
