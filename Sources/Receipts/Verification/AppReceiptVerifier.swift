import Crypto
import FoundationEssentials
import Scanning
import SwiftASN1
import X509

/// Verifies app receipts.
///
/// A receipt is valid if it has one signer, whose signature covers the content: RSA with SHA-1 (up
/// to 2023) or SHA-256. The signer's certificate chain must have been valid when the receipt was
/// made, lead to one of the user's roots, have three certificates, and contain Apple's extensions
/// for a receipt signer and its authority. A signer that is itself one of the roots needs no chain:
/// to verify receipts from Xcode, give Xcode's certificate as a root.
///
/// One value can verify any number of receipts. It caches chains; each worker has its own.
package struct AppReceiptVerifier: ~Copyable {
  private var validator: CertificateChainValidator
  private var content: [UInt8] = []
  private var chainKey: [UInt8] = []

  /// The most certificates in a receipt: Apple's have three, and a low limit keeps the search
  /// short.
  private static let mostCertificates = 4

  /// Creates a verifier.
  ///
  /// - Parameter roots: The roots to trust.
  package init(roots: RootCertificates) {
    validator = CertificateChainValidator(roots: roots, allowsRootAsSigner: true)
  }

  /// Verifies a receipt.
  ///
  /// - Parameters:
  ///   - receipt: The container and nothing else, as in ``AppReceipt/read(_:)``.
  ///   - milliseconds: Its creation date, in milliseconds since 1970; nil if it has none.
  /// - Throws: ``VerificationFailure``, if the receipt must not be used.
  package mutating func verify(
    _ receipt: Span<UInt8>, createdAt milliseconds: Int64?
  ) throws(VerificationFailure) {
    let date = try signedDate(milliseconds)
    let signer = try readSigner(receipt)
    // The key begins with the signer's identifier, issuer and serial number. Its end is encoded in
    // it, so identifier and certificates cannot be confused.
    chainKey.removeAll(keepingCapacity: true)
    chainKey.append(receipt, signer.identifier)
    chainKey.append(receipt, signer.certificates)
    let chainKey = chainKey
    let key = try validator.signerKey(of: chainKey.span, at: date) {
      () throws(VerificationFailure) in try Self.chain(receipt, signer)
    }
    try checkSignature(receipt, signer, by: key)
  }

  private mutating func readSigner(
    _ receipt: Span<UInt8>
  ) throws(VerificationFailure) -> SignerInfo {
    do throws(EncodingFault) {
      let signedData = try SignedData(receipt)
      try signedData.copyContent(receipt, into: &content)
      return try SignerInfo(of: signedData, receipt)
    } catch {
      throw .unreadableSigner
    }
  }

  /// Reads the certificates, and separates the signer's from the others.
  private static func chain(
    _ receipt: Span<UInt8>, _ signer: SignerInfo
  ) throws(VerificationFailure) -> CertificateChainValidator.Chain {
    var certificates: [Certificate] = []
    var reader = BERReader(signer.certificates)
    while !reader.isAtEnd {
      guard let range = try? reader.whole(BERReader.Tag.sequence, receipt),
        let certificate = certificate(copy(receipt, range))
      else { throw .unreadableCertificate }
      certificates.append(certificate)
      guard certificates.count <= mostCertificates else { throw .wrongCertificateCount }
    }
    if certificates.isEmpty { throw .wrongCertificateCount }
    let serialNumber = copy(receipt, signer.serialNumber)
    guard let issuer = distinguishedName(copy(receipt, signer.issuer)),
      let index = certificates.firstIndex(where: {
        $0.issuer == issuer && Array($0.serialNumber.bytes) == serialNumber
      })
    else { throw .unreadableSigner }
    let found = certificates.remove(at: index)
    return CertificateChainValidator.Chain(signer: found, intermediates: certificates)
  }

  private static func copy(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var copy: [UInt8] = []
    copy.append(bytes, range)
    return copy
  }
}

// MARK: - Signature

extension AppReceiptVerifier {
  private static let sha1: [UInt8] = [0x2B, 0x0E, 3, 2, 0x1A]
  private static let sha256: [UInt8] = [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1]
  private static let rsa: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1]
  private static let rsaWithSHA1: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 5]
  private static let rsaWithSHA256: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 11]

  private func checkSignature(
    _ receipt: Span<UInt8>, _ signer: SignerInfo, by key: Certificate.PublicKey
  ) throws(VerificationFailure) {
    let algorithm = try Self.algorithm(receipt, signer)
    let signature = Self.copy(receipt, signer.signature)
    var signed = content
    if let attributes = signer.signedAttributes {
      guard let range = try? SignerInfo.messageDigest(in: attributes, receipt),
        Self.copy(receipt, range) == digest(of: content, algorithm)
      else { throw .wrongSignature }
      // The signature covers the attributes with the tag of a set, not with their tag in the
      // receipt.
      signed = Self.copy(receipt, attributes)
      signed[0] = BERReader.Tag.set
    }
    guard key.isValidSignature(signature, for: signed, signatureAlgorithm: algorithm) else {
      throw .wrongSignature
    }
  }

  /// Returns the signature's algorithm, after checking that digest and key algorithm match it.
  private static func algorithm(
    _ receipt: Span<UInt8>, _ signer: SignerInfo
  ) throws(VerificationFailure) -> Certificate.SignatureAlgorithm {
    let known: [(digest: [UInt8], combined: [UInt8], Certificate.SignatureAlgorithm)] = [
      (sha1, rsaWithSHA1, .sha1WithRSAEncryption),
      (sha256, rsaWithSHA256, .sha256WithRSAEncryption),
    ]
    for (digest, combined, algorithm) in known
    where matches(receipt, signer.digest, digest)
      && (matches(receipt, signer.algorithm, rsa) || matches(receipt, signer.algorithm, combined))
    {
      return algorithm
    }
    throw .unsupportedAlgorithm
  }

  private func digest(
    of bytes: [UInt8], _ algorithm: Certificate.SignatureAlgorithm
  ) -> [UInt8] {
    algorithm == .sha1WithRSAEncryption
      ? Array(Insecure.SHA1.hash(data: bytes)) : Array(SHA256.hash(data: bytes))
  }
}
