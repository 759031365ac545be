import Crypto
import FoundationEssentials
import X509

/// Verifies signed transactions, renewal infos and notifications as Apple's library does offline.
///
/// A JWS is valid if its header has the algorithm ES256 and exactly three certificates. The third
/// is ignored; one of the user's roots is used in its place. The chain must have been valid when
/// the JWS was signed, have three certificates, and contain Apple's extensions for a receipt signer
/// and its authority. The signature must match the signer's key. The payload is not read. A JWS
/// from Xcode is not valid, because Xcode signs with its own key.
///
/// One value can verify any number of JWS. It caches chains; each worker has its own.
package struct JWSVerifier: ~Copyable {
  private var validator: CertificateChainValidator
  private var signature: [UInt8] = []

  /// The longest header in bytes; real headers take 4 to 6 KiB, nearly all of it certificates.
  private static let longestHeader = 1 << 16

  /// Creates a verifier.
  ///
  /// - Parameter roots: The roots to trust.
  package init(roots: RootCertificates) {
    validator = CertificateChainValidator(roots: roots, allowsRootAsSigner: false)
  }

  /// Verifies a JWS.
  ///
  /// - Parameters:
  ///   - jws: The ranges of its segments.
  ///   - text: The bytes that hold it.
  ///   - milliseconds: Its payload's `signedDate`, in milliseconds since 1970; nil if it has none.
  /// - Throws: ``VerificationFailure``, if the JWS must not be used.
  package mutating func verify(
    _ jws: JWS, in text: Span<UInt8>, signedAt milliseconds: Int64?
  ) throws(VerificationFailure) {
    let date = try signedDate(milliseconds)
    guard jws.header.count <= Self.longestHeader else { throw .unreadableHeader }
    let signerKey = try validator.signerKey(of: text.extracting(jws.header), at: date) {
      () throws(VerificationFailure) in try Self.chain(text, jws.header)
    }
    guard let key = P256.Signing.PublicKey(signerKey) else { throw .wrongAlgorithm }
    try checkSignature(of: jws, in: text, by: key)
  }

  private mutating func checkSignature(
    of jws: JWS, in text: Span<UInt8>, by key: P256.Signing.PublicKey
  ) throws(VerificationFailure) {
    do {
      try Base64.decode(text, jws.signature, .urlSafe, into: &signature)
      var hash = SHA256()
      hash.update(text.extracting(jws.signed))
      let isValid = key.isValidSignature(
        try P256.Signing.ECDSASignature(rawRepresentation: signature), for: hash.finalize())
      if isValid { return }
    } catch {}
    throw .wrongSignature
  }
}

extension SHA256 {
  fileprivate mutating func update(_ bytes: Span<UInt8>) {
    // Safe: the buffer is read within the call, while the span keeps the bytes alive.
    unsafe bytes.withUnsafeBytes { unsafe update(bufferPointer: $0) }
  }
}

// MARK: - Header

extension JWSVerifier {
  private struct Header: Decodable {
    let alg: String
    let x5c: [String]
  }

  /// Reads the chain from a header.
  private static func chain(
    _ text: Span<UInt8>, _ range: Range<Int>
  ) throws(VerificationFailure) -> CertificateChainValidator.Chain {
    var bytes: [UInt8] = []
    let header: Header
    do {
      try Base64.decode(text, range, .urlSafe, into: &bytes)
      header = try JSONDecoder().decode(Header.self, from: Data(bytes))
    } catch {
      throw .unreadableHeader
    }
    guard header.alg == "ES256" else { throw .wrongAlgorithm }
    guard header.x5c.count == 3 else { throw .wrongCertificateCount }
    return CertificateChainValidator.Chain(
      signer: try certificate(inBase64: header.x5c[0]),
      intermediates: [try certificate(inBase64: header.x5c[1])])
  }

  private static func certificate(
    inBase64 text: String
  ) throws(VerificationFailure) -> Certificate {
    let text = Array(text.utf8)
    var bytes: [UInt8] = []
    guard (try? Base64.decode(text.span, 0..<text.count, .standard, into: &bytes)) != nil,
      let certificate = Receipts.certificate(bytes)
    else { throw .unreadableCertificate }
    return certificate
  }
}
