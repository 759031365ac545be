import FoundationEssentials
import Scanning

@_spi(FixedExpiryValidationTime) import X509

/// Validates certificate chains, and caches the results: millions of signatures share a few chains.
///
/// A cached result is used only for dates between which no certificate becomes valid or invalid, so
/// it does not depend on the order in which signatures are checked.
struct CertificateChainValidator: ~Copyable {
  /// The certificates of a JWS or a receipt.
  struct Chain: Sendable {
    var signer: Certificate
    var intermediates: [Certificate]
  }

  /// A result, and the times for which it holds.
  private struct Entry {
    let key: [UInt8]
    let result: Result<Certificate.PublicKey, VerificationFailure>
    let times: ClosedRange<Date>
  }

  /// The size of the cache, as in Apple's library.
  private static let mostEntries = 32

  private let roots: [Certificate]
  private let allowsRootAsSigner: Bool
  /// The cache, most recently used first.
  private var entries: [Entry] = []

  init(roots: RootCertificates, allowsRootAsSigner: Bool) {
    self.roots = roots.certificates
    self.allowsRootAsSigner = allowsRootAsSigner
  }

  /// Returns the public key of a signer whose chain leads to a root.
  ///
  /// - Parameters:
  ///   - key: The encoded certificates, as the key of the cache.
  ///   - date: When the JWS or receipt was signed.
  ///   - makeChain: Decodes the chain; called only if no result is cached for the key and the date.
  /// - Returns: The signer's public key.
  /// - Throws: Why the signer is not trusted.
  mutating func signerKey(
    of key: Span<UInt8>, at date: Date,
    _ makeChain: () throws(VerificationFailure) -> Chain
  ) throws(VerificationFailure) -> Certificate.PublicKey {
    let cached = entries.firstIndex { entry in
      entry.times.contains(date) && matches(key, 0..<key.count, entry.key)
    }
    if let cached {
      if cached > 0 { entries.insert(entries.remove(at: cached), at: 0) }
      return try entries[0].result.get()
    }
    let (result, times) = validated(at: date, makeChain)
    if let times {
      if entries.count == Self.mostEntries { entries.removeLast() }
      var copy: [UInt8] = []
      copy.append(key, 0..<key.count)
      entries.insert(Entry(key: copy, result: result, times: times), at: 0)
    }
    return try result.get()
  }

  private func validated(
    at date: Date, _ makeChain: () throws(VerificationFailure) -> Chain
  ) -> (Result<Certificate.PublicKey, VerificationFailure>, times: ClosedRange<Date>?) {
    let chain: Chain
    do throws(VerificationFailure) {
      chain = try makeChain()
    } catch {
      return (.failure(error), .distantPast ... .distantFuture)
    }
    switch validate(chain, at: date) {
    case .validCertificate(let validated):
      return (.success(chain.signer.publicKey), Self.validity(of: Array(validated)))
    case .couldNotValidate(let failures):
      let all = [chain.signer] + chain.intermediates + roots
      // If every certificate is valid at the date, the date cannot be the reason.
      let times = Self.validity(of: all).flatMap { $0.contains(date) ? $0 : nil }
      return (.failure(Self.reason(failures, chain, at: date)), times)
    }
  }

  private func validate(_ chain: Chain, at date: Date) -> CertificateValidationResult {
    let policy = SigningChainPolicy(allowsRootAsSigner: allowsRootAsSigner)
    return runOnCallingThread { [roots] in
      var verifier = Verifier(rootCertificates: CertificateStore(roots)) {
        // A leaf certificate is valid for two years, so it is validated at the date of the
        // signature. X509 has a fixed time only in the SPI imported above.
        RFC5280Policy(fixedExpiryValidationTime: date)
        policy
      }
      return await verifier.validate(
        leaf: chain.signer, intermediates: CertificateStore(chain.intermediates))
    }
  }

  private static func reason(
    _ failures: [CertificateValidationResult.PolicyFailure], _ chain: Chain, at date: Date
  ) -> VerificationFailure {
    let isPurpose = failures.contains {
      $0.policyFailureReason.description == SigningChainPolicy.wrongPurpose
    }
    if isPurpose { return .wrongPurpose }
    let areValid = ([chain.signer] + chain.intermediates).allSatisfy {
      validity(of: [$0])?.contains(date) ?? false
    }
    return areValid ? .untrustedChain : .certificateNotValid
  }

  /// Returns the times at which all certificates are valid; nil if there is no such time.
  private static func validity(of certificates: [Certificate]) -> ClosedRange<Date>? {
    var (first, last) = (Date.distantPast, Date.distantFuture)
    for certificate in certificates {
      first = max(first, certificate.notValidBefore)
      last = min(last, certificate.notValidAfter)
    }
    return first <= last ? first...last : nil
  }
}

/// Returns the time at which the certificates of a JWS or a receipt must have been valid.
///
/// - Parameter milliseconds: Its date in milliseconds since 1970; nil if it has none.
/// - Returns: The time in whole seconds, as certificates have them.
/// - Throws: ``VerificationFailure/noDate``.
func signedDate(_ milliseconds: Int64?) throws(VerificationFailure) -> Date {
  // From 2008, when the App Store opened, to the end of 2099; X509 traps on years past 9999.
  guard let milliseconds, 1_199_145_600_000..<4_102_444_800_000 ~= milliseconds else {
    throw .noDate
  }
  return Date(timeIntervalSince1970: Double(milliseconds / 1000))
}
