import SwiftASN1
import X509

/// Requires Apple's certificate extensions for signing receipts in a chain that is otherwise valid.
///
/// The certificates of all developers lead to Apple's root: without this check, any developer could
/// sign receipts.
struct SigningChainPolicy: VerifierPolicy, Sendable {
  /// The extension of a certificate that signs receipts (`1.2.840.113635.100.6.11.1`).
  static let receiptSigner: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
  /// The extension of the intermediate, Worldwide Developer Relations (`1.2.840.113635.100.6.2.1`).
  static let developerRelations: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

  /// Whether one of the user's roots may itself be the signer, as in Xcode's receipts.
  let allowsRootAsSigner: Bool

  /// The critical extensions that the policy checks: extended key usage, which Xcode's certificate
  /// has.
  var verifyingCriticalExtensions: [ASN1ObjectIdentifier] {
    allowsRootAsSigner ? [.X509ExtensionID.extendedKeyUsage] : []
  }

  func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
    if chain.count == 1, allowsRootAsSigner {
      // Without the extension, a key may be used for any purpose.
      guard let usage = try? chain[0].extensions.extendedKeyUsage else { return .meetsPolicy }
      return usage.contains(.codeSigning) ? .meetsPolicy : .failsToMeetPolicy(reason: "key usage")
    }
    guard chain.count == 3,
      chain[0].extensions[oid: Self.receiptSigner] != nil,
      chain[1].extensions[oid: Self.developerRelations] != nil
    else { return .failsToMeetPolicy(reason: Self.wrongPurpose) }
    return .meetsPolicy
  }

  /// The failure reason of a chain that is valid but not for signing receipts.
  static let wrongPurpose = VerificationFailure.wrongPurpose.rawValue
}
