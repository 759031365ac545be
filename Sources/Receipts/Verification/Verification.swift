/// What verifying a signed record said.
public enum Verification: Equatable, Sendable {
  /// A given root vouches for the key that signed exactly these bytes.
  case verified
  /// The record must not be used.
  case failed(VerificationFailure)
}

/// Why a signed record is not to be trusted; codes never change.
public enum VerificationFailure: String, Error, CaseIterable, Sendable {
  /// The record does not say when it was made, or says a time outside the years 2008 to 2099.
  case noDate = "no-date"
  /// The JWS header is longer than 64 KiB, no JSON, or lacks `alg` or `x5c`.
  case unreadableHeader = "unreadable-header"
  /// The JWS header names an algorithm other than ES256.
  case wrongAlgorithm = "wrong-algorithm"
  /// The JWS does not hold exactly three certificates, or the receipt none or more than four.
  case wrongCertificateCount = "wrong-certificate-count"
  /// A certificate is not one.
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

  /// What was found and what was expected, in lower case and without a full stop.
  public var message: String {
    switch self {
    case .noDate:
      "no date to verify the signature at, expected one from 2008 to 2099"
    case .unreadableHeader:
      "unreadable JWS header, expected JSON with alg and x5c"
    case .wrongAlgorithm:
      "found another algorithm in the JWS header, expected ES256"
    case .wrongCertificateCount:
      "wrong number of certificates, expected exactly 3 in a JWS and 1 to 4 in a receipt"
    case .unreadableCertificate:
      "unreadable certificate, expected DER"
    case .certificateNotValid:
      "a certificate was not valid when the record was signed"
    case .untrustedChain:
      "the certificates do not lead to a given root certificate"
    case .wrongPurpose:
      "the certificates lead to a given root certificate, but are not made for signing receipts"
    case .wrongSignature:
      "the signature does not match, expected that of these bytes"
    case .unreadableSigner:
      "unreadable signer, expected exactly one that names its certificate"
    case .unsupportedAlgorithm:
      "found another signature algorithm, expected RSA with SHA-1 or SHA-256"
    case .unsupportedReceipt:
      "receipts of iOS 6 cannot be verified"
    }
  }
}
