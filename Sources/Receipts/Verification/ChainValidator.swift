import FoundationEssentials
import Scanning
@_spi(FixedExpiryValidationTime) import X509

/// Decides which signers to trust, and caches the decisions: millions of records share a few chains.
///
/// A cached decision covers only a span of time in which it cannot change, so the order of the records
/// never matters.
struct ChainValidator: ~Copyable {
  /// The certificates of a record.
  struct Chain: Sendable {
    var signer: Certificate
    var intermediates: [Certificate]
  }

  /// A decision, and the span of time that it covers.
  private struct Entry {
    let key: [UInt8]
    let decision: Result<Certificate.PublicKey, VerificationFailure>
    let times: ClosedRange<Date>
  }

  /// The cache size of Apple's library.
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
  ///   - key: The bytes that the chain is made from; equal bytes give an equal chain.
  ///   - date: When the record was made.
  ///   - makeChain: Makes the chain; called only if no decision is cached for the key and the date.
  /// - Returns: The signer's public key.
  /// - Throws: Why the signer is not trusted.
  mutating func signerKey(
    of key: Span<UInt8>, at date: Date,
    _ makeChain: () throws(VerificationFailure) -> Chain
  ) throws(VerificationFailure) -> Certificate.PublicKey {
    let known = entries.firstIndex { entry in
      entry.times.contains(date) && matches(key, 0..<key.count, entry.key)
    }
    if let known {
      if known > 0 { entries.insert(entries.remove(at: known), at: 0) }
      return try entries[0].decision.get()
    }
    let (decision, times) = decide(at: date, makeChain)
    if let times {
      if entries.count == Self.mostEntries { entries.removeLast() }
      var copy: [UInt8] = []
      copy.append(key, 0..<key.count)
      entries.insert(Entry(key: copy, decision: decision, times: times), at: 0)
    }
    return try decision.get()
  }

  private func decide(
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
        // Leaf certificates are valid for two years, so old records must be checked at their own date. The
        // library offers a fixed time only through the SPI imported above.
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

  /// Returns the times at which all certificates are valid, or nil if there are none.
  private static func validity(of certificates: [Certificate]) -> ClosedRange<Date>? {
    var (first, last) = (Date.distantPast, Date.distantFuture)
    for certificate in certificates {
      first = max(first, certificate.notValidBefore)
      last = min(last, certificate.notValidAfter)
    }
    return first <= last ? first...last : nil
  }
}

/// Returns the time at which a record's certificates must have been valid.
///
/// - Parameter milliseconds: Milliseconds since 1970, or nil if the record states none.
/// - Returns: The time in whole seconds, as certificates have them.
/// - Throws: ``VerificationFailure/noDate``.
func signedDate(_ milliseconds: Int64?) throws(VerificationFailure) -> Date {
  // From 2008, when the App Store opened, to the end of 2099; X509 traps on years past 9999.
  guard let milliseconds, 1_199_145_600_000..<4_102_444_800_000 ~= milliseconds else {
    throw .noDate
  }
  return Date(timeIntervalSince1970: Double(milliseconds / 1000))
}
