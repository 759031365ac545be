import SwiftASN1
import X509

/// Requires Apple's marks for signing receipts on a chain that is otherwise valid.
///
/// Apple's root also covers the certificate of every developer: without the marks, any developer could
/// sign receipts.
struct SigningChainPolicy: VerifierPolicy, Sendable {
  /// Marks a certificate that signs receipts (`1.2.840.113635.100.6.11.1`).
  static let receiptSigner: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
  /// Marks the intermediate authority, Worldwide Developer Relations (`1.2.840.113635.100.6.2.1`).
  static let developerRelations: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

  /// Whether a given root may itself be the signer, as in Xcode's receipts.
  let allowsRootAsSigner: Bool

  /// Xcode's certificate marks its extended key usage, code signing, as critical; Apple's state none.
  var verifyingCriticalExtensions: [ASN1ObjectIdentifier] {
    allowsRootAsSigner ? [.X509ExtensionID.extendedKeyUsage] : []
  }

  func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
    if chain.count == 1, allowsRootAsSigner {
      guard let usage = try? chain[0].extensions.extendedKeyUsage else { return .meetsPolicy }
      return usage.contains(.codeSigning) ? .meetsPolicy : .failsToMeetPolicy(reason: "key usage")
    }
    guard chain.count == 3,
      chain[0].extensions[oid: Self.receiptSigner] != nil,
      chain[1].extensions[oid: Self.developerRelations] != nil
    else { return .failsToMeetPolicy(reason: Self.wrongPurpose) }
    return .meetsPolicy
  }

  /// The reason given for a chain that is valid but not made for signing receipts.
  static let wrongPurpose = VerificationFailure.wrongPurpose.rawValue
}
